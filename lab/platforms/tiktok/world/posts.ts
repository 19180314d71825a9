import type { Title } from '../../../media/titles.ts';
import { type Topic, titleOfItem, topicOf } from '../../headlines.ts';
import { count, pick } from '../../seeded.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { type User, userOf } from './users.ts';

/** Post of the simulated site. */
export interface Post extends Scenario {
  /** 19 digits; the upper 32 bits are the time of the upload in seconds since 1970. */
  readonly id: string;
  readonly kind: 'video' | 'photo';
  readonly shape: 'new' | 'old';
  readonly seconds: number;
  /** Creation time in seconds since 1970. */
  readonly createdAt: number;
  readonly by: User;
  readonly caption: string;
  readonly topic: Topic;
  readonly tags: readonly string[];
  readonly views: number;
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  readonly saves: number;
  /** Generated media of the post. */
  readonly media: Title;
}

/** The site did not exist before this second (2016-09-20). */
const firstSecond = 1_474_329_600;
/** Number of users who publish the ordinary posts. */
const makers = 1000;

/**
 * Finds the post of an ID; returns undefined if the site does not know it, for example because its time is in the
 * future.
 */
export function findPost(id: string, now: number = Date.now()): Post | undefined {
  if (!/^[1-9]\d{18}$/.test(id)) return undefined;
  const createdAt = Number(BigInt(id) >> 32n);
  if (createdAt < firstSecond || createdAt * 1000 > now) return undefined;
  const scenario: Scenario = Object.hasOwn(scenarios, id) ? (scenarios[id] ?? ordinary(id)) : ordinary(id);
  const views = 10_101 + count(7, 'views', id);
  const topic = topicOf(id);
  const seconds = scenario.seconds ?? 12;
  return {
    kind: 'video',
    shape: 'new',
    ...scenario,
    id,
    seconds,
    createdAt,
    by: userOf(scenario.author ?? 'thelab'),
    caption: `${titleOfItem(id)} #lab #${topic} @theoldlab`,
    topic,
    tags: ['lab', topic],
    views,
    likes: Math.floor(views / 9),
    comments: 20 + pick(400, 'comments', id),
    shares: pick(2000, 'shares', id),
    saves: pick(900, 'saves', id),
    // All posts share one look, because a page needs the finished files to report their sizes.
    media: { name: `amber-${seconds}`, look: 'amber', seconds },
  };
}

/** Returns whether a post is available in a country. */
export function isShownIn({ onlyIn }: Post, country: string): boolean {
  return onlyIn?.includes(country) ?? true;
}

function ordinary(id: string): Scenario {
  const author = `maker${BigInt(id) % BigInt(makers)}`;
  const kind = pick(4, 'kind', id) === 0 ? 'photo' : 'video';
  return { about: 'ordinary', author, kind, ...(kind === 'photo' ? { streamed: true } : {}) };
}
