import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { createFlights } from './flights.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const stays = new AbortController().signal;
const left = new MillraceError('connection_error', 'The caller has left.');

/** Work that is settled by hand, and can be looked at. */
function handWork() {
  const begun: { signal: AbortSignal; settle: PromiseWithResolvers<string> }[] = [];
  return {
    begun,
    begin(signal: AbortSignal): Promise<string> {
      const settle = Promise.withResolvers<string>();
      begun.push({ signal, settle });
      // As extractions do.
      signal.addEventListener('abort', () => settle.reject(signal.reason));
      return settle.promise;
    },
  };
}

const outcome = (promise: Promise<string>) => promise.catch((error: unknown) => error);

describe('who wants the same', () => {
  test('joins in, and begins anew when it is over', async () => {
    const { begun, begin } = handWork();
    const flights = createFlights<string>();
    const all = Array.from({ length: 100 }, () => flights.join('a', stays, begin));
    const other = flights.join('b', stays, begin);
    expect(begun).toHaveLength(2);
    expect([flights.has('a'), flights.has('b'), flights.has('c')]).toEqual([true, true, false]);
    begun[0]?.settle.resolve('first');
    expect(new Set(await Promise.all(all))).toEqual(new Set(['first']));
    expect(flights.has('a')).toBe(false);
    const again = flights.join('a', stays, begin);
    expect(begun).toHaveLength(3);
    begun[1]?.settle.resolve('b');
    begun[2]?.settle.resolve('second');
    expect([await other, await again]).toEqual(['b', 'second']);
  });

  test('fails with it', async () => {
    const { begun, begin } = handWork();
    const flights = createFlights<string>();
    const all = [outcome(flights.join('a', stays, begin)), outcome(flights.join('a', stays, begin))];
    const failure = new Error('it went wrong');
    begun[0]?.settle.reject(failure);
    expect(await Promise.all(all)).toEqual([failure, failure]);
    expect(flights.has('a')).toBe(false);
  });
});

describe('who leaves', () => {
  test('does not end it while another waits; the last one does', async () => {
    const { begun, begin } = handWork();
    const flights = createFlights<string>();
    const callers = [new AbortController(), new AbortController(), new AbortController()];
    const all = callers.map(({ signal }) => outcome(flights.join('a', signal, begin)));
    callers[0]?.abort(left);
    callers[2]?.abort(left);
    expect([await all[0], await all[2]]).toEqual([left, left]);
    expect(begun[0]?.signal.aborted).toBe(false);
    callers[1]?.abort(left);
    expect(await all[1]).toBe(left);
    expect(begun[0]?.signal.reason).toBe(left);
  });

  test('was gone before it began', async () => {
    const { begun, begin } = handWork();
    expect(await outcome(createFlights<string>().join('a', AbortSignal.abort(left), begin))).toBe(left);
    expect(begun[0]?.signal.aborted).toBe(true);
  });

  test('leaves nothing behind that others would join, even where the work goes on', async () => {
    const begin = vi.fn(() => new Promise<string>(() => undefined));
    const flights = createFlights<string>();
    expect(await outcome(flights.join('a', AbortSignal.abort(left), begin))).toBe(left);
    expect(flights.has('a')).toBe(false);
    begin.mockResolvedValueOnce('fresh');
    expect(await flights.join('a', stays, begin)).toBe('fresh');
  });
});

describe('time', () => {
  test('ends it for each after 25 s of waiting', async () => {
    const { begun, begin } = handWork();
    const flights = createFlights<string>();
    const first = outcome(flights.join('a', stays, begin));
    await vi.advanceTimersByTimeAsync(9_000);
    const late = outcome(flights.join('a', stays, begin));
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await first).toMatchObject({ code: 'operation_timeout' });
    expect(begun[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(8_000);
    begun[0]?.settle.resolve('after 33 s');
    expect(await late).toBe('after 33 s');
    expect(begun).toHaveLength(1);
  });

  test('aborts it with the timeout when nobody waits any more', async () => {
    const { begun, begin } = handWork();
    const waiting = outcome(createFlights<string>().join('a', stays, begin));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await waiting).toMatchObject({ code: 'operation_timeout' });
    expect(begun[0]?.signal.reason).toMatchObject({ code: 'operation_timeout' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('lets nobody join what has been under way for over 10 s', async () => {
    const { begun, begin } = handWork();
    const flights = createFlights<string>();
    const first = flights.join('a', stays, begin);
    await vi.advanceTimersByTimeAsync(10_001);
    const second = flights.join('a', stays, begin);
    expect(begun).toHaveLength(2);
    begun[0]?.settle.resolve('slow');
    expect(await first).toBe('slow');
    // The end of the first does not take the second away.
    expect(flights.has('a')).toBe(true);
    begun[1]?.settle.resolve('new');
    expect(await second).toBe('new');
  });
});
