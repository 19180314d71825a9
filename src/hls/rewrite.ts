import { defaultPlaylistBounds } from './bounds.ts';
import { playlistFault } from './fault.ts';
import { playlistLines } from './lines.ts';

/** What lies behind a link of a playlist. */
export type LinkKind = 'playlist' | 'media';

/** More links than any playlist of a day has. */
const MAX_LINKS = 25_000;

/** Tags whose URI is another playlist; that of any other tag is a segment, a key or a part of one. */
const playlistTags = new Set([
  'EXT-X-I-FRAME-STREAM-INF',
  'EXT-X-IMAGE-STREAM-INF',
  'EXT-X-MEDIA',
  'EXT-X-RENDITION-REPORT',
]);

/**
 * The lines of a playlist with each http link in it replaced, those in attributes as well (`URI="…"`, and what sites
 * add such as `PROGRESSIVE-URI`). Comments are left out; links of another scheme (`data:`, `skd:`) stay.
 *
 * @param baseUrl The address that answered, after redirects.
 * @throws MillraceError `invalid_response_data` for what is no playlist, defines variables, or is over the bounds.
 */
export function* rewritePlaylist(
  text: string,
  baseUrl: string,
  link: (url: string, kind: LinkKind) => string,
): Generator<string> {
  let links = 0;
  let next: LinkKind = 'media';
  const replace = (uri: string, kind: LinkKind, line: number): string => {
    const url = URL.parse(uri, baseUrl);
    if (url === null) throw playlistFault(line, 'holds a URI that cannot be read');
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return uri;
    links += 1;
    if (links > MAX_LINKS) throw playlistFault(line, `takes the playlist past ${MAX_LINKS} links`);
    url.hash = '';
    return link(url.href, kind);
  };
  yield '#EXTM3U';
  for (const line of playlistLines(text, defaultPlaylistBounds.lineLength)) {
    if (line.kind === 'uri') {
      yield replace(line.uri, next, line.number);
      next = 'media';
      continue;
    }
    const { name, value, number } = line;
    if (name === 'EXT-X-DEFINE') throw playlistFault(number, 'defines a variable, which is not supported');
    if (name === 'EXT-X-STREAM-INF') next = 'playlist';
    const kind = playlistTags.has(name) ? 'playlist' : 'media';
    const rewritten = value.replace(
      /(?<![A-Z0-9-])([A-Z0-9-]{0,40}URI\s*=\s*)"([^"]+)"/g,
      (_all, attribute: string, uri: string) => `${attribute}"${replace(uri, kind, number)}"`,
    );
    yield value === '' ? `#${name}` : `#${name}:${rewritten}`;
  }
}
