import { expect, test } from 'vitest';
import { JobTimeExceeded, withinJobTime } from './job-time.ts';

const { signal } = new AbortController();

/** Work that ends only when its signal is aborted, with the reason or another error. */
const hang = (failure?: Error) => (workSignal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    workSignal.addEventListener('abort', () => reject(failure ?? workSignal.reason));
  });

test('returns the result of work that ends in time', async () => {
  expect(await withinJobTime(60_000, signal, async () => 'done')).toBe('done');
});

test.each([
  ['the reason', undefined],
  ['another error', new Error('the download was aborted')],
])('fails with the limit if late work ends with %s', async (_error, failure) => {
  const outcome = withinJobTime(1, signal, hang(failure));
  await expect(outcome).rejects.toBeInstanceOf(JobTimeExceeded);
  await expect(outcome).rejects.toMatchObject({ code: 'processing_timeout' });
});

test.each([
  [90_000, '90 seconds'],
  [900_000, '15 minutes'],
])('names a limit of %i ms', (limitMs, limit) => {
  expect(new JobTimeExceeded(limitMs).message).toBe(
    `The job took longer than ${limit}, the limit for a visitor of this service. Choose a lower quality or a shorter part.`,
  );
});

test('passes on the reason of a run that ends for another reason, and the errors of the work', async () => {
  const run = new AbortController();
  const outcome = withinJobTime(60_000, run.signal, hang());
  const reason = new Error('the run was lost');
  run.abort(reason);
  await expect(outcome).rejects.toBe(reason);
  const error = new Error('the input is damaged');
  await expect(withinJobTime(60_000, signal, () => Promise.reject(error))).rejects.toBe(error);
});

test('has no limit without one', async () => {
  const workSignal = await withinJobTime(undefined, signal, async (given) => given);
  expect(workSignal).toBe(signal);
});
