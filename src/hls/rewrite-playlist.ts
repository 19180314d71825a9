import { attributeTags, playlistLinkTags, textAttributes, wordTags } from './allowed-tags.ts';
import { parseRawAttributes } from './attribute-list.ts';
import { defaultPlaylistBounds } from './playlist-bounds.ts';
import { playlistFault } from './playlist-fault.ts';
import { type PlaylistLine, playlistLines } from './playlist-lines.ts';
import { createUriResolver } from './uri-resolver.ts';
import { createVariables, type Variables } from './variables.ts';

/** The kind of resource behind a link in a playlist. */
export type LinkKind = 'playlist' | 'media';

type TagLine = Extract<PlaylistLine, { kind: 'tag' }>;
/** Returns the link for a URI in a line. */
type ReplaceUri = (uri: string, kind: LinkKind, line: number) => string;

/** Maximum number of links, more than a playlist that covers a whole day has. */
const MAX_LINKS = 25_000;

/** The value of a tag without attributes: a number, a time, a byte range, or an uppercase word such as `VOD`. */
const wordPattern = /^(?:\d[\w.:@+-]{0,63}|[A-Z]{0,16})$/;
/** The value of an attribute without quotes. */
const unquotedValuePattern = /^[\w.@+-]{1,256}$/;
/** Characters that some players treat as the end of a line. RFC 8216 §4.1 forbids the first group. */
const lineBreakPattern = /[\p{Cc}\u2028\u2029]/u;

/**
 * Yields the lines of a playlist with every URL replaced by a link, and undefined for lines that are left out. Includes only allowed tags and attributes: others
 * may contain URLs in forms that only some players know. Comments and segment titles are omitted too, and variables are
 * replaced by their values.
 *
 * @param text The playlist, or its bytes in UTF-8.
 * @param baseUrl URL of the response, after redirects.
 * @param variables Variables of the playlist, which it defines.
 * @throws MillraceError `invalid_response_data` if the text is not a playlist, exceeds the bounds, or has a URL other
 *   than http or https. That includes `data:` and `skd:`, because keys of DRM systems are not relayed.
 */
export function* rewritePlaylist(
  text: string | Buffer,
  baseUrl: string,
  link: (url: string, kind: LinkKind) => string,
  variables: Variables = createVariables(baseUrl),
): Generator<string | undefined, void> {
  const { resolve } = createUriResolver(baseUrl, defaultPlaylistBounds.urlLength);
  let links = 0;
  const replace: ReplaceUri = (uri, kind, line) => {
    links += 1;
    if (links > MAX_LINKS) throw playlistFault(line, `exceeds the limit of ${MAX_LINKS} links`);
    return link(resolve(uri, line), kind);
  };
  let next: LinkKind = 'media';
  yield '#EXTM3U';
  for (const line of variables.replaceIn(playlistLines(text, defaultPlaylistBounds.lineLength))) {
    if (line.kind === 'uri') {
      yield replace(line.uri, next, line.number);
      next = 'media';
    } else if (line.kind === 'tag') {
      if (line.name === 'EXT-X-STREAM-INF') next = 'playlist';
      yield rewriteTag(line, replace);
    } else {
      yield undefined;
    }
  }
}

/** Returns a tag with links; undefined if it is not allowed. */
function rewriteTag({ name, value, number }: TagLine, replace: ReplaceUri): string | undefined {
  if (name === 'EXTINF') return `#EXTINF:${parseSegmentDuration(value, number)},`;
  if (wordTags.has(name)) {
    if (!wordPattern.test(value)) return undefined;
    return value === '' ? `#${name}` : `#${name}:${value}`;
  }
  if (!attributeTags.has(name)) return undefined;
  const kind = playlistLinkTags.has(name) ? 'playlist' : 'media';
  return `#${name}:${rewriteAttributes(value, number, (uri) => replace(uri, kind, number))}`;
}

/**
 * Rewrites the URLs in an attribute list. Attributes whose names end in URI contain URLs (`URI`, and site-specific ones
 * such as `PROGRESSIVE-URI`).
 */
function rewriteAttributes(list: string, line: number, replace: (uri: string) => string): string {
  const attributes: string[] = [];
  for (const [name, { value, quoted }] of parseRawAttributes(list, line)) {
    if (name.endsWith('URI')) attributes.push(`${name}="${replace(value)}"`);
    else if (!textAttributes.has(name)) continue;
    else if (quoted && !lineBreakPattern.test(value)) attributes.push(`${name}="${value}"`);
    else if (!quoted && unquotedValuePattern.test(value)) attributes.push(`${name}=${value}`);
  }
  return attributes.join(',');
}

function parseSegmentDuration(value: string, line: number): string {
  const [duration = ''] = value.split(',', 1);
  if (!/^-?\d[\d.]{0,31}$/.test(duration.trim())) throw playlistFault(line, 'has no duration in seconds');
  return duration.trim();
}
