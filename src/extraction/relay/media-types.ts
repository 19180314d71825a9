import { mime } from '@fastify/send';
import { MillraceError } from '../../contract/errors.ts';

/** The type that a relayed playlist is sent with (RFC 8216 §4). */
export const playlistType = 'application/vnd.apple.mpegurl';

/** What says no more than "some bytes"; text/plain stands for segments and keys on careless servers. */
const vague = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** A media type without its parameters, in lower case. */
export function bareType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** Whether a type is that of an HLS playlist: application/vnd.apple.mpegurl, audio/mpegurl, application/x-mpegurl. */
export function isPlaylistType(type: string): boolean {
  return /[/.-]mpegurl$/.test(type);
}

/**
 * The type that relayed bytes are sent with: the source's own where it names a kind of media, the promised one where it
 * names none. SVG is no media here, since it can hold scripts.
 *
 * @throws MillraceError `invalid_response_data` for anything else, such as a web page.
 */
export function relayedType(contentType: string | undefined, promised: string): string {
  const type = bareType(contentType);
  if (isMedia(type)) return type;
  if (vague.has(type)) return isMedia(promised) ? promised : 'application/octet-stream';
  throw notMedia(type);
}

/** @throws MillraceError `invalid_response_data` for the type of an answer that cannot be a playlist. */
export function checkPlaylistType(contentType: string | undefined): void {
  const type = bareType(contentType);
  if (!isPlaylistType(type) && !vague.has(type)) throw notMedia(type);
}

/**
 * A name for what lies behind a link, by its type, or by the link where the type says nothing. ffmpeg (5.1.9 of Debian,
 * seen 2026-11-21) takes no HLS segment whose name has no known extension.
 */
export function fileNameOf(type: string, url: string): string {
  const [kind = ''] = type.split('/');
  const known = vague.has(type) ? /\.(\w{1,5})$/.exec(new URL(url).pathname)?.[1] : mime.getExtension(type);
  return `${kind === 'application' ? 'media' : kind}.${known ?? 'bin'}`;
}

function isMedia(type: string): boolean {
  if (isPlaylistType(type) || type === 'image/svg+xml') return false;
  return /^(?:video|audio|image)\/[\w.+-]{1,60}$/.test(type) || type === 'text/vtt';
}

function notMedia(type: string): MillraceError {
  const what = /^[\w.+/-]{1,80}$/.test(type) ? type : 'something unknown';
  return new MillraceError('invalid_response_data', `The source sent ${what} in place of media. Request a fresh link.`);
}
