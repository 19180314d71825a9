import { abouts } from '../abouts.ts';
import { requestFaults } from './faults.ts';
import { channelOf } from './world/channels.ts';
import { channelIds } from './world/ids.ts';
import { playlistAt, tenVideosId } from './world/playlists.ts';
import { postAt } from './world/posts.ts';
import { channelScenarios, scenarios } from './world/scenarios.ts';

/** The documented playlists. */
export const playlists = {
  long: playlistAt(channelOf(0), 'playlists', 0).id,
  longOld: playlistAt(channelOf(1), 'playlists', 0).id,
  private: playlistAt(channelOf(0), 'playlists', 1).id,
  ten: tenVideosId,
  uploads: `UU${channelOf(0).id.slice(2)}`,
  shorts: `UUSH${channelOf(0).id.slice(2)}`,
  mix: 'RDlab-plain30',
} as const;

/**
 * The documented posts: one post of the first channel with each kind of attachment, and one post of the second channel.
 */
export const posts = {
  plain: postAt(channelOf(0), 0).id,
  image: postAt(channelOf(0), 1).id,
  images: postAt(channelOf(0), 2).id,
  poll: postAt(channelOf(0), 3).id,
  quiz: postAt(channelOf(0), 4).id,
  video: postAt(channelOf(0), 5).id,
  playlist: postAt(channelOf(0), 6).id,
  shared: postAt(channelOf(0), 7).id,
  old: postAt(channelOf(1), 0).id,
} as const;

const playlistAbouts: Readonly<Record<keyof typeof playlists, string>> = {
  long: '250 videos in the newest shapes, the second one private',
  longOld: 'the same in older shapes',
  private: 'private: refused as if it did not exist',
  ten: 'ten ordinary videos of 12 seconds, each of another channel',
  uploads: 'the videos of the first channel',
  shorts: 'its shorts',
  mix: 'a mix without end',
};

const postAbouts: Readonly<Record<keyof typeof posts, string>> = {
  plain: 'text only',
  image: 'a picture',
  images: 'three images',
  poll: 'a poll',
  quiz: 'a quiz',
  video: 'a video',
  playlist: 'a playlist',
  shared: 'another post, shared',
  old: 'text only, of the second channel: comments in older shapes',
};

/** Returns the documented IDs, words and handles of p1 with their descriptions. */
export function youtubeCatalogue(): Record<string, Record<string, string>> {
  const postEntries = Object.entries(postAbouts).map(([name, about]) => [posts[name as keyof typeof posts], about]);
  return {
    videos: abouts(scenarios),
    channels: Object.fromEntries(channelScenarios.map(({ about }, number) => [channelIds.write(number), about])),
    handles: Object.fromEntries(
      channelScenarios.flatMap(({ handle, about }) => (handle === undefined ? [] : [[`@${handle}`, about]])),
    ),
    playlists: Object.fromEntries(
      Object.entries(playlistAbouts).map(([name, about]) => [playlists[name as keyof typeof playlists], about]),
    ),
    posts: Object.fromEntries(postEntries),
    words: abouts(requestFaults),
  };
}
