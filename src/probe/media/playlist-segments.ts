import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { withHeaders } from '../../egress/credentials.ts';
import { fetchBody } from '../../egress/fetch-body.ts';
import type { Segment } from '../../hls/media-playlist.ts';
import { parsePlaylist } from '../../hls/playlist.ts';
import { runInTurns } from '../../waiting/steps.ts';
import type { FileAccess } from './fetch-range.ts';

const MAX_PLAYLIST_BYTES = 8 * 1024 * 1024;

/**
 * Returns the segments of a playlist, or of the best variant of a master playlist.
 *
 * @throws MillraceError as `Egress.exchange`; `non_2xx_response`; `invalid_response_data` for a playlist that cannot be
 * read or has no segments.
 */
export async function playlistSegments(playlist: FileAccess, depth = 0): Promise<readonly [Segment, ...Segment[]]> {
  const { url, headers, exit, signal } = playlist;
  const decodable = withHeaders(headers, { 'accept-encoding': 'gzip, deflate, br' });
  const request = { url, caller: serviceCaller, headers: decodable, signal };
  const response = await fetchBody(exit, request, MAX_PLAYLIST_BYTES);
  if (response.status !== 200) {
    throw new MillraceError('non_2xx_response', `The server returned ${response.status} for the playlist.`);
  }
  const parsed = await runInTurns(parsePlaylist(response.body.toString(), response.url), signal);
  if (parsed.kind === 'master') {
    const [best] = parsed.variants.toSorted((a, b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
    if (best === undefined || depth > 0) throw withoutSegments();
    return await playlistSegments({ ...playlist, url: best.url }, depth + 1);
  }
  const [first, ...others] = parsed.segments;
  if (first === undefined) throw withoutSegments();
  return [first, ...others];
}

function withoutSegments(): MillraceError {
  return new MillraceError('invalid_response_data', 'The playlist has no segments.');
}
