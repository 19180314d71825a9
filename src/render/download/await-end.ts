import type { MediaPlaylist } from '../../hls/media-playlist.ts';
import type { Playlist } from '../../hls/playlist.ts';
import type { Source } from './source-request.ts';

/**
 * Number of target durations for which a playlist without an end must not change. A live playlist changes within one and
 * a half (RFC 8216 §6.2.1).
 */
const UNCHANGED_TARGETS = 3;
/** Bounds of a target duration in seconds, and the one that is assumed if the playlist states none. */
const target = { min: 1, max: 20, usual: 6 } as const;

/**
 * Returns a media playlist that is complete: it has an end, or cannot change because it is of type `VOD`, or has not
 * changed for some time. Many servers leave out both tags. Returns undefined for a live stream.
 *
 * @param fetch Fetches the playlist again.
 * @param turns Number of target durations to wait.
 */
export async function awaitEnd(
  { pause, signal }: Pick<Source, 'pause' | 'signal'>,
  playlist: MediaPlaylist,
  fetch: () => Promise<Playlist>,
  turns = UNCHANGED_TARGETS,
): Promise<MediaPlaylist | undefined> {
  if (playlist.endList || playlist.playlistType === 'VOD') return playlist;
  const seconds = Math.min(Math.max(playlist.targetDuration ?? target.usual, target.min), target.max);
  for (let turn = 0; turn < turns; turn += 1) {
    await pause(seconds * 1000, signal);
    const next = await fetch();
    if (next.kind === 'master') return undefined;
    if (next.endList) return next;
    if (!isSame(playlist, next)) return undefined;
  }
  return playlist;
}

/** Whether two playlists list the same segments. Their URLs may have other signatures. */
function isSame(one: MediaPlaylist, other: MediaPlaylist): boolean {
  const { mediaSequence, segments, totalDuration } = one;
  return (
    mediaSequence === other.mediaSequence &&
    segments.length === other.segments.length &&
    totalDuration === other.totalDuration
  );
}
