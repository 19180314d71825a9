import { MIMEType } from 'node:util';
import { MillraceError } from './errors.ts';
import {
  extensionOf,
  type InertType,
  inertTypeOf,
  isPassiveType,
  opaqueType,
  playlistType,
} from './inert-media-types.ts';
import { validUrl } from './parse-url.ts';

const playlistTypes: ReadonlySet<string> = new Set([
  playlistType,
  'application/mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
  'video/mpegurl',
  'video/x-mpegurl',
]);

/** Types that do not identify the content. Some servers send segments and keys as text/plain. */
const genericTypes: ReadonlySet<string> = new Set(['', opaqueType, 'binary/octet-stream', 'text/plain']);

/**
 * Returns a media type without its parameters, in lower case, as browsers parse it; empty if it is not a media type.
 */
export function bareType(contentType: string | undefined): string {
  try {
    return new MIMEType(contentType ?? '').essence;
  } catch {
    return '';
  }
}

/** Whether a type is the type of an HLS playlist. */
export function isPlaylistType(type: string): boolean {
  return playlistTypes.has(type);
}

/**
 * Returns the type to relay content with: the source's type if it is passive, or the declared type if the source names
 * none.
 *
 * @throws MillraceError `invalid_response_data` for anything else, such as a web page or an SVG image.
 */
export function relayedType(contentType: string | undefined, declaredType: string): InertType {
  const type = bareType(contentType);
  if (isPassiveType(type)) return type;
  if (genericTypes.has(type)) return isPassiveType(declaredType) ? declaredType : opaqueType;
  throw notMedia(type);
}

/**
 * Checks the content type of a playlist response.
 *
 * @throws MillraceError `invalid_response_data` if a response of this type cannot be a playlist.
 */
export function checkPlaylistType(contentType: string | undefined): void {
  const type = bareType(contentType);
  if (!isPlaylistType(type) && !genericTypes.has(type)) throw notMedia(type);
}

/**
 * Returns a name for the file behind a link, from its type, or from the link if the type does not identify the content.
 * Only extensions of passive types are taken from a link. ffmpeg (5.1.9 of Debian, seen 2026-11-21) refuses HLS
 * segments without a known extension.
 */
export function fileNameOf(type: string, url: string): string {
  if (isPlaylistType(type)) return 'playlist.m3u8';
  if (isPassiveType(type)) {
    const [kind = ''] = type.split('/', 1);
    return `${kind === 'application' ? 'media' : kind}.${extensionOf(type)}`;
  }
  const inferredType = inertTypeOf(validUrl(url).pathname);
  return `media.${inferredType === opaqueType ? 'bin' : extensionOf(inferredType)}`;
}

function notMedia(type: string): MillraceError {
  const what = /^[\w.+/-]{1,80}$/.test(type) ? type : 'unknown content';
  return new MillraceError('invalid_response_data', `The source sent ${what} instead of media. Request a fresh link.`);
}
