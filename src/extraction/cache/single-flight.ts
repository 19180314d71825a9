import { MillraceError } from '../../contract/errors.ts';
import { startTimeLimit } from '../../waiting/time-limit.ts';

/** Total time that each caller waits. Time in which the service could not run does not count. */
const TIMEOUT_MS = 25_000;

/** Work that has run for longer than this is no longer joined, because the new caller would probably wait in vain. */
const JOINABLE_MS = 10_000;

/** Runs work once per key: concurrent callers with the same key share it. */
interface SingleFlight<T> {
  /**
   * Waits for the work of a key, and starts it if it is not running. The work is aborted when its last caller
   * disconnects.
   *
   * @param disconnected Aborted when this caller disconnects.
   * @param start Does the work until its signal is aborted.
   * @throws MillraceError `operation_timeout` after 25 s of waiting; the reason of `disconnected`; any error of the
   * work.
   */
  run(key: string, disconnected: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether the work of a key is running and can be joined. */
  isRunning(key: string): boolean;
}

interface Flight<T> {
  readonly outcome: Promise<T>;
  readonly controller: AbortController;
  readonly startedAt: number;
  callers: number;
}

/** Creates a group in which nothing is running. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function findJoinable(key: string): Flight<T> | undefined {
    const flight = flights.get(key);
    return flight === undefined || performance.now() - flight.startedAt > JOINABLE_MS ? undefined : flight;
  }

  function begin(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const outcome = start(controller.signal);
    const flight = { outcome, controller, startedAt: performance.now(), callers: 0 };
    flights.set(key, flight);
    const onEnd = () => remove(key, flight);
    outcome.then(onEnd, onEnd);
    return flight;
  }

  function remove(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    async run(key, disconnected, start) {
      const flight = findJoinable(key) ?? begin(key, start);
      flight.callers += 1;
      try {
        return await withTimeout(flight.outcome, disconnected);
      } catch (error) {
        if (flight.callers === 1) {
          // This has no effect if the work itself has failed, because it has already ended.
          flight.controller.abort(error);
          remove(key, flight);
        }
        throw error;
      } finally {
        flight.callers -= 1;
      }
    },
    isRunning: (key) => findJoinable(key) !== undefined,
  };
}

/** Waits for an outcome until the caller disconnects or its time is up. */
async function withTimeout<T>(outcome: Promise<T>, disconnected: AbortSignal): Promise<T> {
  const { promise: interruption, reject } = Promise.withResolvers<never>();
  const onTimeout = () =>
    reject(new MillraceError('operation_timeout', 'The source took too long to respond. Try again.'));
  const onDisconnect = () => reject(disconnected.reason);
  const limit = startTimeLimit(TIMEOUT_MS);
  limit.signal.addEventListener('abort', onTimeout);
  disconnected.addEventListener('abort', onDisconnect);
  if (disconnected.aborted) onDisconnect();
  try {
    return await Promise.race([outcome, interruption]);
  } finally {
    limit.end();
    disconnected.removeEventListener('abort', onDisconnect);
  }
}
