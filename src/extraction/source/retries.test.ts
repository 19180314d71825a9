import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { SourceResponse } from '../../platforms/platform.ts';
import { openRetries } from './retries.ts';

type Try = number | MillraceError | Partial<SourceResponse>;

const broken = new MillraceError('connection_error', 'The connection broke.');

/** An extraction whose requests meet these one after the other, and 200 in the end. */
function retriesOver(tries: readonly Try[], timeLeft = 20_000, took = 0) {
  const left = [...tries];
  const waits: number[] = [];
  let sent = 0;
  const counted: true[] = [];
  const count = () => counted.push(true);
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  const retries = openRetries(() => timeLeft - sent * took, new AbortController().signal, count, wait);
  const send = async (): Promise<SourceResponse> => {
    sent += 1;
    const next = left.shift() ?? 200;
    if (next instanceof MillraceError) throw next;
    const answer = { status: 200, headers: {}, url: 'https://a.example/', text: '' };
    return typeof next === 'number' ? { ...answer, status: next } : { ...answer, ...next };
  };
  return { run: () => retries.run(send), waits, sent: () => sent, counted };
}

describe('a request is sent once more', () => {
  test.each<[string, Try]>([
    ['a connection that broke', broken],
    ['502', 502],
    ['503', 503],
    ['504', 504],
  ])('after %s', async (_name, first) => {
    const { run, sent, counted } = retriesOver([first]);
    expect((await run()).status).toBe(200);
    expect([sent(), counted.length]).toEqual([2, 1]);
  });

  test('twice in an extraction, after ever longer waits that differ', async () => {
    const { run, sent, waits } = retriesOver([503, broken, 503]);
    expect((await run()).status).toBe(503);
    expect(sent()).toBe(3);
    expect(waits[0]).toSatisfy((wait: number) => wait >= 100 && wait <= 200);
    expect(waits[1]).toSatisfy((wait: number) => wait >= 200 && wait <= 400);
    // The next request of the same extraction has none left.
    expect((await retriesOver([]).run()).status).toBe(200);
  });

  test('out of one budget, whichever request needs it', async () => {
    const { run, sent } = retriesOver([503, 200, 503, 200, 503]);
    expect([(await run()).status, (await run()).status, (await run()).status]).toEqual([200, 200, 503]);
    expect(sent()).toBe(5);
  });
});

describe('a request is not sent again', () => {
  test.each<[string, Try]>([
    ['an answer', 200],
    ['404', 404],
    ['429', 429],
    ['500', 500],
    ['503 that names a time', { status: 503, headers: { 'retry-after': '60' } }],
  ])('after %s', async (_name, first) => {
    const { run, sent } = retriesOver([first]);
    await run();
    expect(sent()).toBe(1);
  });

  test.each<MillraceError>([
    new MillraceError('operation_timeout', 'Too long.'),
    new MillraceError('unexpected_redirect', 'Elsewhere.'),
    new MillraceError('service_unavailable', 'Too many.'),
    new MillraceError('connection_error', 'For good.', { retryable: false }),
  ])('after $code', async (error) => {
    const { run, sent } = retriesOver([error]);
    await expect(run()).rejects.toBe(error);
    expect(sent()).toBe(1);
  });

  test('when it took long to fail', async () => {
    const { run, sent } = retriesOver([503], 20_000, 2_001);
    expect((await run()).status).toBe(503);
    expect(sent()).toBe(1);
  });

  test('when too little time is left', async () => {
    const { run, sent } = retriesOver([503], 7_999);
    expect((await run()).status).toBe(503);
    expect(sent()).toBe(1);
  });
});
