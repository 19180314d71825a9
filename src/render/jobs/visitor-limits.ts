import { MillraceError } from '../../contract/errors.ts';

/** Limits on the jobs of one visitor of the page. */
export interface VisitorLimits {
  /** Maximum unfinished jobs. */
  readonly atOnce: number;
  /** Maximum jobs started within {@link countedMs}. */
  readonly perDay: number;
}

/** A visitor of the page who starts a job. */
export interface Visitor {
  /** Pseudonym of the visitor. */
  readonly id: string;
  readonly limits: VisitorLimits;
}

/** Time for which starts are counted, in milliseconds. No job lasts longer. */
export const countedMs = 86_400_000;

/** The jobs of a visitor that affect a start. */
export interface VisitorLoad {
  /** Number of other unfinished jobs. */
  readonly unfinished: number;
  /** Milliseconds until the visitor may start another job; 0 if the limit per day is not reached. */
  readonly wait: number;
}

/**
 * Reads limits such as `3/50`.
 *
 * @throws Error with the expected format.
 */
export function readVisitorLimits(text: string): VisitorLimits {
  const [, atOnce, perDay] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const limits = { atOnce: Number(atOnce), perDay: Number(perDay) };
  if (limits.atOnce > 0 && limits.perDay > 0) return limits;
  throw new Error('must be jobs at once and jobs a day, such as 3/50');
}

/**
 * Checks whether a visitor may start a job.
 *
 * @throws MillraceError `rate_limited`
 */
export function checkVisitorLimits({ unfinished, wait }: VisitorLoad, { atOnce, perDay }: VisitorLimits): void {
  if (wait > 0) {
    const message =
      `You have started ${perDay} jobs within a day, the limit for a visitor of this service. ` +
      `Try again in ${Math.ceil(wait / 60_000)} min.`;
    throw new MillraceError('rate_limited', message, { retryAfter: Math.ceil(wait / 1_000) });
  }
  if (unfinished >= atOnce) {
    const message = `You have ${atOnce} unfinished jobs, the limit for a visitor of this service. Start this job when another one is done.`;
    throw new MillraceError('rate_limited', message);
  }
}
