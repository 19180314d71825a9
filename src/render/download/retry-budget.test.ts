import { expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import { createRetryBudget } from './retry-budget.ts';

const connectionError = new MillraceError('connection_error', 'Input 1: the connection broke.');
const context = { name: 'Input 1', onFailure: () => undefined };
const late = new MillraceError('download_timeout', 'Input 1 was not downloaded within its timeout.');

test('rejects with the abort reason if the download ends during a pause', async () => {
  const ended = new AbortController();
  const waiting = createRetryBudget({ ...context, signal: ended.signal, pause: sleep }).waitBeforeRetry(
    connectionError,
  );
  ended.abort(late);
  await expect(waiting).rejects.toBe(late);
});

test('does not retry a download that has ended, whatever its connection reported', async () => {
  const retryBudget = createRetryBudget({ ...context, signal: AbortSignal.abort(late), pause: sleep });
  await expect(retryBudget.waitBeforeRetry(connectionError)).rejects.toBe(late);
});

test('retries after five growing pauses without progress, and never retries permanent errors', async () => {
  const pauses: number[] = [];
  const { signal } = new AbortController();
  const retryBudget = createRetryBudget({
    ...context,
    signal,
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  const refusedError = new MillraceError('source_refused', 'Input 1 refused.');
  await expect(retryBudget.waitBeforeRetry(refusedError)).rejects.toBe(refusedError);
  for (let failure = 0; failure < 5; failure += 1) await retryBudget.waitBeforeRetry(connectionError);
  await expect(retryBudget.waitBeforeRetry(connectionError)).rejects.toBe(connectionError);
  expect(pauses.length).toBe(5);
  for (const [index, longest] of [200, 400, 800, 1_600, 3_200].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(pauses[index]).toBeLessThanOrEqual(longest);
  }
});
