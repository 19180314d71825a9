import { MillraceError } from '../../contract/errors.ts';
import { fetchBody } from '../../egress/fetch-body.ts';
import type { MasterPlaylist, Variant } from '../../hls/master.ts';
import type { MediaPlaylist } from '../../hls/media.ts';
import { type Playlist, parsePlaylist } from '../../hls/playlist.ts';
import { createPatience } from './patience.ts';
import { refusal, requestFor, type Source } from './source.ts';

const MAX_PLAYLIST_BYTES = 8 * 1024 * 1024;

/** A playlist of segments that can be fetched, and where it came from. */
export interface FoundPlaylist {
  readonly media: MediaPlaylist;
  /** The address that answered. */
  readonly url: string;
}

/**
 * Fetches a playlist; of a playlist of playlists, the one of the best quality.
 *
 * @throws MillraceError `source_unsupported` for what no file can be made of: a live stream, encrypted segments …
 */
export async function findPlaylist(source: Source): Promise<FoundPlaylist> {
  const first = await fetchPlaylist(source);
  if (first.playlist.kind === 'media') return { media: usable(source, first.playlist), url: first.url };
  const variant = bestVariant(source, first.playlist);
  const second = await fetchPlaylist({ ...source, url: variant.url });
  if (second.playlist.kind === 'master') throw unsupported(source, 'a playlist of playlists within another');
  return { media: usable(source, second.playlist), url: second.url };
}

async function fetchPlaylist(source: Source): Promise<{ playlist: Playlist; url: string }> {
  const patience = createPatience(source);
  const request = requestFor(source, { from: 0 });
  const decodable = { ...request, headers: { ...request.headers, 'accept-encoding': 'gzip, deflate, br' } };
  for (;;) {
    try {
      const answer = await fetchBody(source.egress, decodable, MAX_PLAYLIST_BYTES);
      if (answer.status !== 200) throw refusal(source, answer);
      return { playlist: read(source, answer.body.toString(), answer.url), url: answer.url };
    } catch (error) {
      await patience.after(error);
    }
  }
}

function read(source: Source, text: string, url: string): Playlist {
  if (!text.replace(/^\uFEFF/, '').startsWith('#EXTM3U')) {
    throw new MillraceError(
      'source_unsupported',
      `${source.name} is not an HLS playlist, which its ext m3u8 promises.`,
    );
  }
  try {
    return parsePlaylist(text, url);
  } catch (error) {
    const said = error instanceof MillraceError ? error.message : 'it is malformed.';
    throw new MillraceError('source_unsupported', `The playlist of ${source.name} cannot be read: ${said}`, {
      cause: error,
    });
  }
}

function bestVariant(source: Source, { variants, renditions }: MasterPlaylist): Variant {
  const [best] = variants.toSorted((a, b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
  if (best === undefined) throw unsupported(source, 'a playlist without variants');
  const group = best.attributes.get('AUDIO');
  const apart = renditions.some(({ type, groupId, url }) => type === 'AUDIO' && groupId === group && url !== undefined);
  if (apart)
    throw unsupported(source, 'a playlist whose sound is in a playlist of its own; join the two as two inputs');
  return best;
}

function usable(source: Source, playlist: MediaPlaylist): MediaPlaylist {
  const { segments, endList } = playlist;
  if (!endList) throw unsupported(source, 'a live stream that has not ended; start again when it has');
  if (segments.length === 0) throw unsupported(source, 'a playlist without segments');
  if (playlist.iFramesOnly) throw unsupported(source, 'a playlist of single pictures');
  if (segments.some(({ gap }) => gap)) throw unsupported(source, 'a playlist with missing segments');
  if (segments.some(({ keys }) => keys.length > 0)) throw unsupported(source, 'encrypted');
  if (segments.some(({ map }) => map !== undefined)) throw unsupported(source, 'made of fragmented MP4 segments');
  if (segments.some(({ byteRange }) => byteRange !== undefined)) throw unsupported(source, 'made of byte ranges');
  return playlist;
}

function unsupported(source: Source, what: string): MillraceError {
  return new MillraceError('source_unsupported', `${source.name} is ${what}, which cannot be rendered.`);
}
