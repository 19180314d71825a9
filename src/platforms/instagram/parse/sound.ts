import { boundedPattern } from '../../../contract/bounded-pattern.ts';
import { count, defined, dig, type Fields, fields, flag, isFields, text } from '../../../parsing/values.ts';
import { addUnread, type UnreadKinds } from '../../unread.ts';
import { parseAnswer } from './answer.ts';
import { readMusic } from './music.ts';
import { openGraph } from './page.ts';
import type { Post } from './post.ts';
import { type ReadList, readList } from './readable.ts';
import { readRestPost } from './rest-post.ts';

/** An audio track, and the reels that use it. */
export interface SoundPage {
  readonly posts: readonly Post[];
  /** Reels that could not be read. */
  readonly unread: UnreadKinds;
  readonly audio: Record<string, unknown>;
  /** The cursor of the next page. */
  readonly cursor?: string;
}

/**
 * Reads a response of the site's interface, with or without its wrapper. Returns undefined if it contains no audio
 * track.
 */
export function readSound(body: string): SoundPage | undefined {
  const response = parseAnswer(body);
  const sound = fields(dig(response, 'payload') ?? response);
  const audio = readMusic(sound.metadata);
  const { entries: posts, unread } = readReels(sound);
  if (audio === undefined && posts.length === 0 && Object.keys(unread).length === 0) return undefined;
  const cursor = flag(dig(sound, 'paging_info', 'more_available'))
    ? text(dig(sound, 'paging_info', 'max_id'))
    : undefined;
  return {
    posts,
    unread: addUnread(unread, ...posts.map((post) => post.unread)),
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

/** Lists of the response that do not contain reels. */
const otherLists = new Set(['audio_page_segments', 'available_tabs']);

/** Reads the reels. If the response has other lists in their place, each of these is one entry that could not be read. */
function readReels(sound: Fields): ReadList<Post> {
  if (Array.isArray(sound.items)) return readList(sound.items, readReel, 'items');
  const unknown = Object.entries(sound).filter(
    ([name, value]) => !otherLists.has(name) && Array.isArray(value) && value.some(isFields),
  );
  return { entries: [], unread: Object.fromEntries(unknown.map(([name]) => [name.slice(0, 80), 1])) };
}

function readReel(item: unknown): Post | undefined {
  const post = readRestPost(dig(item, 'media') ?? item);
  return post === undefined || post.media.length === 0 ? undefined : post;
}

const readTitle = boundedPattern(/^(.{1,300}?) \| (.{1,300}) on Instagram$/s, 616);

/** Reads the head of an audio page: `Artist | Title on Instagram`. Returns undefined for any other page. */
export function readSoundPage(html: string): Record<string, unknown> | undefined {
  const match = readTitle(openGraph(html, 'title') ?? '');
  if (match === null) return undefined;
  return defined({ artist: match[1], title: match[2], cover: openGraph(html, 'image') });
}
