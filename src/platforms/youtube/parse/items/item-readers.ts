import { readChannel, readGame } from './channel.ts';
import { readHashtag } from './hashtag.ts';
import type { ListItem } from './list-item.ts';
import { readLockup } from './lockup.ts';
import { readMovie } from './movie.ts';
import { readMix, readPlaylist, readShow } from './playlist.ts';
import { readPost } from './post.ts';
import { readShortsLockup } from './shorts-lockup.ts';
import { readVideo } from './video.ts';

/** Reads the value under a known item key; undefined for one without an id, or of a kind that is not known. */
type ItemReader = (node: unknown) => ListItem | undefined;

/** The keys under which items stand, whatever list they are in. */
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
