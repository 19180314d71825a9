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

const playlistTypes: ReadonlySet<string> = new Set([
  playlistType,
  'application/mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
  'video/mpegurl',
  'video/x-mpegurl',
]);

/** Types that say nothing about the content; some servers send segments and keys as text/plain. */
const genericTypes: ReadonlySet<string> = new Set(['', opaqueType, 'binary/octet-stream', 'text/plain']);

/** A media type without its parameters, in lower case, as browsers read it; empty if it is not a media type. */
export function bareType(contentType: string | undefined): string {
  try {
    return new MIMEType(contentType ?? '').essence;
  } catch {
    return '';
  }
}

/** Whether a type is that of an HLS playlist. */
export function isPlaylistType(type: string): boolean {
  return playlistTypes.has(type);
}

/**
 * The type to relay content with: the source's type if it is passive, the promised one if the source names none.
 *
 * @throws MillraceError `invalid_response_data` for anything else, such as a web page or an SVG image.
 */
export function relayedType(contentType: string | undefined, declaredType: string): InertType {
  const type = bareType(contentType);
  if (isPassiveType(type)) return type;
  if (genericTypes.has(type)) return isPassiveType(declaredType) ? declaredType : opaqueType;
  throw notMedia(type);
}

/** @throws MillraceError `invalid_response_data` if a response of this type cannot be a playlist. */
export function checkPlaylistType(contentType: string | undefined): void {
  const type = bareType(contentType);
  if (!isPlaylistType(type) && !genericTypes.has(type)) throw notMedia(type);
}

/**
 * A name for the file behind a link, from its type, or from the link if the type says nothing. Only extensions of
 * passive types are used from a link. ffmpeg (5.1.9 of Debian, seen 2026-11-21) refuses HLS segments without a known
 * extension.
 */
export function fileNameOf(type: string, url: string): string {
  if (isPlaylistType(type)) return 'playlist.m3u8';
  if (isPassiveType(type)) {
    const [kind = ''] = type.split('/', 1);
    return `${kind === 'application' ? 'media' : kind}.${extensionOf(type)}`;
  }
  const inferredType = inertTypeOf(new URL(url).pathname);
  return `media.${inferredType === opaqueType ? 'bin' : extensionOf(inferredType)}`;
}

function notMedia(type: string): MillraceError {
  const what = /^[\w.+/-]{1,80}$/.test(type) ? type : 'something unknown';
  return new MillraceError('invalid_response_data', `The source sent ${what} instead of media. Request a fresh link.`);
}
