import { LRUCache } from 'lru-cache';
import { MillraceError } from '../contract/errors.ts';
import { playlistType } from '../contract/inert-media-types.ts';
import type { Egress } from '../egress/egress.ts';
import { createInFlight } from '../waiting/in-flight.ts';
import { type FailedSource, isNewer, type LinkReplacements, type ReplaceableLink } from './link-replacements.ts';
import { type MemberPlace, playlistIdOf } from './member-place.ts';
import { fetchListing, type PlaylistListing, PlaylistRefused } from './playlist-listing.ts';
import { memberOrders } from './playlist-members.ts';
import type { RelayOrder } from './relay-link.ts';

/** Timeout for a new playlist. The request continues if the caller disconnects, because others may wait for it. */
const TIMEOUT_MS = 30_000;
/** Memory for the playlists that replaced members are listed in. */
const MAX_LISTING_BYTES = 32 * 1024 * 1024;
/** Memory that a link takes besides its characters. */
const BYTES_PER_LINK = 100;
/** Maximum playlists that are tried for one replacement. The healer has stricter limits over time. */
const MAX_PLAYLISTS = 4;

/** A playlist member whose source refused it. */
export interface FailedMember {
  readonly order: RelayOrder;
  readonly place: MemberPlace;
  /** Whether the site refused it before its expiry, so that another client profile should be tried. */
  readonly refused: boolean;
  readonly exit: Egress & { readonly id: string };
}

/** The replacements of playlist members: the members at the same place of a playlist that was replaced. */
export interface MemberReplacements {
  /** Returns the newest known order of a member. */
  newest(order: RelayOrder, place: MemberPlace): RelayOrder;
  /**
   * Returns the order of a member whose playlist has a newer link than the failed one; undefined if no such playlist was
   * found, or it lists other media.
   *
   * @param onRefused Receives a playlist that was just found and is refused as well.
   * @throws MillraceError if the platform no longer offers the item; the signal's reason.
   */
  replace(
    member: FailedMember,
    onRefused: (playlist: RelayOrder, status: number) => void,
    signal: AbortSignal,
  ): Promise<RelayOrder | undefined>;
}

/** Replaces members by replacing their playlists. */
export function createMemberReplacements(links: LinkReplacements): MemberReplacements {
  const listings = new LRUCache<string, PlaylistListing>({
    maxSize: MAX_LISTING_BYTES,
    sizeCalculation: ({ links }) => links.reduce((sum, { url }) => sum + url.length + BYTES_PER_LINK, 1),
  });
  const joinRequest = createInFlight<PlaylistListing>();

  async function request(id: string, playlist: RelayOrder, exit: Egress): Promise<PlaylistListing> {
    const listing = await fetchListing(exit, playlist, AbortSignal.timeout(TIMEOUT_MS));
    listings.set(id, listing);
    return listing;
  }

  /** Follows the path of a place from a playlist on, until a playlist whose listing is unknown. */
  function follow(root: RelayOrder, { link, path }: MemberPlace): { member?: RelayOrder; unlisted?: UnlistedPlaylist } {
    const { replacedAt: version = 0 } = root;
    let order = root;
    for (const [depth, { index, digest }] of path.entries()) {
      const id = playlistIdOf({ link, version, path: path.slice(0, depth) });
      const listing = listings.get(id);
      if (listing === undefined) return { unlisted: { id, order } };
      const listed = listing.digest === digest ? listing.links[index] : undefined;
      if (listed === undefined) return {};
      order = memberOrders(order, link, listing)(index, listed);
    }
    return { member: order };
  }

  async function locate(root: RelayOrder, place: MemberPlace, exit: Egress, signal: AbortSignal) {
    for (let requestsLeft = place.path.length; requestsLeft > 0; requestsLeft -= 1) {
      const { member, unlisted } = follow(root, place);
      if (unlisted === undefined) return member;
      const { id, order } = unlisted;
      await joinRequest(id, () => request(id, order, exit), signal);
    }
    return follow(root, place).member;
  }

  return {
    newest(order, place) {
      const playlist = links.newest(place.link);
      const isReplaced = playlist !== undefined && isNewer(playlist, place.version);
      return (isReplaced ? follow(playlist, place).member : undefined) ?? order;
    },
    async replace({ order, place, refused, exit }, onRefused, signal) {
      const link = playlistLinkOf(order, place);
      let failed: FailedSource = { version: place.version, profile: place.origin.profile, exit: exit.id, refused };
      for (let playlistsLeft = MAX_PLAYLISTS; playlistsLeft > 0; playlistsLeft -= 1) {
        const playlist = await links.replace(link, failed, signal);
        if (playlist === undefined) return undefined;
        try {
          return await locate(playlist, place, exit, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof PlaylistRefused)) return withoutMember(error);
          onRefused(playlist, error.status);
          const { origin, replacedAt: version = 0 } = playlist;
          failed = { ...failed, version, profile: origin?.profile, refused: true };
        }
      }
      return undefined;
    },
  };
}

/** A playlist whose listing is unknown, and the ID of its version. */
interface UnlistedPlaylist {
  readonly id: string;
  readonly order: RelayOrder;
}

/**
 * Returns no member if a playlist could not be read. The refusal of the member then says more than this error.
 *
 * @throws An error that is not about the source.
 */
function withoutMember(error: unknown): undefined {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  if (!(error instanceof MillraceError || isTimeout)) throw error;
}

/** Returns the link of the playlist that a member was listed in, or of the master playlist above. */
function playlistLinkOf(member: RelayOrder, { link: id, origin }: MemberPlace): ReplaceableLink {
  const { url: _url, headers: _headers, bound: _bound, place: _place, ...order } = member;
  return { id, origin, order: { ...order, mediaType: playlistType } };
}
