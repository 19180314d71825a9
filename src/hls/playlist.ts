import { defaultPlaylistBounds, type PlaylistBounds } from './bounds.ts';
import { playlistFault } from './fault.ts';
import { type PlaylistLine, playlistLines } from './lines.ts';
import { type MasterPlaylist, masterTags, parseMaster } from './master.ts';
import { type MediaPlaylist, mediaTags, parseMedia } from './media.ts';
import { createResolver } from './resolve.ts';

/** A parsed playlist. */
export type Playlist = MasterPlaylist | MediaPlaylist;

/**
 * Parses an HLS playlist (RFC 8216 and draft-pantos-hls-rfc8216bis). Unknown tags and attributes are ignored, unless
 * they would change the meaning of the media.
 *
 * @param baseUrl URL of the response, after redirects, against which URIs are resolved.
 * @throws MillraceError `invalid_response_data`, and nothing else, with the line at fault in its message.
 */
export function parsePlaylist(text: string, baseUrl: string, bounds: Partial<PlaylistBounds> = {}): Playlist {
  const limits = { ...defaultPlaylistBounds, ...bounds };
  if (text.length > limits.textLength) throw playlistFault(1, `begins a text of over ${limits.textLength} characters`);
  const resolve = createResolver(baseUrl, limits.urlLength);
  const kind = kindOf(playlistLines(text, limits.lineLength));
  const lines = linesOfKind(kind, playlistLines(text, limits.lineLength));
  return kind === 'master' ? parseMaster(lines, resolve, limits) : parseMedia(lines, resolve, limits);
}

type Kind = Playlist['kind'];

function kindOfTag(line: PlaylistLine): Kind | undefined {
  if (line.kind === 'uri') return undefined;
  if (masterTags.has(line.name)) return 'master';
  return mediaTags.has(line.name) ? 'media' : undefined;
}

function kindOf(lines: Iterable<PlaylistLine>): Kind {
  for (const line of lines) {
    const kind = kindOfTag(line);
    if (kind !== undefined) return kind;
  }
  throw playlistFault(1, 'begins a playlist that names neither variants nor segments');
}

/** Yields the lines of a playlist, and throws for one of the other kind (RFC 8216 §4.3.4 forbids both). */
function* linesOfKind(kind: Kind, lines: Iterable<PlaylistLine>): Generator<PlaylistLine> {
  for (const line of lines) {
    const other = kindOfTag(line);
    if (other !== undefined && other !== kind) throw playlistFault(line.number, 'mixes variants and segments');
    if (line.kind === 'tag' && line.name === 'EXT-X-DEFINE') {
      throw playlistFault(line.number, 'defines a variable, which is not supported');
    }
    yield line;
  }
}
