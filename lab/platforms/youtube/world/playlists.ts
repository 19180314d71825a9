import { choose, pick } from '../../seeded.ts';
import { type Channel, channelCount, channelOf, findChannel, type ListName } from './channels.ts';
import { pair, playlistIds, unpair } from './ids.ts';
import type { Generation, VideoKind } from './scenarios.ts';
import { findVideo, type Video, videoAt } from './videos.ts';

/** Playlist of the simulated site. */
export interface Playlist {
  readonly id: string;
  readonly title: string;
  readonly channel: Channel;
  readonly kind: 'playlist' | 'releases' | 'podcasts' | 'uploads';
  readonly generation: Generation;
  readonly size: number;
  readonly refusal?: 'private' | 'missing';
  /** Returns its entry at an index below its size. */
  at(index: number): Video;
}

const kinds = ['playlist', 'releases', 'podcasts'] as const;

/** Kinds of videos by the letters after UU. */
const uploads: Readonly<Record<string, VideoKind>> = { '': 'video', LF: 'video', SH: 'short', LV: 'stream' };

/** Returns a channel's playlist by its index in a list of the channel. */
export function playlistAt(channel: Channel, list: 'playlists' | 'releases' | 'podcasts', index: number): Playlist {
  const kind = list === 'playlists' ? 'playlist' : list;
  const number = pair(channel.number * kinds.length + kinds.indexOf(kind), index);
  const size = kind === 'playlist' ? 5 + pick(60, 'size', number) : 6;
  return {
    id: playlistIds.write(number),
    title: titleOf(kind, channel, index),
    channel,
    kind,
    generation: channel.generation,
    // The first playlist of the documented channels has three pages.
    size: index === 0 && channel.number < 2 ? 250 : size,
    ...(channel.number === 0 && index === 1 && kind === 'playlist' ? { refusal: 'private' as const } : {}),
    at: (place) => mixVideo(number, place),
  };
}

const listNames = {
  playlist: [
    'The best {} of the year',
    'All about {}',
    '{}: start here',
    'Rainy day {}',
    '{} at night',
    'Short films: {}',
  ],
  releases: ['Songs for {}', '{} (live)', 'Nocturnes: {}', '{} – the sessions'],
  podcasts: ['Talking {}', 'The {} hour'],
} as const;

function titleOf(kind: keyof typeof listNames, { topic, number }: Channel, index: number): string {
  const title = choose(listNames[kind], 'list', number, index).replace('{}', topic);
  return `${title[0]?.toUpperCase()}${title.slice(1)}`;
}

/** ID of the playlist of ten ordinary videos, each of 12 seconds and of another channel. */
export const tenVideosId = 'PLlab-ten-videos';

const tenVideos: Playlist = {
  id: tenVideosId,
  title: 'Ten short films for a rainy Sunday',
  channel: channelOf(0),
  kind: 'playlist',
  generation: 'new',
  size: 10,
  at: (place) => shortVideoOf(channelOf(6 + place)),
};

/** Returns the newest video of a channel that is 12 seconds long. */
function shortVideoOf(channel: Channel): Video {
  for (let index = 0; index < channel.counts.videos; index++) {
    const video = videoAt(channel, 'video', index);
    if (video.seconds === 12) return video;
  }
  throw new Error(`The channel ${channel.number} has no video of 12 seconds.`);
}

/** Finds a playlist: `PL…`, or `UU…` (`UULF…`, `UUSH…`, `UULV…`) and the end of a channel's ID. */
export function findPlaylist(id: string): Playlist | undefined {
  if (id === tenVideosId) return tenVideos;
  const number = playlistIds.parse(id);
  if (number !== undefined) {
    const [owner, index] = unpair(number);
    const channel = Math.floor(owner / kinds.length);
    const list = (['playlists', 'releases', 'podcasts'] as const)[owner % kinds.length];
    if (channel >= channelCount || list === undefined) return undefined;
    const playlist = playlistAt(channelOf(channel), list, index);
    return index < playlist.channel.counts[list] ? playlist : undefined;
  }
  const [, letters = '', rest = ''] = /^UU(LF|SH|LV|)([\w-]{22})$/.exec(id) ?? [];
  const channel = findChannel(`UC${rest}`);
  const kind = uploads[letters];
  if (channel === undefined || kind === undefined) return undefined;
  const list: ListName = kind === 'video' ? 'videos' : kind === 'short' ? 'shorts' : 'streams';
  return {
    id,
    title: `Uploads from ${channel.name}`,
    channel,
    kind: 'uploads',
    generation: channel.generation,
    size: channel.counts[list],
    at: (place) => videoAt(channel, kind, place),
  };
}

/** Returns an entry of a list with videos of many channels: each index has a different video. */
function mixVideo(number: number, place: number): Video {
  if (place === 1) {
    const hidden = findVideo('lab-private');
    if (hidden !== undefined) return hidden;
  }
  const channel = channelOf(6 + ((number * 31 + place) % (channelCount - 6)));
  return videoAt(channel, 'video', place % 40);
}
