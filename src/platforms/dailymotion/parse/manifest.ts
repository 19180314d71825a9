import { MillraceError } from '../../../contract/errors.ts';
import { isPlainKey } from '../../../hls/encryption-keys.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { parsePlaylist } from '../../../hls/playlist.ts';
import { parseJson } from '../../../parsing/values.ts';
import { findRefusal } from './refusal.ts';

/**
 * Reads a video's master playlist.
 *
 * @param url The final address, after redirects.
 * @throws MillraceError `non_2xx_response` for a body that is not a playlist, which is how the CDN rejects clients
 * (with 403 or a challenge page). The site's own refusal, if the body contains one. `unavailable` for a playlist with
 * DRM. `invalid_response_data` for a playlist that cannot be parsed.
 */
export function parseManifest(body: string, status: number, url: string): MasterPlaylist {
  if (!/^\uFEFF?#EXTM3U/.test(body)) {
    throw (
      findRefusal(parseJson(body), status)?.error ??
      new MillraceError(
        'non_2xx_response',
        `The CDN returned status ${status} without a playlist. Try again in a moment.`,
      )
    );
  }
  const playlist = parsePlaylist(body, url);
  if (playlist.kind !== 'master') {
    throw new MillraceError('invalid_response_data', 'The CDN returned a media playlist instead of a master playlist.');
  }
  if (playlist.sessionKeys.some((key) => !isPlainKey(key))) throw underDrm();
  return playlist;
}

/** Returns the error for a DRM-protected video. */
export function underDrm(): MillraceError {
  return new MillraceError('unavailable', 'The video is DRM-protected and cannot be extracted.');
}
