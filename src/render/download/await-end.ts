import type { MediaPlaylist } from '../../hls/media-playlist.ts';
import type { Playlist } from '../../hls/playlist.ts';
import type { Source } from './source-request.ts';

/**
 * Number of target durations for which a playlist without an end must not change. A live playlist changes within one and
 * a half (RFC 8216 §6.2.1).
 */
const UNCHANGED_TARGETS = 3;
/**
 * Target durations in seconds: the shortest one that counts, and the one that is assumed if the playlist states none.
 * Up to `whole`, a turn is one target duration, and then half of it; for type `VOD`, it is at most `usual`. A playlist of
 * another type with a target over `max` needs an end.
 */
const target = { min: 1, usual: 6, whole: 20, max: 120 } as const;

/**
 * Returns a media playlist that is complete: it has an end, or is of type `VOD`, which never changes, or has not changed
 * for some time. Many servers leave out both tags. One of type `VOD` is fetched again after some seconds, because the end
 * could also be lost with the rest of a response, and several times if its last line may be truncated. Returns undefined
 * for a live stream.
 *
 * @param fetch Fetches the playlist again.
 * @param turns Number of times to wait.
 */
export async function awaitEnd(
  { pause, signal, playlists }: Pick<Source, 'pause' | 'signal' | 'playlists'>,
  playlist: MediaPlaylist,
  fetch: () => Promise<Playlist>,
  turns = UNCHANGED_TARGETS,
): Promise<MediaPlaylist | undefined> {
  if (playlist.endList) return playlist;
  const isFixed = playlist.playlistType === 'VOD';
  const duration = Math.max(playlist.targetDuration ?? target.usual, target.min);
  if (duration > target.max && !isFixed) return undefined;
  const seconds = Math.min(duration, isFixed ? target.usual : Math.max(target.whole, duration / 2));
  for (let turn = 0; turn < (isFixed && !playlist.endsInLine ? 1 : turns); turn += 1) {
    await pause(seconds * 1000, signal);
    const next = await fetch();
    if (next.kind === 'master') return undefined;
    playlists.release(next.endList ? playlist : next);
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
