import type { Title } from '../../../media/titles.ts';
import { count, pick } from '../../seeded.ts';
import { type Channel, channelCount, channelOf } from './channels.ts';
import { pair, unpair, videoIds } from './ids.ts';
import { type Scenario, scenarios, type VideoKind } from './scenarios.ts';

/** Video of the simulated site. */
export interface Video extends Scenario {
  readonly id: string;
  readonly channel: Channel;
  readonly kind: VideoKind;
  readonly seconds: number;
  /** Days since its publication; the newest videos come first. */
  readonly age: number;
  readonly views: number;
  readonly likes: number;
  readonly comments: number;
  /** Generated media of the video. */
  readonly media: Title;
}

const kinds = ['video', 'short', 'stream', 'movie'] as const satisfies readonly VideoKind[];

/** Durations of ordinary videos in seconds: under three minutes, three to twenty, over twenty. */
const lengths = [12, 30, 60, 240, 600, 1500] as const;

/** Returns the ID of a channel's video: the newest of each kind has the index 0. */
function videoIdAt(channel: number, kind: VideoKind, index: number): string {
  return videoIds.write(pair(channel * kinds.length + kinds.indexOf(kind), index));
}

/** Returns a channel's video by its index among those of its kind, newest first. */
export function videoAt(channel: Channel, kind: VideoKind, index: number): Video {
  return describe(videoIdAt(channel.number, kind, index), channel, kind, index, { about: 'ordinary' });
}

/** Finds the video of an ID; returns undefined if the site does not know it. */
export function findVideo(id: string): Video | undefined {
  const scenario = Object.hasOwn(scenarios, id) ? scenarios[id] : undefined;
  if (scenario !== undefined) {
    const channel = channelOf(scenario.generation === 'old' ? 1 : 0);
    return describe(id, channel, scenario.kind ?? 'video', 40, { seconds: 30, ...scenario });
  }
  const number = videoIds.parse(id);
  if (number === undefined) return undefined;
  const [owner, index] = unpair(number);
  const kind = kinds[owner % kinds.length] ?? 'video';
  const place = Math.floor(owner / kinds.length);
  if (place >= channelCount) return undefined;
  const channel = channelOf(place);
  return index < howMany(channel, kind) ? videoAt(channel, kind, index) : undefined;
}

/** Returns whether a video is playable in a country. */
export function playsIn({ onlyIn, notIn }: Video, country: string): boolean {
  return (onlyIn?.includes(country) ?? true) && !(notIn?.includes(country) ?? false);
}

/** Returns the publication time of a video, in milliseconds since 1970. Ages are counted back from the current day. */
export function publishedAt({ age }: Video, now: number = Date.now()): number {
  const day = 86_400_000;
  return Math.floor(now / day) * day - age * day;
}

function howMany({ counts }: Channel, kind: VideoKind): number {
  if (kind === 'movie') return 1;
  return counts[kind === 'video' ? 'videos' : kind === 'short' ? 'shorts' : 'streams'];
}

function describe(id: string, channel: Channel, kind: VideoKind, index: number, scenario: Scenario): Video {
  const short = kind === 'short';
  const live = scenario.live ?? (kind === 'stream' ? liveAt(channel, index) : undefined);
  const seconds =
    scenario.seconds ??
    (live === 'on_air' ? 60 : undefined) ??
    lengths[pick(short ? 3 : lengths.length, 'length', id)] ??
    30;
  const look = scenario.isLarge ? 'giant' : 'amber';
  const views = count(8, 'views', id);
  return {
    ...scenario,
    id,
    channel,
    kind,
    seconds,
    generation: scenario.generation ?? channel.generation,
    // The number of days between two videos depends on the channel, so that some channels reach back for years.
    age: index * (1 + (channel.number % 5)),
    views,
    likes: Math.floor(views / (10 + pick(40, 'likes', id))),
    comments: pick(90, 'comments', id) + 21,
    // All videos share one look, because a player response needs the finished files to report their sizes.
    media: { name: `${look}-${seconds}`, look, seconds },
    ...(live === undefined ? {} : { live }),
  };
}

/**
 * Returns the state of a live stream. Every third channel is live. All channels have an upcoming stream, and older
 * streams that have ended.
 */
function liveAt({ number }: Channel, index: number): NonNullable<Scenario['live']> {
  if (index === 0 && number % 3 === 0) return 'on_air';
  return index === 1 ? 'upcoming' : 'ended';
}
