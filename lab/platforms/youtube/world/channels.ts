import { type Topic, topics } from '../../headlines.ts';
import { channelName } from '../../names.ts';
import { count, pick } from '../../seeded.ts';
import { channelIds } from './ids.ts';
import { type ChannelScenario, channelScenarios, type Generation } from './scenarios.ts';

/** Channel of the simulated site. */
export interface Channel {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  /** Handle without its `@`. */
  readonly handle: string;
  readonly topic: Topic;
  readonly subscribers: number;
  readonly verified: boolean;
  readonly generation: Generation;
  /** Number of entries in each of its lists. */
  readonly counts: Readonly<Record<ListName, number>>;
  readonly refusal?: ChannelScenario['refusal'];
}

/** Lists of a channel. */
export type ListName = 'videos' | 'shorts' | 'streams' | 'playlists' | 'releases' | 'podcasts' | 'posts';

/** Number of channels on the simulated site. */
export const channelCount = 2000;

/** Returns the channel with a number below {@link channelCount}. */
export function channelOf(number: number): Channel {
  const scenario: ChannelScenario = channelScenarios[number] ?? { about: 'ordinary' };
  const topic = topics[number % topics.length] ?? topics[0];
  const some = (least: number, list: string) => (scenario.empty ? 0 : least + pick(least, 'count', list, number));
  return {
    number,
    id: channelIds.write(number),
    name: scenario.name ?? channelName(topic, `${number}`),
    handle: scenario.handle ?? `${topic}${number}`,
    topic,
    subscribers: 100 + count(7, 'subscribers', number),
    verified: number < 2 || number % 3 === 0,
    generation: scenario.generation ?? (number % 2 === 0 ? 'new' : 'old'),
    counts: {
      videos: scenario.videos ?? some(40, 'videos'),
      shorts: some(50, 'shorts'),
      streams: some(10, 'streams'),
      playlists: some(20, 'playlists'),
      releases: some(4, 'releases'),
      podcasts: some(2, 'podcasts'),
      posts: some(13, 'posts'),
    },
    ...(scenario.refusal === undefined ? {} : { refusal: scenario.refusal }),
  };
}

/** Finds a channel by ID. */
export function findChannel(id: string): Channel | undefined {
  const number = channelIds.parse(id);
  return number === undefined || number >= channelCount ? undefined : channelOf(number);
}

/** Finds a channel by its handle, without `@`, in any case. */
export function findHandle(handle: string): Channel | undefined {
  const lowerHandle = handle.toLowerCase();
  const digits = /\d+$/.exec(lowerHandle)?.[0];
  const number =
    digits === undefined ? channelScenarios.findIndex((each) => each.handle === lowerHandle) : Number(digits);
  if (number < 0 || number >= channelCount) return undefined;
  const channel = channelOf(number);
  return channel.handle === lowerHandle ? channel : undefined;
}
