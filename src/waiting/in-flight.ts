import { untilAborted } from './until-aborted.ts';

/**
 * Joins the work that is running for a key, or else starts it. The work has its own time limit: it continues when a
 * caller leaves.
 *
 * @throws The error of the work; the signal's reason.
 */
export type JoinInFlight<Result> = (key: string, start: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Creates an empty table of work that is in flight. */
export function createInFlight<Result>(): JoinInFlight<Result> {
  const running = new Map<string, Promise<Result>>();
  return (key, start, signal) => {
    const known = running.get(key);
    if (known !== undefined) return untilAborted(known, signal);
    const started = start().finally(() => running.delete(key));
    running.set(key, started);
    return untilAborted(started, signal);
  };
}
