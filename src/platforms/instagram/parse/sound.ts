import { boundedPattern } from '../../../contract/bounded-pattern.ts';
import { count, defined, dig, fields, flag, list, parseJson, text } from '../../../parsing/values.ts';
import { readMusic } from './music.ts';
import { openGraph } from './page.ts';
import type { Post } from './post.ts';
import { readRestPost } from './rest-post.ts';

/** An audio track, and the reels that use it. */
export interface SoundPage {
  readonly posts: readonly Post[];
  readonly audio: Record<string, unknown>;
  /** The cursor of the next page. */
  readonly cursor?: string;
}

/**
 * Reads a response of the site's interface, with or without its wrapper. Returns undefined if it contains no audio
 * track.
 */
export function readSound(body: string): SoundPage | undefined {
  const response = parseJson(body.replace(/^for \(;;\);/, ''));
  const sound = fields(dig(response, 'payload') ?? response);
  const audio = readMusic(sound.metadata);
  const posts = list(sound.items).flatMap((item) => readRestPost(dig(item, 'media')) ?? []);
  if (audio === undefined && posts.length === 0) return undefined;
  const cursor = flag(dig(sound, 'paging_info', 'more_available'))
    ? text(dig(sound, 'paging_info', 'max_id'))
    : undefined;
  return {
    posts,
    audio: {
      ...audio,
      ...defined({
        reelCount: count(dig(sound, 'media_count', 'clips_count')),
        photoCount: count(dig(sound, 'media_count', 'photos_count')),
        reelCountText: text(sound.formatted_media_count),
        restricted: flag(sound.is_music_page_restricted),
        spotifyTrackId: text(dig(sound, 'spotify_track_metadata', 'spotify_track_id')),
      }),
    },
    ...(cursor === undefined ? {} : { cursor }),
  };
}

const readTitle = boundedPattern(/^(.{1,300}?) \| (.{1,300}) on Instagram$/s, 616);

/** Reads the head of an audio page: `Artist | Title on Instagram`. Returns undefined for any other page. */
export function readSoundPage(html: string): Record<string, unknown> | undefined {
  const match = readTitle(openGraph(html, 'title') ?? '');
  if (match === null) return undefined;
  return defined({ artist: match[1], title: match[2], cover: openGraph(html, 'image') });
}
