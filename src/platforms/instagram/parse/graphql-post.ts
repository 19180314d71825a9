import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, dig, fields, flag, httpUrl, isoTime, list, text } from '../../../parsing/values.ts';
import { idOf, presentAccount, readAccount } from './account.ts';
import { fileFacts, withSide } from './cdn.ts';
import type { Comment, Post, PostMedia, VideoFile } from './post.ts';

/** Reads a post in the format of the site's older queries (`__typename` Graph… or XDTGraph…). */
export function readGraphPost(value: unknown): Post | undefined {
  const media = fields(value);
  const id = idOf(media.id) ?? text(media.id);
  const code = text(media.shortcode);
  if (id === undefined || code === undefined) return undefined;
  const children = list(dig(media, 'edge_sidecar_to_children', 'edges')).map((edge) => dig(edge, 'node'));
  const parts = (children.length > 0 ? children : [media]).map(readMedia);
  const place = fields(media.location);
  const sound = fields(media.clips_music_attribution_info);
  const comments = readComments(media.edge_media_to_parent_comment);
  return {
    id,
    code,
    kind: children.length > 0 ? 'carousel' : parts[0]?.isVideo ? 'video' : 'image',
    author: readAccount(media.owner),
    coauthors: list(media.coauthor_producers).map(readAccount),
    media: parts,
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
      comments: comments.length > 0 ? comments : undefined,
    }),
  };
}

function readMedia(value: unknown): PostMedia {
  const media = fields(value);
  const [width, height] = [count(dig(media, 'dimensions', 'width')), count(dig(media, 'dimensions', 'height'))];
  const isVideo = media.is_video === true || /Video$/.test(text(media.__typename) ?? '');
  const url = isVideo ? httpUrl(media.video_url) : undefined;
  const manifest = text(dig(media, 'dash_info', 'video_dash_manifest'));
  return {
    isVideo,
    hasAudio: media.has_audio !== false,
    videos: url === undefined ? [] : [readVideo(url, width, height)],
    images: readImages(media, defined({ width, height })),
    taggedUsers: list(dig(media, 'edge_media_to_tagged_user', 'edges')).map((edge) =>
      readAccount(dig(edge, 'node', 'user')),
    ),
    ...defined({
      id: idOf(media.id),
      width,
      height,
      duration: count(media.video_duration) ?? (url === undefined ? undefined : fileFacts(url).duration),
      manifest: manifest?.includes('<MPD') ? manifest : undefined,
      alt: text(media.accessibility_caption),
    }),
  };
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

function readImages(media: Readonly<Record<string, unknown>>, whole: { width?: number; height?: number }): Picture[] {
  const byUrl = new Map<string, Picture>();
  const add = (url: string | undefined, size: { width?: number; height?: number }) => {
    if (url !== undefined && !byUrl.has(url)) byUrl.set(url, { url, ...size });
  };
  for (const resource of list(media.display_resources)) {
    const size = defined({
      width: count(dig(resource, 'config_width')),
      height: count(dig(resource, 'config_height')),
    });
    add(httpUrl(dig(resource, 'src')), size);
  }
  add(httpUrl(media.display_url), whole);
  if (byUrl.size === 0) add(httpUrl(media.thumbnail_src), {});
  return [...byUrl.values()];
}

function readComments(connection: unknown): Comment[] {
  return list(dig(connection, 'edges')).flatMap((edge): Comment[] => {
    const node = fields(dig(edge, 'node'));
    const [id, words] = [idOf(node.id), text(node.text)];
    if (id === undefined || words === undefined) return [];
    return [
      {
        type: 'comment',
        id,
        author: presentAccount(readAccount(node.owner)),
        text: words,
        ...defined({
          publishedAt: isoTime(count(node.created_at)),
          likeCount: count(dig(node, 'edge_liked_by', 'count')),
          replyCount: count(dig(node, 'edge_threaded_comments', 'count')),
        }),
      },
    ];
  });
}
