import { parseDuration } from '../../../../parsing/numbers.ts';
import { count, defined, dig, type Fields, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { readBadges } from '../badges.ts';
import { isoFromSeconds } from '../dates.ts';
import { shortUrl, videoIdOf, videoUrl } from '../ids.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import { readChannelCommand, readChannelLink, readCollaborators } from './channel-ref.ts';
import type { ChannelRef, VideoItem } from './list-item.ts';
import { readViewCounts } from './view-counts.ts';

/**
 * Reads the video renderers used before lockups: `videoRenderer` (search results to this day), `gridVideoRenderer`,
 * `compactVideoRenderer`, `playlistVideoRenderer`, `playlistPanelVideoRenderer`, `reelItemRenderer`,
 * `channelVideoPlayerRenderer`. They have the same members, but each lacks some.
 */
export function readVideo(node: unknown): VideoItem | undefined {
  const video = fields(node);
  const id = videoIdOf(video.videoId);
  if (id === undefined) return undefined;
  const status = timeStatus(video.thumbnailOverlays);
  const badges = readBadges(video.badges);
  const viewCounts =
    readViewCounts(readText(video.viewCountText)) ?? readViewCounts(readText(video.shortViewCountText));
  const info = playlistInfo(video.videoInfo);
  const scheduledAt = isoFromSeconds(dig(video.upcomingEventData, 'startTime'));
  const upcoming = scheduledAt !== undefined || status.style === 'UPCOMING';
  const type = kindOf(video, status.style, badges.live || viewCounts?.viewerCountText !== undefined, upcoming);
  const durationText =
    readText(video.lengthText) ?? (parseDuration(status.text) === undefined ? undefined : status.text);
  const { channel, collaborators } = readOwners(video);
  return {
    type,
    id,
    ...defined({
      title: readText(video.title) ?? readText(video.headline),
      description: readText(video.descriptionSnippet) ?? readText(video.description) ?? snippet(video),
      channel,
      collaborators,
      duration: parseDuration(durationText) ?? (count(video.lengthSeconds) || undefined),
      durationText,
      publishedText: readText(video.publishedTimeText) ?? info.publishedText,
      upcoming: upcoming || undefined,
      scheduledAt,
      membersOnly: badges.membersOnly || undefined,
      playable: video.isPlayable === false ? false : undefined,
      index: parseIndex(readText(video.index)),
      badges: unlessEmpty(badges.labels),
      thumbnails: unlessEmpty(readThumbnails(video.thumbnail)),
    }),
    ...(viewCounts ?? info.viewCounts),
    url: type === 'short' ? shortUrl(id) : videoUrl(id),
  };
}

function kindOf(video: Fields, style: unknown, onAir: boolean, upcoming: boolean): VideoItem['type'] {
  const short = style === 'SHORTS' || dig(video.navigationEndpoint, 'reelWatchEndpoint') !== undefined;
  if (short) return 'short';
  return !upcoming && (onAir || style === 'LIVE') ? 'live' : 'video';
}

/** Reads the box in a thumbnail's corner: a duration, or the style LIVE, UPCOMING or SHORTS. */
function timeStatus(overlays: unknown): { readonly style?: unknown; readonly text?: string | undefined } {
  for (const overlay of list(overlays)) {
    const status = dig(overlay, 'thumbnailOverlayTimeStatusRenderer');
    if (status !== undefined) return { style: dig(status, 'style'), text: readText(dig(status, 'text')) };
  }
  return {};
}

/** Reads the line below a playlist entry: "33k views • 4 years ago" in three runs. */
function playlistInfo(node: unknown) {
  const runs = list(dig(node, 'runs'));
  return {
    viewCounts: readViewCounts(readText(dig(runs, 0, 'text'))),
    publishedText: readText(dig(runs, runs.length - 1, 'text')),
  };
}

function readOwners(video: Fields): {
  channel?: ChannelRef | undefined;
  collaborators?: readonly ChannelRef[] | undefined;
} {
  const channelPicture = dig(video.channelThumbnailSupportedRenderers, 'channelThumbnailWithLinkRenderer', 'thumbnail');
  const extras = { picture: channelPicture ?? video.channelThumbnail, badges: video.ownerBadges };
  for (const text of [video.ownerText, video.longBylineText, video.shortBylineText]) {
    const channel = readChannelLink(text, extras);
    if (channel !== undefined) return { channel };
    for (const run of list(dig(text, 'runs'))) {
      const collaborators = readCollaborators(dig(run, 'navigationEndpoint'));
      if (collaborators !== undefined) return { channel: collaborators[0], collaborators };
    }
  }
  const avatar = dig(
    video.channelThumbnailSupportedRenderers,
    'channelThumbnailWithLinkRenderer',
    'navigationEndpoint',
  );
  return { channel: readChannelCommand(avatar, video.ownerText, extras) };
}

/** Returns the part of the description that matches a search. */
function snippet(video: Fields): string | undefined {
  return readText(dig(video.detailedMetadataSnippets, 0, 'snippetText'));
}

function parseIndex(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
