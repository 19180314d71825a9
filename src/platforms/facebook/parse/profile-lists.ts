import { defined, dig, type Fields, fields, isoTime, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { SITE } from '../links.ts';
import { readOwner } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readCreationTime } from './creation-time.ts';
import { feedbackCopies, readCounts } from './feedback.ts';
import { nativeLinks } from './native-links.ts';
import { largestFirst, readPictures } from './pictures.ts';
import { readMessage } from './post-text.ts';
import { pick, type Records } from './records.ts';
import { readVideoFacts } from './video.ts';

/** A page of a profile's photos or reels. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The list's own ID, and the cursor of its next page. Absent on the last page. */
  readonly next?: { readonly collection: string; readonly cursor: string };
}

const MAX_ITEMS = 100;

/** Reads a page of photos. Returns undefined if there is no such list. */
export function readPhotos(records: Records) {
  const collection = records.having('pageItems').find((copy) => Array.isArray(dig(copy, 'pageItems', 'edges')));
  return collection === undefined ? undefined : readList(collection, 'pageItems', records, (edge) => readPhoto(edge));
}

function readPhoto(edge: unknown) {
  const entry = dig(edge, 'node');
  const photo = fields(dig(entry, 'node'));
  const id = text(photo.id);
  const pictures = readPictures([photo, fields(entry)]);
  if (id === undefined || pictures.length === 0) return [];
  return [
    defined({
      type: 'photo',
      id,
      url: cleanLink(dig(entry, 'url')) ?? `${SITE}/photo/?fbid=${id}`,
      title: text(photo.accessibility_caption),
      thumbnails: largestFirst(pictures),
    }),
  ];
}

/** Reads a page of reels. Returns undefined if there is no such list. */
export function readReels(records: Records) {
  const member = 'aggregated_fb_shorts';
  const collection = records.having(member).find((copy) => Array.isArray(dig(copy, member, 'edges')));
  return collection === undefined ? undefined : readList(collection, member, records, readReel);
}

function readReel(edge: unknown, records: Records) {
  const own = fields(dig(edge, 'profile_reel_node', 'node') ?? dig(edge, 'node'));
  const story = [own, ...records.copies(text(own.id)).filter((copy) => copy !== own)];
  const id = pick(story, (copy) => text(dig(copy, 'video', 'id')) ?? text(dig(copy, 'attachments', 0, 'media', 'id')));
  if (id === undefined) return [];
  return [reelItem(id, story, records)];
}

/** Reads the videos of a profile's Videos tab, the fallback for profiles without a visible Reels tab. */
export function readVideos(records: Records): ListPage<object> | undefined {
  const members = ['all_videos', 'latest_videos'];
  const edges = members.flatMap((name) => records.having(name).flatMap((copy) => list(dig(copy, name, 'edges'))));
  if (edges.length === 0) return undefined;
  const ids = edges.flatMap((edge) => text(dig(edge, 'node', 'video', 'id')) ?? text(dig(edge, 'node', 'id')) ?? []);
  return { items: [...new Set(ids)].slice(0, MAX_ITEMS).map((id) => reelItem(id, [], records)) };
}

function reelItem(id: string, story: readonly Fields[], records: Records) {
  const context = story.map((copy) => fields(copy.short_form_video_context));
  const media = [...records.copies(id), ...context];
  const { duration, width, height } = readVideoFacts(media);
  const link = (label: string) => nativeLinks(media).find((native) => native.label === label)?.url;
  return defined({
    type: 'reel',
    id,
    postId: pick(story, (copy) => text(copy.post_id)),
    url: `${SITE}/reel/${id}`,
    title: readMessage([...story, ...media])?.text ?? pick(media, (copy) => text(dig(copy, 'title', 'text'))),
    thumbnails: unlessEmpty(readPictures(media)),
    duration,
    width,
    height,
    publishedAt: isoTime(readCreationTime([...story, ...media])),
    music: pick(context, (copy) => text(copy.track_title)),
    author: readOwner(story, media, records),
    nativeHdUrl: link('native_hd'),
    nativeSdUrl: link('native_sd'),
    ...readCounts(feedbackCopies(story, media, records), media),
  });
}

function readList<Item>(
  collection: Fields,
  member: string,
  records: Records,
  read: (edge: unknown, records: Records) => Item[],
): ListPage<Item> {
  const connection = collection[member];
  const items = list(dig(connection, 'edges'))
    .slice(0, MAX_ITEMS)
    .flatMap((edge) => read(edge, records));
  const cursor = text(dig(connection, 'page_info', 'end_cursor'));
  const id = text(collection.id);
  const more = dig(connection, 'page_info', 'has_next_page') === true;
  return { items, ...(more && cursor !== undefined && id !== undefined ? { next: { collection: id, cursor } } : {}) };
}
