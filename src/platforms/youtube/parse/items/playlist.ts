import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, type Fields, fields, unlessEmpty } from '../../../../parsing/values.ts';
import { playlistIdOf, playlistUrl, videoIdOf, videoUrl } from '../ids.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import { readChannelLink } from './channel-ref.ts';
import type { MixItem, PlaylistItem } from './list-item.ts';

/** Reads `playlistRenderer`, `gridPlaylistRenderer` and `compactPlaylistRenderer`. */
export function readPlaylist(node: unknown): PlaylistItem | MixItem | undefined {
  const playlist = fields(node);
  const id = playlistIdOf(playlist.playlistId);
  if (id === undefined) return undefined;
  return isMix(id) ? readMix(node) : playlistItem(playlist, id, isAlbum(id) ? 'album' : 'playlist');
}

/** Reads `showRenderer`: a playlist whose ID is only in its link. */
export function readShow(node: unknown): PlaylistItem | undefined {
  const show = fields(node);
  const id = playlistIdOf(dig(show.navigationEndpoint, 'watchEndpoint', 'playlistId'));
  return id === undefined ? undefined : playlistItem(show, id, 'show');
}

/** Reads `radioRenderer`, `compactRadioRenderer` and `gridRadioRenderer`. */
export function readMix(node: unknown): MixItem | undefined {
  const mix = fields(node);
  const id = playlistIdOf(mix.playlistId);
  if (id === undefined) return undefined;
  const members = {
    title: readText(mix.title),
    description: readText(mix.longBylineText),
    firstVideoId: firstVideo(mix),
    thumbnails: unlessEmpty(readThumbnails(mix.thumbnail)),
  };
  return { type: 'mix', id, ...defined(members), url: mixUrl(id, members.firstVideoId) };
}

/** Returns the address of a mix. It has no separate page and is opened with its first video. */
export function mixUrl(id: string, videoId: string | undefined): string {
  return videoId === undefined ? playlistUrl(id) : `${videoUrl(videoId)}&list=${id}`;
}

/**
 * Returns whether an ID is a mix's. Mixes begin with `RD`, except for YouTube Music's fixed playlists, `RDCLAK5uy_…`.
 */
export function isMix(id: string): boolean {
  return /^RD(?!CLAK5uy_)/.test(id);
}

/** Returns whether an ID belongs to a playlist that YouTube created for a music release. */
export function isAlbum(id: string): boolean {
  return id.startsWith('OLAK5uy_');
}

function playlistItem(playlist: Fields, id: string, kind: PlaylistItem['kind']): PlaylistItem {
  return {
    type: 'playlist',
    kind,
    id,
    ...defined({
      title: readText(playlist.title),
      channel:
        readChannelLink(playlist.longBylineText, { badges: playlist.ownerBadges }) ??
        readChannelLink(playlist.shortBylineText, { badges: playlist.ownerBadges }),
      updatedText: readText(playlist.publishedTimeText),
      firstVideoId: firstVideo(playlist),
      thumbnails: unlessEmpty(pictures(playlist)),
    }),
    ...countMembers(
      'videoCount',
      readText(playlist.videoCountText) ?? countOverlay(playlist) ?? readText(playlist.videoCount),
    ),
    url: playlistUrl(id),
  };
}

function firstVideo({ navigationEndpoint }: Fields): string | undefined {
  return videoIdOf(dig(navigationEndpoint, 'watchEndpoint', 'videoId'));
}

function countOverlay({ thumbnailOverlays }: Fields): string | undefined {
  return readText(dig(thumbnailOverlays, 0, 'thumbnailOverlayBottomPanelRenderer', 'text'));
}

/** Returns a playlist's own cover, or else that of its first video. */
function pictures({ thumbnailRenderer, thumbnails, thumbnail }: Fields) {
  const own =
    dig(thumbnailRenderer, 'playlistCustomThumbnailRenderer') ??
    dig(thumbnailRenderer, 'playlistVideoThumbnailRenderer') ??
    dig(thumbnailRenderer, 'showCustomThumbnailRenderer');
  return readThumbnails(dig(own, 'thumbnail') ?? dig(thumbnails, 0) ?? thumbnail);
}
