import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Keys } from '../accounts/keys.ts';
import { accountOf } from '../accounts/owner.ts';
import { MillraceError, toMillraceError } from '../contract/errors.ts';
import { itemKeyOf } from '../contract/media-origin.ts';
import type { sleep } from '../waiting/sleep.ts';
import { untilAborted } from '../waiting/until-aborted.ts';
import type { FindFreshLinks, FreshLinks } from './fresh-links.ts';
import type { HealRequest, LinkHealer } from './link-healer.ts';
import type { LinkHealingMetrics, ReplacementResult } from './metrics-port.ts';
import { outlastOutage } from './outlast-outage.ts';
import type { CountedRequest, ReplacementCounts } from './replacement-counts.ts';

/** Time limit of a replacement: an extraction that takes its whole 25 s, and a short second one. */
const TIMEOUT_MS = 35_000;

/** Dependencies of {@link createLinkHealer}. */
interface LinkHealerServices {
  readonly findFreshLinks: FindFreshLinks;
  readonly counts: ReplacementCounts;
  readonly keys: Pick<Keys, 'findAccount'>;
  readonly metrics: LinkHealingMetrics;
  readonly log: Logger;
  /** Waits while the database is unavailable; replaced in tests. */
  readonly wait?: typeof sleep;
}

/** New links, or why no link may be replaced. */
type Replacement = FreshLinks | Extract<ReplacementResult, 'too_many' | 'owner_ended'>;

/** Creates a link healer, whose requests for new links are counted and not charged. */
export function createLinkHealer(services: LinkHealerServices): LinkHealer {
  const { findFreshLinks, counts, keys, metrics, log, wait } = services;

  async function replace(request: HealRequest, signal: AbortSignal): Promise<Replacement> {
    const account = await outlastOutage(() => keys.findAccount(accountOf(request.owner)), signal, wait);
    if (account === undefined || account.endReason !== undefined) return 'owner_ended';
    const { subject, input: index, start } = request;
    const counted = { subject, item: hash('sha256', itemKeyOf(request.item), 'base64url') };
    const first = start === undefined ? counted : { ...counted, input: { start, index } };
    if (!(await outlastOutage(() => counts.take(first), signal, wait))) return 'too_many';
    signal.throwIfAborted();
    return await complete(await findFreshLinks(request, signal), request, counted, signal);
  }

  /**
   * Asks the client profile that returned the former links if another one responded and lacks a representation. Returns
   * the links of the profile that has more of them, because the links of one job must come from one profile.
   */
  async function complete(
    links: FreshLinks,
    request: HealRequest,
    counted: CountedRequest,
    signal: AbortSignal,
  ): Promise<FreshLinks> {
    const { profile } = links;
    const formerProfile = request.item.profile;
    if (isComplete(links) || formerProfile === undefined || formerProfile === profile) return links;
    if (!(await outlastOutage(() => counts.take(counted), signal, wait))) return links;
    signal.throwIfAborted();
    try {
      const others = await findFreshLinks({ ...request, onlyProfile: formerProfile }, signal);
      return numberOf(others) > numberOf(links) ? others : links;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof MillraceError)) throw error;
      log.info({ err: error, ...factsOf(request), profile }, 'the client profile of the former links returned none');
      return links;
    }
  }

  return {
    async heal(request, caller) {
      const { platform } = request.item;
      const facts = factsOf(request);
      try {
        const replacement = await withTimeLimit(caller, (signal) => replace(request, signal));
        if (typeof replacement === 'string') {
          metrics.replacementRequested(platform, replacement);
          log.info({ ...facts, reason: replacement }, 'links were not replaced');
          return undefined;
        }
        metrics.replacementRequested(platform, isComplete(replacement) ? 'replaced' : 'missing');
        log.info({ ...facts, profile: replacement.profile, found: numberOf(replacement) }, 'links replaced');
        return replacement;
      } catch (error) {
        const { code } = toMillraceError(error);
        metrics.replacementRequested(platform, caller.aborted ? 'cancelled' : code);
        if (!caller.aborted) log.warn({ err: error, code, ...facts }, 'links could not be replaced');
        throw error;
      }
    },
  };
}

function isComplete({ links }: FreshLinks): boolean {
  return links.every((link) => link !== undefined);
}

function numberOf({ links }: FreshLinks): number {
  return links.filter((link) => link !== undefined).length;
}

/** Returns what the log may state about a request. It contains no URL and no parameter of the caller. */
function factsOf(request: HealRequest) {
  const { subject, input, start, requestId, item, exit, failedProfiles, representations } = request;
  const { platform, endpoint, profile: formerProfile } = item;
  // Only jobs have a start.
  const thread = start === undefined ? { subject } : { job: subject, requestId };
  return {
    ...thread,
    input,
    platform,
    endpoint,
    exit,
    formerProfile,
    failedProfiles,
    requested: representations.length,
  };
}

/**
 * Runs work within {@link TIMEOUT_MS}.
 *
 * @throws MillraceError `operation_timeout`; the reason of `caller`; the error of the work.
 */
async function withTimeLimit<T>(caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const onTimeout = () =>
    limit.abort(new MillraceError('operation_timeout', 'The platform took too long to return a new link. Try again.'));
  const timer = setTimeout(onTimeout, TIMEOUT_MS);
  const signal = AbortSignal.any([caller, limit.signal]);
  try {
    return await untilAborted(work(signal), signal);
  } finally {
    clearTimeout(timer);
  }
}
