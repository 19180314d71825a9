import { LRUCache } from 'lru-cache';
import { callerOf } from '../accounts/owner.ts';
import {
  isLinkRefusal,
  type MediaOutcome,
  maxCutBytes,
  type ReportMediaFetch,
  refusalOutcome,
} from '../contract/media-fetch.ts';
import { isPlaylistType } from '../contract/media-types.ts';
import type { Exit } from '../egress/exits.ts';
import { playlistIdOf } from './member-place.ts';
import type { RelayOrder } from './relay-link.ts';

/** Versions of playlists whose use is remembered. */
const MAX_PLAYLISTS = 1_000;

/** How a fetch failed, and the bytes that had arrived by then. */
export interface MediaFailure {
  readonly outcome: MediaOutcome;
  readonly status?: number;
  readonly bytes: number;
}

/** The use of a source link, whose outcome is reported. All members of a playlist share one use, which arrives once. */
export interface LinkUse {
  /** Counts bytes that have arrived. */
  received(bytes: number): void;
  /** Reports that all requested bytes have arrived. */
  arrived(): void;
  /** Returns what a failure means. `status` is that of a refusal. */
  failure(status?: number): MediaFailure;
  /** Reports a failure. */
  failed(failure: MediaFailure): void;
}

/** The uses of source links. */
export interface LinkUses {
  /** @param link ID of the relay link, which its replacements share. Not used for members, whose place has it. */
  open(order: RelayOrder, link: string, exit: Exit): LinkUse;
}

/** What a source link was used for. */
interface Usage {
  bytes: number;
  /** Members that arrived. */
  members: number;
  /** What was reported. A failure of the network must not hide a refusal. */
  readonly reported: Set<'arrival' | 'refusal' | 'failure'>;
}

/** Creates the uses of source links, whose outcomes go to `report`. */
export function createLinkUses(report: ReportMediaFetch | undefined): LinkUses {
  const playlists = new LRUCache<string, Usage>({ max: MAX_PLAYLISTS });

  function usageOf(order: RelayOrder, link: string): Usage {
    const id = sharedIdOf(order, link);
    const usage = (id && playlists.get(id)) || { bytes: 0, members: 0, reported: new Set() };
    if (id !== undefined) playlists.set(id, usage);
    return usage;
  }

  return {
    open(order, link, exit) {
      const usage = usageOf(order, link);
      const { place } = order;
      const origin = order.origin ?? place?.origin;

      function reportOutcome({ outcome, status, bytes }: MediaFailure): void {
        if (origin === undefined) return;
        const { id, country } = exit;
        report?.({
          consumer: 'relay',
          caller: callerOf(order.owner),
          origin,
          exit: id,
          ...(country === undefined ? {} : { country }),
          outcome,
          ...(status === undefined ? {} : { status }),
          bytes,
        });
      }

      /** Whether a playlist has all its members, or more than a link without a token returns. */
      const isWhole = () =>
        place === undefined ||
        usage.members === place.count ||
        usage.bytes > maxCutBytes(origin?.representation.bitrate);

      return {
        received(bytes) {
          usage.bytes += bytes;
        },
        arrived() {
          usage.members += 1;
          // A response without a body says nothing about the media.
          if (usage.bytes === 0 || usage.reported.has('arrival') || !isWhole()) return;
          usage.reported.add('arrival');
          reportOutcome({ outcome: 'arrived', bytes: usage.bytes });
        },
        failure(status) {
          const { bytes } = usage;
          const outcome = refusalOutcome(status, { bytes, representation: origin?.representation });
          return isLinkRefusal(status) ? { outcome, status, bytes } : { outcome, bytes };
        },
        failed(failure) {
          const kind = failure.outcome === 'failed' ? 'failure' : 'refusal';
          if (usage.reported.has(kind)) return;
          usage.reported.add(kind);
          reportOutcome(failure);
        },
      };
    },
  };
}

/** Returns the ID of the playlist whose use an order shares; undefined if it is a file. */
function sharedIdOf({ place, mediaType, replacedAt: version = 0 }: RelayOrder, link: string): string | undefined {
  const isPlaylist = isPlaylistType(mediaType);
  if (place === undefined) return isPlaylist ? playlistIdOf({ link, version, path: [] }) : undefined;
  return playlistIdOf(isPlaylist ? place : { ...place, path: place.path.slice(0, -1) });
}
