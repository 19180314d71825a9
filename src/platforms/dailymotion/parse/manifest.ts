import { MillraceError } from '../../../contract/errors.ts';
import { isPlainKey } from '../../../hls/encryption-keys.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { parsePlaylist } from '../../../hls/playlist.ts';
import { isFields } from '../../../parsing/values.ts';
import type { Steps } from '../../../waiting/steps.ts';
import { parseSiteJson } from '../../reading.ts';
import { unreadResponse } from '../../unread.ts';
import { findRefusal } from './refusal.ts';

/**
 * Reads a video's master playlist.
 *
 * @param url The final address, after redirects.
 * @throws MillraceError `non_2xx_response` for a body that is not a playlist, which is how the CDN rejects clients
 * (with 403 or a challenge page). The site's own refusal, if the body contains one. `unavailable` for a playlist with
 * DRM. `invalid_response_data` for a playlist that cannot be parsed, and for data in another format.
 */
export function* parseManifest(body: string, status: number, url: string): Steps<MasterPlaylist> {
  if (!/^\uFEFF?#EXTM3U/.test(body)) throw withoutPlaylist(body, status);
  const playlist = yield* parsePlaylist(body, url);
  if (playlist.kind !== 'master') {
    throw unreadResponse('Dailymotion returned the playlist', { media_playlist: 1 });
  }
  if (playlist.variants.length === 0) {
    throw unreadResponse('Dailymotion returned the playlist', { playlist: 1 });
  }
  if (playlist.sessionKeys.some((key) => !isPlainKey(key))) throw underDrm();
  return playlist;
}

function withoutPlaylist(body: string, status: number): MillraceError {
  const json = parseSiteJson(body);
  const refusal = findRefusal(json, status);
  if (refusal !== undefined) return refusal.error;
  // Only complete data shows that the site has changed. A page is how it rejects clients.
  if (status >= 200 && status <= 299 && (isFields(json) || /^\s*<(?:\?xml|MPD)\b/.test(body))) {
    return unreadResponse('Dailymotion returned the playlist', {
      [isFields(json) ? 'json_manifest' : 'xml_manifest']: 1,
    });
  }
  return new MillraceError(
    'non_2xx_response',
    `The CDN returned status ${status} without a playlist. Try again in a moment.`,
  );
}

/** Returns the error for a DRM-protected video. */
export function underDrm(): MillraceError {
  return new MillraceError('unavailable', 'The video is DRM-protected and cannot be extracted.');
}
