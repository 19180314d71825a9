import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, dig, fields, flag, httpUrl, isoTime, list, text } from '../../../parsing/values.ts';
import { idOf, presentAccount, readAccount } from './account.ts';
import { fileFacts, isCropped, pictureSize, type Size, withSide } from './cdn.ts';
import { readMusic } from './music.ts';
import type { Comment, Post, PostMedia, VideoFile } from './post.ts';

/** Reads a post in the formats of the site's app and of its page for signed-out visitors (`media_type` numbers). */
export function readRestPost(value: unknown): Post | undefined {
  const media = fields(value);
  const id = idOf(media.pk) ?? idOf(media.id);
  const code = text(media.code);
  if (id === undefined || code === undefined) return undefined;
  const children = list(media.carousel_media);
  const parts = (children.length > 0 ? children : [media]).map(readMedia);
  const hidden = flag(media.like_and_view_counts_disabled);
  const location = fields(media.location);
  return {
    id,
    code,
    kind: children.length > 0 ? 'carousel' : parts[0]?.isVideo ? 'video' : 'image',
    author: readAccount({ ...fields(media.owner), ...fields(media.user) }),
    coauthors: list(media.coauthor_producers).map(readAccount),
    media: parts,
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

function readMedia(value: unknown): PostMedia {
  const media = fields(value);
  const original = sizeOf(media.original_width, media.original_height);
  const versions = list(media.video_versions);
  const isVideo = media.media_type === 2 || versions.length > 0;
  const videos = isVideo ? readVideos(versions, original) : [];
  const manifest = text(media.video_dash_manifest);
  return {
    isVideo,
    hasAudio: media.has_audio !== false,
    videos,
    images: readImages(media, original),
    taggedUsers: list(dig(media, 'usertags', 'in')).map((tag) => readAccount(dig(tag, 'user'))),
    ...defined({
      id: idOf(media.pk) ?? idOf(media.id),
      width: original?.width,
      height: original?.height,
      duration:
        count(media.video_duration) ?? (videos[0] === undefined ? undefined : fileFacts(videos[0].url).duration),
      manifest: manifest?.includes('<MPD') ? manifest : undefined,
      alt: text(media.accessibility_caption),
    }),
  };
}

/** Returns the files of a video, each once. The site lists the same address for several types. */
function readVideos(versions: readonly unknown[], original: Size | undefined): VideoFile[] {
  const byUrl = new Map<string, VideoFile>();
  for (const version of versions) {
    const url = httpUrl(dig(version, 'url'));
    if (url === undefined || byUrl.has(url)) continue;
    const { side, bitrate } = fileFacts(url);
    const ownSize = sizeOf(dig(version, 'width'), dig(version, 'height'));
    const size = ownSize ?? (original !== undefined && side !== undefined ? withSide(original, side) : original);
    const file = { url, ...size, ...defined({ id: text(dig(version, 'id')), bitrate }) };
    byUrl.set(url, file);
  }
  return [...byUrl.values()];
}

function readImages(media: Readonly<Record<string, unknown>>, original: Size | undefined): Picture[] {
  const candidates = list(dig(media, 'image_versions2', 'candidates')).flatMap((candidate): Picture[] => {
    const url = httpUrl(dig(candidate, 'url'));
    if (url === undefined || isCropped(url)) return [];
    return [{ url, ...(sizeOf(dig(candidate, 'width'), dig(candidate, 'height')) ?? pictureSize(url, original)) }];
  });
  const display = httpUrl(media.display_uri);
  if (candidates.length > 0 || display === undefined) return candidates;
  return [{ url: display, ...pictureSize(display, original) }];
}

function sizeOf(width: unknown, height: unknown): Size | undefined {
  const [w, h] = [count(width), count(height)];
  return w === undefined || h === undefined || w * h === 0 ? undefined : { width: w, height: h };
}

function placeOf(location: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
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
export function readRestComments(connection: unknown): Comment[] {
  return list(dig(connection, 'edges')).flatMap((edge): Comment[] => {
    const node = fields(dig(edge, 'node'));
    const [id, words] = [idOf(node.pk), text(node.text)];
    if (id === undefined || words === undefined) return [];
    return [
      {
        type: 'comment',
        id,
        author: presentAccount(readAccount(node.user)),
        text: words,
        ...defined({
          publishedAt: isoTime(count(node.created_at)),
          likeCount: count(node.comment_like_count),
          replyCount: count(node.child_comment_count),
        }),
      },
    ];
  });
}
