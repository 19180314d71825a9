import { accountOf } from '../../accounts/owner.ts';
import { MillraceError } from '../../contract/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import type { BufferedResponse } from '../../egress/fetch-body.ts';
import type { Playlist } from '../../hls/playlist.ts';
import { defaultPlaylistBounds } from '../../hls/playlist-bounds.ts';
import { availableMemory } from '../../settings/available-memory.ts';
import { inBlocks, type Steps } from '../../waiting/steps.ts';

const MIB = 1024 * 1024;
/** Portion of the memory of the machine or the container that the playlists of all jobs and previews can take. */
const MEMORY_SHARE = 1 / 8;
const MIN_LIMIT = 64 * MIB;
const MAX_LIMIT = 256 * MIB;
/** Portion of that which the playlists of an account can take, and those of one visitor of its page. */
const ACCOUNT_SHARE = 1 / 2;
const VISITOR_SHARE = 1 / 8;
/** What a segment takes besides characters, measured for parsed playlists and for their downloads. */
const SEGMENT_BYTES = 300;

const [lineFeed, numberSign] = [0x0a, 0x23];

/**
 * Memory for playlists, which a download keeps to its end. A server can list a hundred thousand segments and let a job wait
 * for the first one, so the playlists of an owner share one budget.
 */
export interface PlaylistMemory {
  /** Bytes that are taken. */
  readonly used: number;
  /**
   * Takes more bytes for an owner.
   *
   * @throws MillraceError `service_unavailable` if they are more than the owner, or all owners, can take.
   */
  take(owner: string, bytes: number): void;
  /** Gives back bytes of an owner. */
  give(owner: string, bytes: number): void;
}

/** Creates a memory of `limit` bytes. */
export function createPlaylistMemory(limit: number): PlaylistMemory {
  /** Bytes of each account, and of each visitor. */
  const taken = new Map<string, number>();
  let used = 0;

  /** Returns whom the bytes of an owner count for, with the most bytes of each. */
  function limitsOf(owner: string): ReadonlyMap<string, number> {
    return new Map([
      [owner, limit * VISITOR_SHARE],
      [accountOf(owner), limit * ACCOUNT_SHARE],
    ]);
  }
  function add(owner: string, bytes: number): void {
    used += bytes;
    for (const counted of limitsOf(owner).keys()) {
      const sum = (taken.get(counted) ?? 0) + bytes;
      if (sum === 0) taken.delete(counted);
      else taken.set(counted, sum);
    }
  }
  return {
    get used() {
      return used;
    },
    take(owner, bytes) {
      const full = limitsOf(owner)
        .entries()
        .find(([counted, most]) => (taken.get(counted) ?? 0) + bytes > most);
      if (full !== undefined) throw tooMuch(`take up more than ${sizeText(full[1])} of memory`);
      if (used + bytes > limit) throw tooMuch('and those of others take up too much memory');
      add(owner, bytes);
    },
    give: (owner, bytes) => add(owner, -bytes),
  };
}

function tooMuch(what: string): MillraceError {
  // The download adds its input and the next step.
  return new MillraceError('service_unavailable', `The playlists of your jobs and previews in progress ${what}.`);
}

/** The memory of the process. */
const processMemory = createPlaylistMemory(Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, availableMemory() * MEMORY_SHARE)));

/** What the playlists of one input take. */
export interface InputPlaylists {
  /**
   * Returns a function that changes the bytes of one playlist, which are 0 at first.
   *
   * @throws MillraceError as {@link PlaylistMemory.take}.
   */
  open(): (bytes: number) => void;
  /** Gives back a playlist that is no longer used. */
  release(playlist: Playlist): void;
  /** Gives back all of them. */
  close(): void;
}

/** Opens what the playlists of an input take of the memory of its owner. */
export function openInputPlaylists(owner: string, memory: PlaylistMemory = processMemory): InputPlaylists {
  let used = 0;
  const change = (bytes: number) => {
    if (bytes > 0) memory.take(owner, bytes);
    else memory.give(owner, -bytes);
    used += bytes;
  };
  return {
    open() {
      let current = 0;
      return (bytes) => {
        change(bytes - current);
        current = bytes;
      };
    },
    release: (playlist) => change(-playlistBytes(playlist)),
    close: () => change(-used),
  };
}

/** Returns the bytes that a playlist takes, roughly. */
export function playlistBytes(playlist: Playlist): number {
  const members = playlist.kind === 'media' ? playlist.segments.length : playlist.variants.length;
  return playlist.characters + members * SEGMENT_BYTES;
}

/**
 * Returns, in steps, about how many bytes a playlist takes when it is parsed, with its text. The addresses of keys and
 * renditions are not foreseen: they count afterwards.
 */
export function* unparsedBytes({ body, url }: Pick<BufferedResponse, 'body' | 'url'>): Steps<number> {
  let lines = 1;
  yield* inBlocks(body.length, (from, end) => {
    for (let at = from; at < end; at += 1) if (body[at] === lineFeed && body[at + 1] !== numberSign) lines += 1;
  });
  const { segments, urlLength } = defaultPlaylistBounds;
  return 2 * body.length + Math.min(lines, segments) * SEGMENT_BYTES + Math.min(lines * url.length, urlLength);
}
