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
const callerDisconnected = new MillraceError('connection_error', 'The caller has disconnected.');

/** Creates work that the test settles and can inspect. */
function handWork() {
  const started: { signal: AbortSignal; settle: PromiseWithResolvers<string> }[] = [];
  return {
    started,
    start(signal: AbortSignal): Promise<string> {
      const settle = Promise.withResolvers<string>();
      started.push({ signal, settle });
      // Extractions do the same.
      signal.addEventListener('abort', () => settle.reject(signal.reason));
      return settle.promise;
    },
  };
}

const outcome = (promise: Promise<string>) => promise.catch((error: unknown) => error);

describe('concurrent callers with the same key', () => {
  test('share one run, and a caller after its end starts a new one', async () => {
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

  test('get the same failure', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const all = [outcome(flights.run('a', connected, start)), outcome(flights.run('a', connected, start))];
    const failure = new Error('it went wrong');
    started[0]?.settle.reject(failure);
    expect(await Promise.all(all)).toEqual([failure, failure]);
    expect(flights.isRunning('a')).toBe(false);
  });
});

describe('a caller that disconnects', () => {
  test('does not abort the work while another caller waits; the last caller does', async () => {
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

  test('before the work starts aborts it', async () => {
    const { started, start } = handWork();
    expect(await outcome(createSingleFlight<string>().run('a', AbortSignal.abort(callerDisconnected), start))).toBe(
      callerDisconnected,
    );
    expect(started[0]?.signal.aborted).toBe(true);
  });

  test('leaves no run that others would join, even if the work continues', async () => {
    const start = vi.fn(() => new Promise<string>(() => undefined));
    const flights = createSingleFlight<string>();
    expect(await outcome(flights.run('a', AbortSignal.abort(callerDisconnected), start))).toBe(callerDisconnected);
    expect(flights.isRunning('a')).toBe(false);
    start.mockResolvedValueOnce('fresh');
    expect(await flights.run('a', connected, start)).toBe('fresh');
  });
});

describe('the time limit', () => {
  test('ends the wait of each caller after 25 s', async () => {
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

  test('aborts the work with the timeout error when no caller is left', async () => {
    const { started, start } = handWork();
    const waiting = outcome(createSingleFlight<string>().run('a', connected, start));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await waiting).toMatchObject({ code: 'operation_timeout' });
    expect(started[0]?.signal.reason).toMatchObject({ code: 'operation_timeout' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('prevents callers from joining work that has run for over 10 s', async () => {
    const { started, start } = handWork();
    const flights = createSingleFlight<string>();
    const first = flights.run('a', connected, start);
    await vi.advanceTimersByTimeAsync(10_001);
    const second = flights.run('a', connected, start);
    expect(started).toHaveLength(2);
    started[0]?.settle.resolve('slow');
    expect(await first).toBe('slow');
    // The end of the first run must not remove the second.
    expect(flights.isRunning('a')).toBe(true);
    started[1]?.settle.resolve('new');
    expect(await second).toBe('new');
  });
});
