import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MillraceRenderError } from '#client/errors.ts';
import { retryRender } from './retry-render.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function failureOf(retryable: boolean): MillraceRenderError {
  return new MillraceRenderError({
    ...{ job_id: 'p1-1', status: 'failed', progress: 0, output: null, error: 'The source is busy.' },
    ...{ error_code: 'source_unavailable', retryable, input: 0, request_id: null },
  } as never);
}

/** Runs renders that fail `failures` times, and returns the number of attempts, what was said, and the error. */
async function run(failures: number, retries: number | undefined, failure = failureOf(true)) {
  let attempts = 0;
  const said: string[] = [];
  const fetchOnce = async () => {
    attempts += 1;
    if (attempts <= failures) throw failure;
    return 'file';
  };
  const reporter = {
    step: () => undefined,
    status: () => undefined,
    say: (text: string) => said.push(text),
    close: () => undefined,
  };
  const { signal } = new AbortController();
  const ended = retryRender(fetchOnce, { reporter, signal, ...(retries === undefined ? {} : { retries }) }).catch(
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { outcome: await ended, attempts, said };
}

test('--retries repeats renders with temporary failures, and reports each retry', async () => {
  const { outcome, attempts, said } = await run(2, 3);
  expect([outcome, attempts]).toEqual(['file', 3]);
  expect(said).toEqual(['The source is busy. Retry 1 of 3.', 'The source is busy. Retry 2 of 3.']);
});

test.each([
  ['after the last retry', 9, 3, true, 4],
  ['without --retries', 9, undefined, true, 1],
  ['if the failure is permanent', 9, 3, false, 1],
])('the failure is reported %s', async (_, failures, retries, retryable, expected) => {
  const failure = failureOf(retryable);
  const { outcome, attempts } = await run(failures, retries, failure);
  expect([outcome, attempts]).toEqual([failure, expected]);
});
