import { countMembers, parseDuration } from '../../../../parsing/numbers.ts';
import { defined, dig, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { playlistIdOf, playlistUrl, shortUrl, videoIdOf, videoUrl } from '../ids.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { ListItem, MixItem, PlaylistItem, VideoItem } from './list-item.ts';
import { readLockupMetadata } from './lockup-metadata.ts';
import { isAlbum, isMix, mixUrl } from './playlist.ts';

const VIDEO_KINDS: Readonly<Record<string, VideoItem['type']>> = {
  LOCKUP_CONTENT_TYPE_VIDEO: 'video',
  LOCKUP_CONTENT_TYPE_SHORT: 'short',
  LOCKUP_CONTENT_TYPE_MOVIE: 'movie',
};

const LIST_KINDS: Readonly<Record<string, PlaylistItem['kind']>> = {
  LOCKUP_CONTENT_TYPE_PLAYLIST: 'playlist',
  LOCKUP_CONTENT_TYPE_ALBUM: 'album',
  LOCKUP_CONTENT_TYPE_PODCAST: 'podcast',
  LOCKUP_CONTENT_TYPE_SHOW: 'show',
  LOCKUP_CONTENT_TYPE_COURSE: 'course',
};

/** Endless lists. STATION is a new name of the same (YouTube.js 1229, 2026-08). */
const MIX_KINDS = new Set(['LOCKUP_CONTENT_TYPE_MIX', 'LOCKUP_CONTENT_TYPE_STATION']);

/** Reads `lockupViewModel`, the common format of nearly all items since 2026. Returns undefined for an unknown type. */
export function readLockup(node: unknown): ListItem | undefined {
  const { contentType, contentId } = fields(node);
  const kind = String(contentType);
  if (Object.hasOwn(VIDEO_KINDS, kind)) {
    const id = videoIdOf(contentId);
    return id === undefined ? undefined : readVideoLockup(node, id, VIDEO_KINDS[kind] ?? 'video');
  }
  if (!Object.hasOwn(LIST_KINDS, kind) && !MIX_KINDS.has(kind)) return undefined;
  const id = playlistIdOf(contentId);
  if (id === undefined) return undefined;
  return MIX_KINDS.has(kind) || isMix(id)
    ? readMixLockup(node, id)
    : readListLockup(node, id, LIST_KINDS[kind] ?? 'playlist');
}

function readVideoLockup(node: unknown, id: string, kind: VideoItem['type']): VideoItem {
  const { contentImage, metadata } = fields(node);
  const picture = dig(contentImage, 'thumbnailViewModel');
  const facts = readLockupMetadata(dig(metadata, 'lockupMetadataViewModel'));
  const badge = readThumbnailBadge(picture);
  const live = badge.style.endsWith('_LIVE') || facts.viewCounts?.viewerCountText !== undefined;
  const upcoming =
    badge.style.endsWith('_UPCOMING') ||
    facts.viewCounts?.waitingCountText !== undefined ||
    /^(?:Premieres|Scheduled)\b/.test(facts.publishedText ?? '');
  const duration = parseDuration(badge.text);
  const title = readText(dig(metadata, 'lockupMetadataViewModel', 'title'));
  return {
    type: kind === 'video' && live && !upcoming ? 'live' : kind,
    id,
    ...defined({
      title,
      channel: facts.channel,
      collaborators: facts.collaborators,
      duration,
      durationText: duration === undefined ? undefined : badge.text,
      publishedText: facts.publishedText,
      upcoming: upcoming || undefined,
      membersOnly: facts.membersOnly || undefined,
      playable: duration === undefined && isHidden(title) ? false : undefined,
      index: playlistIndex(node),
      badges: unlessEmpty(facts.labels),
      thumbnails: unlessEmpty(readThumbnails(dig(picture, 'image'))),
    }),
    ...facts.viewCounts,
    url: kind === 'short' ? shortUrl(id) : videoUrl(id),
  };
}

function readListLockup(node: unknown, id: string, kind: PlaylistItem['kind']): PlaylistItem {
  const { contentImage, metadata } = fields(node);
  const picture = coverOf(contentImage);
  const facts = readLockupMetadata(dig(metadata, 'lockupMetadataViewModel'));
  const { text } = readThumbnailBadge(picture);
  return {
    type: 'playlist',
    kind: kind === 'playlist' ? kindOf(id, text) : kind,
    id,
    ...defined({
      title: readText(dig(metadata, 'lockupMetadataViewModel', 'title')),
      channel: facts.channel,
      updatedText: facts.updatedText,
      firstVideoId: firstVideo(node),
      thumbnails: unlessEmpty(readThumbnails(dig(picture, 'image'))),
    }),
    ...countMembers('videoCount', text),
    url: playlistUrl(id),
  };
}

function readMixLockup(node: unknown, id: string): MixItem {
  const { contentImage, metadata } = fields(node);
  const members = {
    title: readText(dig(metadata, 'lockupMetadataViewModel', 'title')),
    firstVideoId: firstVideo(node),
    thumbnails: unlessEmpty(readThumbnails(dig(coverOf(contentImage), 'image'))),
  };
  return { type: 'mix', id, ...defined(members), url: mixUrl(id, members.firstVideoId) };
}

/** Returns the kind of a playlist: "12 lessons" means a course. */
function kindOf(id: string, countText: string | undefined): PlaylistItem['kind'] {
  if (isAlbum(id)) return 'album';
  return countText !== undefined && /\blessons?$/.test(countText) ? 'course' : 'playlist';
}

function coverOf(contentImage: unknown): unknown {
  return (
    dig(contentImage, 'collectionThumbnailViewModel', 'primaryThumbnail', 'thumbnailViewModel') ??
    dig(contentImage, 'thumbnailViewModel')
  );
}

function firstVideo(node: unknown): string | undefined {
  return videoIdOf(dig(watchCommand(node), 'videoId'));
}

/** Returns the position of a playlist entry. The site counts from 0 here (recorded 2026-07). */
function playlistIndex(node: unknown): number | undefined {
  const { playlistId, index } = fields(watchCommand(node));
  const inPlaylist = playlistIdOf(playlistId) !== undefined && typeof index === 'number';
  return inPlaylist && Number.isSafeInteger(index) && index >= 0 ? index + 1 : undefined;
}

/** Returns whether a title is the site's placeholder for a hidden playlist entry. */
function isHidden(title: string | undefined): boolean {
  return title === '[Private video]' || title === '[Deleted video]';
}

function watchCommand(node: unknown): unknown {
  return dig(node, 'rendererContext', 'commandContext', 'onTap', 'innertubeCommand', 'watchEndpoint');
}

/** Reads the first badge on a thumbnail: a duration, "LIVE", "12 videos". It is in one of two overlays. */
function readThumbnailBadge(picture: unknown): { readonly text: string | undefined; readonly style: string } {
  for (const overlay of list(dig(picture, 'overlays'))) {
    const badges =
      dig(overlay, 'thumbnailBottomOverlayViewModel', 'badges') ??
      dig(overlay, 'thumbnailOverlayBadgeViewModel', 'thumbnailBadges');
    const badge = dig(badges, 0, 'thumbnailBadgeViewModel');
    if (badge !== undefined)
      return { text: readText(dig(badge, 'text')), style: String(dig(badge, 'badgeStyle') ?? '') };
  }
  return { text: undefined, style: '' };
}
