import { MillraceError } from '../contract/errors.ts';

/** The time that a caller waits in all. */
const PATIENCE_MS = 25_000;

/** A flight that has gone on for so long is joined no more: whoever comes then would wait in vain. */
const JOINABLE_MS = 10_000;

/** Work that is under way, by key: whoever wants the same joins in. */
export interface Flights<T> {
  /**
   * Waits for the work of a key, which is begun where none is under way. It goes on as long as anyone waits for it.
   *
   * @param caller Aborted when the one who waits is gone.
   * @param begin Does the work until its signal is aborted.
   * @throws MillraceError `operation_timeout` after 25 s of waiting; the caller's reason when it is gone; whatever
   *   the work throws.
   */
  join(key: string, caller: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether the work of a key is under way and can be joined. */
  has(key: string): boolean;
}

interface Flight<T> {
  readonly outcome: Promise<T>;
  readonly abandon: AbortController;
  readonly begunAt: number;
  waiting: number;
}

/** Starts without anything under way. */
export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();

  function joinable(key: string): Flight<T> | undefined {
    const flight = flights.get(key);
    return flight === undefined || performance.now() - flight.begunAt > JOINABLE_MS ? undefined : flight;
  }

  function take(key: string, begin: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const abandon = new AbortController();
    const outcome = begin(abandon.signal);
    const flight = { outcome, abandon, begunAt: performance.now(), waiting: 0 };
    flights.set(key, flight);
    const over = () => land(key, flight);
    outcome.then(over, over);
    return flight;
  }

  function land(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    async join(key, caller, begin) {
      const flight = joinable(key) ?? take(key, begin);
      flight.waiting += 1;
      try {
        return await orGiveUp(flight.outcome, caller);
      } catch (error) {
        if (flight.waiting === 1) {
          // To no effect where the work itself has failed, for then it is over.
          flight.abandon.abort(error);
          land(key, flight);
        }
        throw error;
      } finally {
        flight.waiting -= 1;
      }
    },
    has: (key) => joinable(key) !== undefined,
  };
}

/** Waits until an outcome is there, the caller is gone, or the caller's time is over. */
async function orGiveUp<T>(outcome: Promise<T>, caller: AbortSignal): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const late = () => reject(new MillraceError('operation_timeout', 'The source took too long to answer. Try again.'));
  const leave = () => reject(caller.reason);
  const timer = setTimeout(late, PATIENCE_MS);
  caller.addEventListener('abort', leave);
  if (caller.aborted) leave();
  try {
    return await Promise.race([outcome, givenUp]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', leave);
  }
}
