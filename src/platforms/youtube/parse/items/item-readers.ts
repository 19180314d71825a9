import { readChannel, readGame } from './channel.ts';
import { readHashtag } from './hashtag.ts';
import type { ListItem } from './list-item.ts';
import { readLockup } from './lockup.ts';
import { readMovie } from './movie.ts';
import { readMix, readPlaylist, readShow } from './playlist.ts';
import { readPost } from './post.ts';
import { readShortsLockup } from './shorts-lockup.ts';
import { readVideo } from './video.ts';

/** Reads the value of a known item key. Returns undefined if it has no ID or is of an unknown kind. */
type ItemReader = (node: unknown) => ListItem | undefined;

/** Readers by the keys of items, which are the same in all lists. */
export const itemReaders: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ['lockupViewModel', readLockup],
  ['shortsLockupViewModel', readShortsLockup],
  ['videoRenderer', readVideo],
  ['gridVideoRenderer', readVideo],
  ['compactVideoRenderer', readVideo],
  ['playlistVideoRenderer', readVideo],
  ['playlistPanelVideoRenderer', readVideo],
  ['reelItemRenderer', readVideo],
  ['channelVideoPlayerRenderer', readVideo],
  ['movieRenderer', readMovie],
  ['gridMovieRenderer', readMovie],
  ['compactMovieRenderer', readMovie],
  ['playlistRenderer', readPlaylist],
  ['gridPlaylistRenderer', readPlaylist],
  ['compactPlaylistRenderer', readPlaylist],
  ['showRenderer', readShow],
  ['gridShowRenderer', readShow],
  ['radioRenderer', readMix],
  ['gridRadioRenderer', readMix],
  ['compactRadioRenderer', readMix],
  ['channelRenderer', readChannel],
  ['gridChannelRenderer', readChannel],
  ['miniChannelRenderer', readChannel],
  ['gameCardRenderer', readGame],
  ['hashtagTileRenderer', readHashtag],
  ['backstagePostThreadRenderer', readPost],
  ['postRenderer', readPost],
]);
