import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, dig, type Fields, fields, flag, list, text } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { createUnreadCounter, type UnreadKinds } from '../../unread.ts';
import { shortcodeOf } from '../links.ts';
import { idOf, readAccount } from './account.ts';
import { croppedSize, durationOf, fileFacts, type Size, withSide } from './cdn.ts';
import { readComments } from './comments.ts';
import { holdsManifest, manifestIn } from './manifest-text.ts';
import { readMusic } from './music.ts';
import { readParts } from './parts.ts';
import { uniquePictures } from './pictures.ts';
import type { Comment, Post, PostMedia, VideoFile } from './post.ts';
import type { ReadList } from './readable.ts';

/** Reads a post in the formats of the site's app and of its page for signed-out visitors (`media_type` numbers). */
export function readRestPost(value: unknown): Post | undefined {
  const media = fields(value);
  const id = idOf(media.pk) ?? idOf(media.id);
  const code = shortcodeOf(media.code);
  if (id === undefined || code === undefined) return undefined;
  const children = list(media.carousel_media);
  const isCarousel = children.length > 0 || saysCarousel(media);
  const parts = readParts(media, children, isCarousel, readMedia);
  const hidden = flag(media.like_and_view_counts_disabled);
  const location = fields(media.location);
  return {
    id,
    code,
    kind: isCarousel ? 'carousel' : parts.entries[0]?.isVideo ? 'video' : 'image',
    author: readAccount({ ...fields(media.owner), ...fields(media.user) }),
    coauthors: list(media.coauthor_producers).map(readAccount),
    media: parts.entries,
    unread: parts.unread,
    ...defined({
      productType: text(media.product_type),
      caption: text(dig(media, 'caption', 'text')),
      takenAt: count(media.taken_at),
      // If likes are hidden, the site still sends a number, which is meaningless.
      likeCount: hidden === true ? undefined : count(media.like_count),
      commentCount: count(media.comment_count),
      playCount: count(media.play_count) ?? count(media.ig_play_count),
      viewCount: count(media.view_count),
      countsHidden: hidden,
      paidPartnership: flag(media.is_paid_partnership),
      location: placeOf(location),
      music: readMusic(media.clips_metadata) ?? readMusic(media.music_metadata),
    }),
  };
}

function saysCarousel({ media_type, product_type, carousel_media_count, __typename }: Fields): boolean {
  return (
    media_type === 8 ||
    product_type === 'carousel_container' ||
    (count(carousel_media_count) ?? 0) > 1 ||
    /Carousel/.test(text(__typename) ?? '')
  );
}

/** Reads an image or video. Returns undefined if it has no files in the places where the site lists them. */
function readMedia(value: unknown): PostMedia | undefined {
  const media = fields(value);
  const original = sizeOf(media.original_width, media.original_height);
  const versions = list(media.video_versions);
  const kind = text(media.__typename) ?? '';
  const isVideo = media.media_type === 2 || versions.length > 0 || kind.includes('Video');
  const isImage = media.media_type === 1 || kind.includes('Image');
  const videos = isVideo ? readVideos(versions, original) : [];
  const manifest = manifestIn(media.video_dash_manifest);
  const images = readImages(media, isVideo, original);
  // The site withholds the files of some videos with an empty list. Without a list, the video has an unknown format.
  const isWithheld = versions.length === 0 && Object.hasOwn(media, 'video_versions');
  const hasVideo = videos.length > 0 || manifest !== undefined;
  if (isVideo ? !hasVideo && !(isWithheld && images.length > 0) : !isImage || images.length === 0) return undefined;
  return {
    isVideo,
    hasAudio: media.has_audio !== false,
    videos,
    images,
    taggedUsers: list(dig(media, 'usertags', 'in')).map((tag) => readAccount(dig(tag, 'user'))),
    unread: unreadFiles(media, isVideo),
    ...defined({
      id: idOf(media.pk) ?? idOf(media.id),
      width: original?.width,
      height: original?.height,
      duration: durationOf(media.video_duration, manifest, videos[0]?.url),
      manifest,
      alt: text(media.accessibility_caption),
    }),
  };
}

/**
 * Counts the files of an image or video that have no address in their lists, or one for a list that is missing. All
 * recorded posts have both lists, but many have no manifest, which counts under another name. The site withholds the files of a list by leaving it empty, or null.
 */
function unreadFiles(media: Fields, isVideo: boolean): UnreadKinds {
  const unread = createUnreadCounter();
  const check = (name: string, files: unknown) => {
    if (files === undefined) unread.add(name);
    else unread.add(name, list(files).filter((file) => httpSiteUrl(dig(file, 'url')) === undefined).length);
  };
  if (isVideo) {
    check('video_versions', media.video_versions);
    if (manifestIn(media.video_dash_manifest) === undefined && holdsManifest(media)) unread.add('video_dash_manifest');
  }
  if (media.image_versions2 !== null) check('image_versions2', dig(media, 'image_versions2', 'candidates'));
  return unread.kinds();
}

/** Returns the files of a video, each once. The site lists the same address for several types. */
function readVideos(versions: readonly unknown[], original: Size | undefined): VideoFile[] {
  const byUrl = new Map<string, VideoFile>();
  for (const version of versions) {
    const url = httpSiteUrl(dig(version, 'url'));
    if (url === undefined || byUrl.has(url)) continue;
    const { side, bitrate } = fileFacts(url);
    const ownSize = sizeOf(dig(version, 'width'), dig(version, 'height'));
    const size = ownSize ?? (original !== undefined && side !== undefined ? withSide(original, side) : original);
    const file = { url, ...size, ...defined({ id: text(dig(version, 'id')), bitrate }) };
    byUrl.set(url, file);
  }
  return [...byUrl.values()];
}

/** Returns the images that show the whole picture, or else the one that the site displays, which may be cropped. */
function readImages(media: Fields, isVideo: boolean, original: Size | undefined): Picture[] {
  const candidates = list(dig(media, 'image_versions2', 'candidates')).map((candidate) => ({
    url: httpSiteUrl(dig(candidate, 'url')),
    size: sizeOf(dig(candidate, 'width'), dig(candidate, 'height')),
  }));
  const whole = candidates.filter(({ url }) => url !== undefined && croppedSize(url) === undefined);
  // The cover of a video can be larger than the video, so that only the response has its size.
  const limit = isVideo && whole.every(({ size }) => size !== undefined) ? undefined : original;
  const pictures = uniquePictures(whole, limit);
  const display = httpSiteUrl(media.display_uri);
  if (pictures.length > 0 || display === undefined) return pictures;
  const size = croppedSize(display);
  return size === undefined ? uniquePictures([{ url: display, size }], original) : [{ url: display, ...size }];
}

function sizeOf(width: unknown, height: unknown): Size | undefined {
  const [w, h] = [count(width), count(height)];
  return w === undefined || h === undefined || w * h === 0 ? undefined : { width: w, height: h };
}

function placeOf(location: Fields): Record<string, unknown> | undefined {
  const name = text(location.name);
  if (name === undefined) return undefined;
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
  return defined({
    id: idOf(location.pk) ?? idOf(location.id),
    name,
    latitude: number(location.lat),
    longitude: number(location.lng),
    address: text(location.address),
    city: text(location.city),
  });
}

/** Reads the comments of a connection whose nodes have the app's format. */
export function readRestComments(connection: unknown): ReadList<Comment> {
  return readComments(connection, (node) => ({
    id: idOf(node.pk),
    author: node.user,
    likeCount: count(node.comment_like_count),
    replyCount: count(node.child_comment_count),
  }));
}
