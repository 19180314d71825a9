import { isDeepStrictEqual } from 'node:util';
import { isItemRefusal, MillraceError } from '../contract/errors.ts';
import type { Exit } from '../egress/exits.ts';
import { linkIdOf } from './link-identity.ts';
import type { LinkReplacements } from './link-replacements.ts';
import type { LinkUses } from './link-uses.ts';
import type { MemberReplacements } from './member-replacements.ts';
import { headersOf, type RelayOrder } from './relay-link.ts';

/** Maximum replacements of a link for one response. The healer has stricter limits over time. */
const MAX_REPLACEMENTS = 4;

/** What media is fetched with. */
export interface MediaSource {
  /** The exit that the link belongs to. */
  readonly exit: Exit;
  readonly links: LinkReplacements;
  readonly members: MemberReplacements;
  readonly uses: LinkUses;
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
  source: MediaSource,
  sealed: RelayOrder,
  signal: AbortSignal,
): Promise<SourceLink> {
  const { exit, uses } = source;
  const link = linkIdOf(sealed);
  let order = newestOrder(source, sealed);
  let use = uses.open(order, link, exit);
  let replacementsLeft = MAX_REPLACEMENTS;
  /** Whether the sealed link was not tried, because it was replaced for an earlier response. */
  let isSealedLeft = order !== sealed;

  function change(next: RelayOrder): boolean {
    order = next;
    use = uses.open(order, link, exit);
    return true;
  }

  async function useReplacement(refused: boolean): Promise<boolean> {
    if (replacementsLeft === 0) return false;
    replacementsLeft -= 1;
    const next = await findReplacement(source, { sealed, failed: order, refused }, signal);
    return next !== undefined && !isSameRequest(next, order) && change(next);
  }

  /** The replacement of a playlist may lack a segment that the sealed link still has. */
  function useSealed(): boolean {
    if (!isSealedLeft) return false;
    isSealedLeft = false;
    return change(sealed);
  }

  const expiresAt = order.origin?.representation.expiresAt ?? Number.POSITIVE_INFINITY;
  if (expiresAt <= Date.now() && !(await useReplacement(false))) {
    throw new MillraceError('token_expired', 'This link has expired. Request a fresh one.');
  }
  return {
    get order() {
      return order;
    },
    received: (bytes) => use.received(bytes),
    arrived: () => use.arrived(),
    failed: () => use.failed(use.failure()),
    async replace(status) {
      if (hasLeftWindow(order, status)) return false;
      const failedUse = use;
      const failure = failedUse.failure(status);
      try {
        const isReplaced = await useReplacement(failure.outcome === 'refused' || failure.outcome === 'cut');
        failedUse.failed(failure);
        return isReplaced || useSealed();
      } catch (error) {
        // The site also refuses the media of an item that it no longer shows. This says nothing about the profile.
        failedUse.failed(isItemRefusal(error) ? { ...failure, outcome: 'died' } : failure);
        throw error;
      }
    },
  };
}

/** Whether a segment of a live playlist is probably too old. */
function hasLeftWindow({ place }: RelayOrder, status: number): boolean {
  return place?.isLive === true && (status === 404 || status === 410);
}

function isSameRequest(order: RelayOrder, other: RelayOrder): boolean {
  return order.url === other.url && isDeepStrictEqual(headersOf(order), headersOf(other));
}

function newestOrder({ links, members }: MediaSource, sealed: RelayOrder): RelayOrder {
  const { origin, place } = sealed;
  if (place !== undefined) return members.newest(sealed, place);
  return (origin && links.newest(linkIdOf(sealed))) ?? sealed;
}

/** An order whose link no longer works. */
interface FailedOrder {
  /** The order as it was sealed. */
  readonly sealed: RelayOrder;
  /** The order with the link that failed: the sealed one, or a replacement of it. */
  readonly failed: RelayOrder;
  readonly refused: boolean;
}

async function findReplacement(
  { exit, links, members, uses }: MediaSource,
  { sealed, failed, refused }: FailedOrder,
  signal: AbortSignal,
): Promise<RelayOrder | undefined> {
  const { place } = failed;
  if (place !== undefined) {
    const onRefused = (playlist: RelayOrder, status: number) => {
      const use = uses.open(playlist, place.link, exit);
      use.failed(use.failure(status));
    };
    return members.replace({ order: failed, place, refused, exit }, onRefused, signal);
  }
  const { url: _url, headers: _headers, bound: _bound, origin, ...order } = sealed;
  if (origin === undefined) return undefined;
  const { origin: { profile } = origin, replacedAt: version = 0 } = failed;
  return links.replace({ id: linkIdOf(sealed), origin, order }, { version, profile, exit: exit.id, refused }, signal);
}
