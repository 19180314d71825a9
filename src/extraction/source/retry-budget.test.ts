import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { SourceResponse } from '../../platforms/platform.ts';
import { createRetryBudget } from './retry-budget.ts';

type Try = number | MillraceError | Partial<SourceResponse>;

const connectionFailure = new MillraceError('connection_error', 'The connection broke.');

/** Creates a retry budget whose requests get these outcomes in order, and 200 from then on. */
function budgetOver(tries: readonly Try[], timeLeft = 20_000, took = 0, turn = 0) {
  const remaining = [...tries];
  const waits: number[] = [];
  let requestCount = 0;
  let waitedForTurns = 0;
  const countedRetries: true[] = [];
  const count = () => countedRetries.push(true);
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  const left = () => timeLeft - requestCount * took - waitedForTurns;
  const retries = createRetryBudget(left, new AbortController().signal, count, wait);
  const waitForTurn = async () => {
    waitedForTurns += turn;
  };
  const send = async (): Promise<SourceResponse> => {
    requestCount += 1;
    const next = remaining.shift() ?? 200;
    if (next instanceof MillraceError) throw next;
    const answer = { status: 200, headers: {}, url: 'https://a.example/', text: '' };
    return typeof next === 'number' ? { ...answer, status: next } : { ...answer, ...next };
  };
  return { run: () => retries.run(waitForTurn, send), waits, requestCount: () => requestCount, countedRetries };
}

describe('a request is retried', () => {
  test.each<[string, Try]>([
    ['a connection that broke', connectionFailure],
    ['502', 502],
    ['503', 503],
    ['504', 504],
  ])('after %s', async (_name, first) => {
    const { run, requestCount, countedRetries } = budgetOver([first]);
    expect((await run()).status).toBe(200);
    expect([requestCount(), countedRetries.length]).toEqual([2, 1]);
  });

  test('twice in an extraction, with increasing jittered delays', async () => {
    const { run, requestCount, waits } = budgetOver([503, connectionFailure, 503]);
    expect((await run()).status).toBe(503);
    expect(requestCount()).toBe(3);
    expect(waits[0]).toSatisfy((wait: number) => wait >= 100 && wait <= 200);
    expect(waits[1]).toSatisfy((wait: number) => wait >= 200 && wait <= 400);
    // A new extraction has a new retry budget.
    expect((await budgetOver([]).run()).status).toBe(200);
  });

  test('even if it waited long for its turn', async () => {
    const { run, requestCount } = budgetOver([503], 20_000, 0, 3_000);
    expect((await run()).status).toBe(200);
    expect(requestCount()).toBe(2);
  });

  test('within a budget that all requests of an extraction share', async () => {
    const { run, requestCount } = budgetOver([503, 200, 503, 200, 503]);
    expect([(await run()).status, (await run()).status, (await run()).status]).toEqual([200, 200, 503]);
    expect(requestCount()).toBe(5);
  });
});

describe('a request is not retried', () => {
  test.each<[string, Try]>([
    ['a successful response', 200],
    ['404', 404],
    ['429', 429],
    ['500', 500],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '60' } }],
  ])('after %s', async (_name, first) => {
    const { run, requestCount } = budgetOver([first]);
    await run();
    expect(requestCount()).toBe(1);
  });

  test.each<MillraceError>([
    new MillraceError('operation_timeout', 'Too long.'),
    new MillraceError('unexpected_redirect', 'Elsewhere.'),
    new MillraceError('service_unavailable', 'Too many.'),
    new MillraceError('connection_error', 'For good.', { retryable: false }),
  ])('after $code', async (error) => {
    const { run, requestCount } = budgetOver([error]);
    await expect(run()).rejects.toBe(error);
    expect(requestCount()).toBe(1);
  });

  test('if it took long to fail', async () => {
    const { run, requestCount } = budgetOver([503], 20_000, 2_001);
    expect((await run()).status).toBe(503);
    expect(requestCount()).toBe(1);
  });

  test('if too little time is left', async () => {
    const { run, requestCount } = budgetOver([503], 7_999);
    expect((await run()).status).toBe(503);
    expect(requestCount()).toBe(1);
  });
});
