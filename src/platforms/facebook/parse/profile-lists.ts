import { mergedSubjects, type Subjects } from '../../../contract/subjects.ts';
import { defined, dig, type Fields, fields, isoTime, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { addUnread, countKinds, kindOf, type UnreadKinds } from '../../unread.ts';
import { SITE } from '../links.ts';
import { readOwner } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readCreationTime } from './creation-time.ts';
import { feedbackCopies, readCounts } from './feedback.ts';
import { nativeLinks } from './native-links.ts';
import { largestFirst, readPictures } from './pictures.ts';
import { subjectsOfEntry } from './post-subjects.ts';
import { readMessage } from './post-text.ts';
import { pick, type Records } from './records.ts';
import { videoTitle } from './title.ts';
import { unreadError } from './unread-content.ts';
import { readVideoFacts } from './video.ts';

/** A photo, reel or video of a list, with links to its files. */
export interface ListEntry {
  readonly item: Fields;
  /** The items and channels that it belongs to. */
  readonly subjects: Subjects;
}

/** A page of a profile's photos or reels. */
export interface ListPage {
  readonly entries: readonly ListEntry[];
  /** The list's own ID, and the cursor of its next page. Absent on the last page. */
  readonly next?: { readonly collection: string; readonly cursor: string };
  /** Whether the list is that of another tab. */
  readonly isFallback?: boolean;
  /** Whether the site has further items, but no known request for them. */
  readonly isCut?: boolean;
  /** Entries of unknown kinds. */
  readonly unread: UnreadKinds;
}

const MAX_ITEMS = 100;

/** Reads a page of photos. Returns undefined if there is no such list. */
export function readPhotos(records: Records) {
  const collection = records.having('pageItems').find((copy) => Array.isArray(dig(copy, 'pageItems', 'edges')));
  return collection === undefined ? undefined : readList(collection, 'pageItems', records, (edge) => readPhoto(edge));
}

function readPhoto(edge: unknown): ListEntry[] {
  const entry = dig(edge, 'node');
  const photo = fields(dig(entry, 'node'));
  const id = text(photo.id);
  const pictures = readPictures([photo, fields(entry)]);
  if (id === undefined || pictures.length === 0) return [];
  const item = defined({
    type: 'photo',
    id,
    url: cleanLink(dig(entry, 'url')) ?? `${SITE}/photo/?fbid=${id}`,
    title: text(photo.accessibility_caption),
    thumbnails: largestFirst(pictures),
  });
  return [{ item, subjects: subjectsOfEntry([photo], item) }];
}

/** Reads a page of reels. Returns undefined if there is no such list. */
export function readReels(records: Records) {
  const member = 'aggregated_fb_shorts';
  const collection = records.having(member).find((copy) => Array.isArray(dig(copy, member, 'edges')));
  return collection === undefined ? undefined : readList(collection, member, records, readReel);
}

function readReel(edge: unknown, records: Records): ListEntry[] {
  const own = fields(dig(edge, 'profile_reel_node', 'node') ?? dig(edge, 'node'));
  const story = [own, ...records.copies(text(own.id)).filter((copy) => copy !== own)];
  const id = pick(story, (copy) => text(dig(copy, 'video', 'id')) ?? text(dig(copy, 'attachments', 0, 'media', 'id')));
  if (id === undefined) return [];
  return [reelEntry(id, story, records)];
}

/** Reads the videos of a profile's Videos tab, the fallback for profiles without a visible Reels tab. */
export function readVideos(records: Records): ListPage | undefined {
  const connections = ['all_videos', 'latest_videos'].flatMap((name) => records.having(name).map((copy) => copy[name]));
  const lists = connections.map((connection) => list(dig(connection, 'edges')));
  if (!connections.some((connection) => Array.isArray(dig(connection, 'edges')))) return undefined;
  const entries = [...new Set(lists.flat().map(videoIdOf))]
    .filter((id) => id !== undefined)
    .slice(0, MAX_ITEMS)
    .map((id) => videoEntry(id, records));
  // The lists have the same videos, so the longest one counts.
  const [longest = []] = lists.toSorted((a, b) => b.length - a.length);
  const unread = countKinds([
    ...longest.filter((edge) => videoIdOf(edge) === undefined).map(kindOfEdge),
    ...(records.having('all_videos').length === 0 ? ['tab without all_videos'] : []),
  ]);
  expectEntries(entries, unread);
  const isCut = connections.some((connection) => dig(connection, 'page_info', 'has_next_page') === true);
  return { entries, unread, isCut, isFallback: true };
}

function videoIdOf(edge: unknown): string | undefined {
  return text(dig(edge, 'node', 'video', 'id')) ?? text(dig(edge, 'node', 'id'));
}

/** Returns an entry of the Videos tab, in which each video has its own post. */
function videoEntry(id: string, records: Records): ListEntry {
  const copies = records.copies(id);
  const address = pick(copies, (copy) => cleanLink(copy.canonical_uri_with_fallback ?? copy.permalink_url));
  const { width, height } = readVideoFacts(copies);
  // Since 2025, the site shows every video at /reel/ID. Only the shape tells the two apart, or else the address.
  const isReel = width !== undefined && height !== undefined ? height > width : address?.includes('/reel/') === true;
  const stories = copies.map(({ creation_story: story }) => fields(story));
  const entry = reelEntry(id, stories, records);
  if (isReel) return entry;
  const item = { ...entry.item, type: 'video', url: address ?? `${SITE}/watch/?v=${id}` };
  return { item, subjects: mergedSubjects(entry.subjects, subjectsOfEntry(copies, item)) };
}

function reelEntry(id: string, story: readonly Fields[], records: Records): ListEntry {
  const context = story.map((copy) => fields(copy.short_form_video_context));
  const media = [...records.copies(id), ...context];
  const { duration, width, height } = readVideoFacts(media);
  const message = readMessage([...story, ...media])?.text;
  const link = (label: string) => nativeLinks(media).find((native) => native.label === label)?.url;
  const item = defined({
    type: 'reel',
    id,
    postId: pick(story, (copy) => text(copy.post_id)),
    url: `${SITE}/reel/${id}`,
    title: videoTitle(media) ?? message,
    caption: message,
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
  return { item, subjects: subjectsOfEntry(media, item) };
}

/**
 * Reads a page of a list.
 *
 * @throws UnreadResponseError if it has entries, but all are of unknown kinds.
 */
function readList(
  collection: Fields,
  member: string,
  records: Records,
  read: (edge: unknown, records: Records) => ListEntry[],
): ListPage {
  const connection = collection[member];
  const edges = list(dig(connection, 'edges')).slice(0, MAX_ITEMS);
  const found = edges.map((edge) => ({ edge, entries: read(edge, records) }));
  const entries = found.flatMap((each) => each.entries);
  const unread = countKinds(found.flatMap((each) => (each.entries.length === 0 ? [kindOfEdge(each.edge)] : [])));
  expectEntries(entries, unread);
  const { next, unread: unreadNext } = readNext(collection, connection, edges);
  return { entries, unread: addUnread(unread, unreadNext), ...(next === undefined ? {} : { next }) };
}

/** Reads where the next page starts. A list that does not state its end is treated as incomplete. */
function readNext(collection: Fields, connection: unknown, edges: readonly unknown[]) {
  const hasNext = dig(connection, 'page_info', 'has_next_page');
  if (hasNext === false || (edges.length === 0 && hasNext !== true)) return {};
  const cursor = text(dig(connection, 'page_info', 'end_cursor')) ?? text(dig(edges.at(-1), 'cursor'));
  const id = text(collection.id);
  const next = cursor === undefined || id === undefined ? undefined : { collection: id, cursor };
  return { next, unread: next === undefined || hasNext !== true ? { page_info: 1 } : {} };
}

function expectEntries(entries: readonly ListEntry[], unread: UnreadKinds): void {
  if (entries.length === 0 && Object.keys(unread).length > 0) throw unreadError(unread);
}

function kindOfEdge(edge: unknown): string {
  const node = dig(edge, 'node');
  return kindOf(dig(edge, 'profile_reel_node', 'node'), kindOf(dig(node, 'node'), kindOf(node, 'list_entry')));
}
