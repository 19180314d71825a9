import { MillraceError } from '../../contract/errors.ts';

/** The failure of a job that took longer than its starter may use a worker. It is no fault of the service. */
export class JobTimeExceeded extends MillraceError {
  /** @param limitMs - milliseconds. */
  constructor(limitMs: number) {
    const limit = limitMs < 120_000 ? `${limitMs / 1_000} seconds` : `${Math.round(limitMs / 60_000)} minutes`;
    const message = `The job took longer than ${limit}, the limit for a visitor of this service. Choose a lower quality or a shorter part.`;
    super('processing_timeout', message);
  }
}

/**
 * Does the work of a job within a time limit, if it has one. The work must end when its signal is aborted.
 *
 * @param limitMs - milliseconds.
 * @throws JobTimeExceeded when the time is up; the error of the work.
 */
export async function withinJobTime<T>(
  limitMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (limitMs === undefined) return await work(signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new JobTimeExceeded(limitMs)), limitMs);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    throw late.signal.aborted && !signal.aborted ? late.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
