import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { createSingleFlight } from './single-flight.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const connected = new AbortController().signal;
const callerDisconnected = new MillraceError('connection_error', 'The caller has left.');

/** Work that is settled by hand, and can be looked at. */
function handWork() {
  const started: { signal: AbortSignal; settle: PromiseWithResolvers<string> }[] = [];
  return {
    started,
    start(signal: AbortSignal): Promise<string> {
      const settle = Promise.withResolvers<string>();
      started.push({ signal, settle });
      // As extractions do.
      signal.addEventListener('abort', () => settle.reject(signal.reason));
      return settle.promise;
    },
  };
}

const outcome = (promise: Promise<string>) => promise.catch((error: unknown) => error);

describe('who wants the same', () => {
  test('joins in, and begins anew when it is over', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const all = Array.from({ length: 100 }, () => flights.run('a', connected, start));
    const other = flights.run('b', connected, start);
    expect(started).toHaveLength(2);
    expect([flights.isRunning('a'), flights.isRunning('b'), flights.isRunning('c')]).toEqual([true, true, false]);
    started[0]?.settle.resolve('first');
    expect(new Set(await Promise.all(all))).toEqual(new Set(['first']));
    expect(flights.isRunning('a')).toBe(false);
    const again = flights.run('a', connected, start);
    expect(started).toHaveLength(3);
    started[1]?.settle.resolve('b');
    started[2]?.settle.resolve('second');
    expect([await other, await again]).toEqual(['b', 'second']);
  });

  test('fails with it', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const all = [outcome(flights.run('a', connected, start)), outcome(flights.run('a', connected, start))];
    const failure = new Error('it went wrong');
    started[0]?.settle.reject(failure);
    expect(await Promise.all(all)).toEqual([failure, failure]);
    expect(flights.isRunning('a')).toBe(false);
  });
});

describe('who leaves', () => {
  test('does not end it while another waits; the last one does', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const callers = [new AbortController(), new AbortController(), new AbortController()];
    const all = callers.map(({ signal }) => outcome(flights.run('a', signal, start)));
    callers[0]?.abort(callerDisconnected);
    callers[2]?.abort(callerDisconnected);
    expect([await all[0], await all[2]]).toEqual([callerDisconnected, callerDisconnected]);
    expect(started[0]?.signal.aborted).toBe(false);
    callers[1]?.abort(callerDisconnected);
    expect(await all[1]).toBe(callerDisconnected);
    expect(started[0]?.signal.reason).toBe(callerDisconnected);
  });

  test('was gone before it began', async () => {
    const { started, start } = handWork();
    expect(await outcome(createSingleFlight<string>().run('a', AbortSignal.abort(callerDisconnected), start))).toBe(
      callerDisconnected,
    );
    expect(started[0]?.signal.aborted).toBe(true);
  });

  test('leaves nothing behind that others would join, even where the work goes on', async () => {
    const start = vi.fn(() => new Promise<string>(() => undefined));
    const flights = createSingleFlight<string>();
    expect(await outcome(flights.run('a', AbortSignal.abort(callerDisconnected), start))).toBe(callerDisconnected);
    expect(flights.isRunning('a')).toBe(false);
    start.mockResolvedValueOnce('fresh');
    expect(await flights.run('a', connected, start)).toBe('fresh');
  });
});

describe('time', () => {
  test('ends it for each after 25 s of waiting', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const first = outcome(flights.run('a', connected, start));
    await vi.advanceTimersByTimeAsync(9_000);
    const late = outcome(flights.run('a', connected, start));
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await first).toMatchObject({ code: 'operation_timeout' });
    expect(started[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(8_000);
    started[0]?.settle.resolve('after 33 s');
    expect(await late).toBe('after 33 s');
    expect(started).toHaveLength(1);
  });

  test('aborts it with the timeout when nobody waits any more', async () => {
    const { started, start } = handWork();
    const waiting = outcome(createSingleFlight<string>().run('a', connected, start));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await waiting).toMatchObject({ code: 'operation_timeout' });
    expect(started[0]?.signal.reason).toMatchObject({ code: 'operation_timeout' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('lets nobody join what has been under way for over 10 s', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const first = flights.run('a', connected, start);
    await vi.advanceTimersByTimeAsync(10_001);
    const second = flights.run('a', connected, start);
    expect(started).toHaveLength(2);
    started[0]?.settle.resolve('slow');
    expect(await first).toBe('slow');
    // The end of the first does not take the second away.
    expect(flights.isRunning('a')).toBe(true);
    started[1]?.settle.resolve('new');
    expect(await second).toBe('new');
  });
});
