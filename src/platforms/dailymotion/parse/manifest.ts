import { MillraceError } from '../../../contract/errors.ts';
import { isPlainKey } from '../../../hls/encryption-keys.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { parsePlaylist } from '../../../hls/playlist.ts';
import { parseJson } from '../../../parsing/values.ts';
import { findRefusal } from './refusal.ts';

/**
 * Reads the master playlist of a video.
 *
 * @param url The final address, after redirects.
 * @throws MillraceError `non_2xx_response` for a body that is no playlist, which is how the CDN turns clients away
 *   (with 403, or a challenge page); the site's own refusal where it has one; `unavailable` for one under DRM;
 *   `invalid_response_data` for a playlist that cannot be read.
 */
export function parseManifest(body: string, status: number, url: string): MasterPlaylist {
  if (!/^\uFEFF?#EXTM3U/.test(body)) {
    throw (
      findRefusal(parseJson(body), status)?.error ??
      new MillraceError(
        'non_2xx_response',
        `The CDN answered with status ${status} and no playlist. Try again in a moment.`,
      )
    );
  }
  const playlist = parsePlaylist(body, url);
  if (playlist.kind !== 'master') {
    throw new MillraceError('invalid_response_data', 'The CDN answered with segments where qualities were expected.');
  }
  if (playlist.sessionKeys.some((key) => !isPlainKey(key))) throw underDrm();
  return playlist;
}

/** Makes the error for a video under DRM. */
export function underDrm(): MillraceError {
  return new MillraceError('unavailable', 'The video is under DRM, which is not touched.');
}
