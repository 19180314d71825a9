import { MillraceError } from '../../contract/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import { tierLimit } from '../../http/connections/client-network.ts';

/** Limits on the jobs of one visitor of the page. */
export interface VisitorLimits {
  /** Maximum unfinished jobs. */
  readonly atOnce: number;
  /** Maximum jobs started within {@link countedMs}. */
  readonly perDay: number;
  /** Maximum bytes of the files of these jobs. */
  readonly storedSize: number;
}

/** A visitor of the page who starts a job. */
export interface Visitor {
  /** Its job starts count for each of its networks (`networksOfVisitor`). */
  readonly id: string;
  /** The limits of its smallest network. */
  readonly limits: VisitorLimits;
}

/** How often a failed job may be restarted before a restart counts as a start. */
export const maxFreeRestarts = 3;

/** Time for which starts are counted, in milliseconds. No job lasts longer. */
export const countedMs = 86_400_000;

/** The jobs of a network that affect a start. */
export interface VisitorLoad {
  /** Number of other unfinished jobs. */
  readonly unfinished: number;
  /** Milliseconds until another job may be started; 0 if the limit per day is not reached. */
  readonly wait: number;
  /** Bytes of the files of the counted jobs, and milliseconds until the first of them expires. */
  readonly storedSize: number;
  readonly expiry: number;
}

/**
 * Reads limits such as `3/50`.
 *
 * @throws Error with the expected format.
 */
export function readVisitorLimits(text: string): Pick<VisitorLimits, 'atOnce' | 'perDay'> {
  const [, atOnce, perDay] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const limits = { atOnce: Number(atOnce), perDay: Number(perDay) };
  if (limits.atOnce > 0 && limits.perDay > 0) return limits;
  throw new Error('must be jobs at once and jobs a day, such as 3/50');
}

/** Returns the limits of one of the networks of a visitor, which are higher for wider ones. */
export function limitsOfTier({ atOnce, perDay, storedSize }: VisitorLimits, tier: number): VisitorLimits {
  return {
    atOnce: tierLimit(atOnce, tier),
    perDay: tierLimit(perDay, tier),
    storedSize: tierLimit(storedSize, tier),
  };
}

/**
 * Checks whether a visitor may start a job.
 *
 * @param load The jobs of one of the visitor's networks.
 * @param limits The limits of the visitor.
 * @param tier Index of the network, from the smallest one.
 * @throws MillraceError `rate_limited`
 */
export function checkVisitorLimits(load: VisitorLoad, limits: VisitorLimits, tier: number): void {
  const { unfinished, wait, expiry } = load;
  const { atOnce, perDay, storedSize } = limitsOfTier(limits, tier);
  const [starter, kind] = tier === 0 ? ['You have', 'visitor'] : ['Your network has', 'network'];
  if (wait > 0) {
    const message =
      `${starter} started ${perDay} jobs within a day, the limit for a ${kind} of this service. ` +
      `Try again in ${Math.ceil(wait / 60_000)} min.`;
    throw new MillraceError('rate_limited', message, { retryAfter: Math.ceil(wait / 1_000) });
  }
  if (load.storedSize >= storedSize) {
    const message =
      `${tier === 0 ? 'You have' : 'Your network has'} ${sizeText(load.storedSize)} of files on this service, and the limit for a ${kind} is ${sizeText(storedSize)}. ` +
      `Start this job in ${Math.ceil(expiry / 60_000)} min, when the first file expires.`;
    throw new MillraceError('rate_limited', message, { retryAfter: Math.max(1, Math.ceil(expiry / 1_000)) });
  }
  if (unfinished >= atOnce) {
    const message =
      `${starter} ${atOnce} unfinished jobs, the limit for a ${kind} of this service. ` +
      'Start this job when another one is done.';
    throw new MillraceError('rate_limited', message);
  }
}
