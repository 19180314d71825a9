import type { Picture } from '../../../parsing/picture.ts';
import {
  count,
  defined,
  dig,
  type Fields,
  fields,
  flag,
  isFields,
  list,
  text,
  unlessEmpty,
} from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { addUnread, countKinds, type UnreadKinds } from '../../unread.ts';
import { shortcodeOf } from '../links.ts';
import { idOf, readAccount } from './account.ts';
import { durationOf, fileFacts, type Size, withSide } from './cdn.ts';
import { readComments } from './comments.ts';
import { holdsManifest, manifestIn } from './manifest-text.ts';
import { readParts } from './parts.ts';
import { uniquePictures } from './pictures.ts';
import type { Post, PostMedia, VideoFile } from './post.ts';

/** Reads a post in the format of the site's older queries (`__typename` Graph… or XDTGraph…). */
export function readGraphPost(value: unknown): Post | undefined {
  const media = fields(value);
  const id = idOf(media.id) ?? text(media.id);
  const code = shortcodeOf(media.shortcode);
  if (id === undefined || code === undefined) return undefined;
  const children = list(dig(media, 'edge_sidecar_to_children', 'edges')).map((edge) => dig(edge, 'node') ?? edge);
  const isSingle = media.is_video === true || /(?:Image|Video)$/.test(text(media.__typename) ?? '');
  const isCarousel = isFields(media.edge_sidecar_to_children) || !isSingle;
  const parts = readParts(media, children, isCarousel, readMedia);
  const place = fields(media.location);
  const sound = fields(media.clips_music_attribution_info);
  const comments = readComments(media.edge_media_to_parent_comment, (node) => ({
    id: idOf(node.id),
    author: node.owner,
    likeCount: count(dig(node, 'edge_liked_by', 'count')),
    replyCount: count(dig(node, 'edge_threaded_comments', 'count')),
  }));
  return {
    id,
    code,
    kind: isCarousel ? 'carousel' : parts.entries[0]?.isVideo ? 'video' : 'image',
    author: readAccount(media.owner),
    coauthors: list(media.coauthor_producers).map(readAccount),
    media: parts.entries,
    unread: addUnread(parts.unread, comments.unread, unlistedComments(media)),
    ...defined({
      productType: text(media.product_type),
      caption: text(dig(media, 'edge_media_to_caption', 'edges', 0, 'node', 'text')),
      takenAt: count(media.taken_at_timestamp),
      // The site sends -1 if the likes are hidden.
      likeCount: count(dig(media, 'edge_media_preview_like', 'count')) ?? count(dig(media, 'edge_liked_by', 'count')),
      commentCount:
        count(dig(media, 'edge_media_to_parent_comment', 'count')) ??
        count(dig(media, 'edge_media_to_comment', 'count')) ??
        count(media.comment_count),
      playCount: count(media.video_play_count),
      // Reels count plays instead, so zero means that the count is unknown.
      viewCount: count(media.video_view_count) || undefined,
      countsHidden: flag(media.like_and_view_counts_disabled),
      paidPartnership: flag(media.is_paid_partnership),
      location: text(place.name) === undefined ? undefined : defined({ id: idOf(place.id), name: text(place.name) }),
      music:
        Object.keys(sound).length === 0
          ? undefined
          : defined({
              kind: sound.uses_original_audio === true ? 'original' : 'song',
              id: idOf(sound.audio_id),
              title: text(sound.song_name),
              artist: text(sound.artist_name),
            }),
      comments: unlessEmpty(comments.entries),
    }),
  };
}

/** Counts the list of comments if it is missing from a post with comments. All recorded responses to queries have it. */
function unlistedComments(media: Fields): UnreadKinds {
  if (!isQueried(media) || Object.hasOwn(media, 'edge_media_to_parent_comment')) return {};
  const others = Object.entries(media).flatMap(([name, value]) => (/comment/.test(name) ? [fields(value)] : []));
  const hasComments = others.some(
    (other) => count(other.count) || Object.values(other).some((edges) => list(edges)[0]),
  );
  return hasComments ? { comments: 1 } : {};
}

/** Reads an image or video. Returns undefined if it has no files in the places where the site lists them. */
function readMedia(value: unknown): PostMedia | undefined {
  const media = fields(value);
  const [width, height] = [count(dig(media, 'dimensions', 'width')), count(dig(media, 'dimensions', 'height'))];
  const kind = text(media.__typename) ?? '';
  const isVideo = media.is_video === true || kind.endsWith('Video');
  const isImage = media.is_video === false || kind.endsWith('Image');
  const url = isVideo ? httpSiteUrl(media.video_url) : undefined;
  const manifest = manifestIn(dig(media, 'dash_info', 'video_dash_manifest'));
  const images = readImages(media, isVideo, width && height ? { width, height } : undefined);
  const hasVideo = url !== undefined || manifest !== undefined;
  // Embed pages omit the file of videos with licensed music. In queries, a video without one has an unknown format.
  const isWithheld = !media.video_url && (kind === 'GraphVideo' || Object.hasOwn(media, 'video_url'));
  if (isVideo ? !hasVideo && !(isWithheld && images.length > 0) : !isImage || images.length === 0) return undefined;
  return {
    isVideo,
    hasAudio: media.has_audio !== false,
    videos: url === undefined ? [] : [readVideo(url, width, height)],
    images,
    taggedUsers: list(dig(media, 'edge_media_to_tagged_user', 'edges')).map((edge) =>
      readAccount(dig(edge, 'node', 'user')),
    ),
    unread: unreadFiles(media, isVideo),
    ...defined({
      id: idOf(media.id),
      width,
      height,
      duration: durationOf(media.video_duration, manifest, url),
      manifest,
      alt: text(media.accessibility_caption),
    }),
  };
}

/**
 * Counts the members with a file that are missing, which all recorded responses to queries have, and a manifest under
 * another name.
 */
function unreadFiles(media: Fields, isVideo: boolean): UnreadKinds {
  if (!isQueried(media)) return {};
  const names = isVideo ? ['video_url', 'display_url'] : ['display_url'];
  const isMoved = manifestIn(dig(media, 'dash_info', 'video_dash_manifest')) === undefined && holdsManifest(media);
  return countKinds([...names.filter((name) => !Object.hasOwn(media, name)), ...(isMoved ? ['dash_info'] : [])]);
}

/**
 * Returns whether a post or its part is from a query's response, and not of a type of embed pages (`GraphVideo`), which
 * omit some members.
 */
function isQueried({ __typename }: Fields): boolean {
  return text(__typename)?.startsWith('Graph') !== true;
}

/**
 * Reads a video file. Takes its size from its link if possible, because the file is often smaller than the
 * `dimensions` in the response.
 */
function readVideo(url: string, width: number | undefined, height: number | undefined): VideoFile {
  const { side, bitrate } = fileFacts(url);
  if (!width || !height) return { url, ...defined({ bitrate }) };
  const size = side === undefined ? { width, height } : withSide({ width, height }, side);
  return { url, ...size, ...defined({ bitrate }) };
}

function readImages(media: Readonly<Record<string, unknown>>, isVideo: boolean, original: Size | undefined): Picture[] {
  const resources = list(media.display_resources).map((resource) => {
    const [width, height] = [count(dig(resource, 'config_width')), count(dig(resource, 'config_height'))];
    return { url: httpSiteUrl(dig(resource, 'src')), size: width && height ? { width, height } : undefined };
  });
  const listed = [...resources, { url: httpSiteUrl(media.display_url), size: original }];
  const pictures = uniquePictures(listed, isVideo ? undefined : original);
  return pictures.length > 0
    ? pictures
    : uniquePictures([{ url: httpSiteUrl(media.thumbnail_src), size: undefined }], undefined);
}
