import type { Steps } from '../waiting/steps.ts';
import { type MasterPlaylist, masterPlaylistTags, parseMasterPlaylist } from './master-playlist.ts';
import { type MediaPlaylist, mediaPlaylistTags, parseMediaPlaylist } from './media-playlist.ts';
import { defaultPlaylistBounds, type PlaylistBounds } from './playlist-bounds.ts';
import { playlistFault } from './playlist-fault.ts';
import { type PlaylistLine, playlistLines } from './playlist-lines.ts';
import { createUriResolver } from './uri-resolver.ts';
import { createVariables, type PlaylistVariables } from './variables.ts';

/** A parsed playlist. */
export type Playlist = MasterPlaylist | MediaPlaylist;

/**
 * Parses an HLS playlist (RFC 8216 and draft-pantos-hls-rfc8216bis), which may take seconds. Unknown tags and attributes
 * are ignored, unless they would change the meaning of the media.
 *
 * @param baseUrl URL of the response, after redirects, against which URIs are resolved.
 * @param imported Variables of the master playlist that lists this one.
 * @throws MillraceError `invalid_response_data`, and no other error, with the number of the invalid line in its
 * message.
 */
export function* parsePlaylist(
  text: string,
  baseUrl: string,
  bounds: Partial<PlaylistBounds> = {},
  imported: PlaylistVariables = {},
): Steps<Playlist> {
  const limits = { ...defaultPlaylistBounds, ...bounds };
  if (text.length > limits.textLength)
    throw playlistFault(1, `starts a playlist of over ${limits.textLength} characters`);
  const resolver = createUriResolver(baseUrl, limits.urlLength);
  const { resolve } = resolver;
  const kind = yield* kindOf(playlistLines(text, limits.lineLength));
  const variables = createVariables(baseUrl, imported);
  const lines = variables.replaceIn(linesOfKind(kind, playlistLines(text, limits.lineLength)));
  if (kind === 'media') {
    const playlist = yield* parseMediaPlaylist(lines, resolve, limits);
    const lastLine = text.slice(text.lastIndexOf('\n') + 1);
    const endsBeforeUri = playlist.endsBeforeUri || (!playlist.endList && lastLine.startsWith('#'));
    return { ...playlist, endsBeforeUri, endsInLine: lastLine !== '', characters: text.length + resolver.characters };
  }
  const playlist = yield* parseMasterPlaylist(lines, resolve, limits);
  return { ...playlist, variables: variables.values, characters: text.length + resolver.characters };
}

type PlaylistKind = Playlist['kind'];

function kindOfTag(line: PlaylistLine): PlaylistKind | undefined {
  if (line.kind !== 'tag') return undefined;
  if (masterPlaylistTags.has(line.name)) return 'master';
  return mediaPlaylistTags.has(line.name) ? 'media' : undefined;
}

function* kindOf(lines: Iterable<PlaylistLine>): Steps<PlaylistKind> {
  for (const line of lines) {
    const kind = kindOfTag(line);
    if (kind !== undefined) return kind;
    yield undefined;
  }
  throw playlistFault(1, 'starts a playlist with neither variants nor segments');
}

/** Yields the lines of a playlist, and throws if it mixes both kinds (RFC 8216 §4.3.4 forbids that). */
function* linesOfKind(kind: PlaylistKind, lines: Iterable<PlaylistLine>): Generator<PlaylistLine> {
  for (const line of lines) {
    const other = kindOfTag(line);
    if (other !== undefined && other !== kind) throw playlistFault(line.number, 'mixes variants and segments');
    yield line;
  }
}
