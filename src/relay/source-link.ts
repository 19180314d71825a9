import { isItemRefusal, MillraceError } from '../contract/errors.ts';
import { isLinkRefusal, type MediaOutcome, type ReportMediaFetch, refusalOutcome } from '../contract/media-fetch.ts';
import type { Exit } from '../egress/exits.ts';
import type { LinkReplacements } from './link-replacements.ts';
import type { RelayOrder } from './relay-link.ts';

/** Maximum replacements of a link for one response. The healer has stricter limits over time. */
const MAX_REPLACEMENTS = 4;

/** What media is fetched with. */
export interface MediaSource {
  /** The exit that the link belongs to. */
  readonly exit: Exit;
  readonly replacements: LinkReplacements;
  /** Receives the outcome of each link. */
  readonly report?: ReportMediaFetch | undefined;
}

/** The link that the media of one response is fetched through. It is replaced when it no longer works. */
export interface SourceLink {
  /** The order with the present link. */
  readonly order: RelayOrder;
  /** Counts bytes that have arrived. */
  received(bytes: number): void;
  /** Reports that all requested bytes have arrived. */
  arrived(): void;
  /** Reports that the fetch has failed for another reason than a refusal. */
  failed(): void;
  /**
   * Reports that the source refused the link, and replaces the link. Returns whether there is a new one.
   *
   * @throws MillraceError as {@link LinkReplacements.replace}.
   */
  replace(status: number): Promise<boolean>;
}

/**
 * Returns the newest link of an order. A link whose source has certainly expired is replaced without a request to it.
 *
 * @throws MillraceError `token_expired`, or as {@link LinkReplacements.replace}.
 */
export async function openSourceLink(
  { exit, replacements, report }: MediaSource,
  sealed: RelayOrder,
  signal: AbortSignal,
): Promise<SourceLink> {
  let order = replacements.current(sealed);
  let bytes = 0;
  let replacementsLeft = MAX_REPLACEMENTS;

  const present = () => ({ order, bytes });

  function reportOutcome(outcome: MediaOutcome, status?: number, { order, bytes } = present()): void {
    // The many members of a playlist would outnumber all other arrivals, so only their refusals are reported.
    const origin = order.origin ?? (isLinkRefusal(status) ? order.partOf : undefined);
    if (origin === undefined) return;
    const { id, country } = exit;
    report?.({
      consumer: 'relay',
      origin,
      exit: id,
      ...(country === undefined ? {} : { country }),
      outcome,
      ...(status === undefined ? {} : { status }),
      bytes,
    });
  }

  async function useReplacement(refused: boolean): Promise<boolean> {
    if (replacementsLeft === 0) return false;
    replacementsLeft -= 1;
    const next = await replacements.replace({ sealed, failed: order, exit: exit.id, refused }, signal);
    if (next === undefined) return false;
    order = next;
    bytes = 0;
    return true;
  }

  const expiryOf = ({ origin }: RelayOrder) => origin?.representation.expiresAt;
  const hasExpired = (expiresAt = Number.POSITIVE_INFINITY) => expiresAt <= Date.now();
  if (hasExpired(expiryOf(order)) && !(await useReplacement(false))) {
    throw new MillraceError('token_expired', 'This link has expired. Request a fresh one.');
  }
  return {
    get order() {
      return order;
    },
    received(count) {
      bytes += count;
    },
    arrived() {
      // A response without a body says nothing about the media.
      if (bytes > 0) reportOutcome('arrived');
    },
    failed: () => reportOutcome('failed'),
    async replace(status) {
      const failed = present();
      const { representation } = order.origin ?? order.partOf ?? {};
      const outcome = refusalOutcome(status, { bytes, representation });
      try {
        const isReplaced = await useReplacement(outcome === 'refused' || outcome === 'cut');
        reportOutcome(outcome, status, failed);
        return isReplaced;
      } catch (error) {
        // The site also refuses the media of an item that it no longer shows. This says nothing about the profile.
        reportOutcome(isItemRefusal(error) ? 'died' : outcome, status, failed);
        throw error;
      }
    },
  };
}
