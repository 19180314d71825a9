import type { Subjects } from '../../../contract/subjects.ts';
import { count, defined, dig, fields, flag, text } from '../../../parsing/values.ts';
import type { MetadataPart, PartPath } from '../../platform.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { idOf, readAccount } from './account.ts';

/** The audio track of a reel or photo, as responses describe it. */
export type Music = Readonly<Record<string, unknown>>;

/**
 * Reads the audio track of a reel or photo: a song, or the original audio of a reel. Returns undefined if there is
 * none.
 */
export function readMusic(metadata: unknown): Music | undefined {
  const original = fields(dig(metadata, 'original_sound_info'));
  if (Object.keys(original).length > 0) {
    const artist = readAccount(original.ig_artist);
    return defined({
      kind: 'original',
      id: idOf(original.audio_asset_id),
      title: text(original.original_audio_title),
      artist: artist.name ?? artist.username,
      artistId: artist.id,
      artistUsername: artist.username,
      duration: seconds(original.duration_in_ms),
      explicit: flag(original.is_explicit),
      url: httpSiteUrl(original.progressive_download_url) ?? baseUrlOf(original.dash_manifest),
    });
  }
  const info = dig(metadata, 'music_info');
  const song = fields(dig(info, 'music_asset_info'));
  if (Object.keys(song).length === 0) return undefined;
  return defined({
    kind: 'song',
    id: idOf(song.audio_cluster_id) ?? idOf(song.id),
    assetId: idOf(song.audio_asset_id) ?? idOf(song.id),
    title: text(song.title),
    artist: text(song.display_artist),
    artistId: idOf(dig(info, 'music_consumption_info', 'ig_artist', 'pk')),
    artistUsername: text(song.ig_username),
    cover: httpSiteUrl(song.cover_artwork_uri) ?? httpSiteUrl(song.cover_artwork_thumbnail_uri),
    duration: seconds(song.duration_in_ms),
    explicit: flag(song.is_explicit),
    url:
      httpSiteUrl(song.fast_start_progressive_download_url) ??
      httpSiteUrl(song.progressive_download_url) ??
      baseUrlOf(dig(info, 'music_consumption_info', 'dash_manifest')) ??
      baseUrlOf(song.dash_manifest) ??
      httpSiteUrl(song.web_30s_preview_download_url),
  });
}

/** Returns the audio tracks and the accounts that music belongs to. */
export function subjectsOfMusic({ id, assetId, artistId, artistUsername }: Music): Subjects {
  const known = (...names: readonly unknown[]) => names.filter((name) => typeof name === 'string');
  const handle = typeof artistUsername === 'string' ? `@${artistUsername}` : undefined;
  return { items: known(id, assetId), channels: known(artistId, handle) };
}

/** Returns music with a link to its file as a part of the metadata, if there is any. */
export function partsOfMusic(music: Music | undefined, path: PartPath): readonly MetadataPart[] {
  return music?.url === undefined ? [] : [{ path, subjects: subjectsOfMusic(music) }];
}

function seconds(milliseconds: unknown): number | undefined {
  const value = count(milliseconds);
  return value === undefined ? undefined : value / 1000;
}

/** Returns the first address of a small manifest with one file. */
function baseUrlOf(manifest: unknown): string | undefined {
  return httpSiteUrl(
    /<BaseURL>([^<]{1,4000})<\/BaseURL>/
      .exec(text(manifest) ?? '')?.[1]
      ?.replaceAll('&amp;', '&')
      .trim(),
  );
}
