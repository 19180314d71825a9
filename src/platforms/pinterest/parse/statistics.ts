import { count, defined, type Fields, fields, list } from '../../../parsing/values.ts';
import { member } from './member.ts';

/** Maximum number of reaction types. The site has fewer. */
const MAX_KINDS = 100;

/** Returns the counts of a pin, including views of its first video, or undefined if there are none. */
export function statisticsOf(pin: Fields, blocks: readonly Fields[]): Record<string, unknown> | undefined {
  const saves = member(pin, 'aggregated_pin_data', 'aggregated_stats', 'saves');
  const viewCounts = blocks.map((block) =>
    count(member(member(block, 'video_data_v2') ?? member(block, 'video_data') ?? block.video, 'seo_view_count')),
  );
  const statistics = defined({
    saveCount: count(saves),
    repinCount: count(member(pin, 'repin_count')),
    reactionCount: count(member(pin, 'total_reaction_count')),
    commentCount: count(member(pin, 'aggregated_pin_data', 'comment_count')) ?? count(member(pin, 'comment_count')),
    shareCount: count(member(pin, 'share_count')),
    viewCount: viewCounts.find((views) => views !== undefined),
  });
  return Object.keys(statistics).length > 0 ? statistics : undefined;
}

/** Returns the number of reactions of each type, by the site's type number (1 is a heart). */
export function reactionsOf(pin: Fields): Record<string, number> | undefined {
  const byKind = Object.entries(fields(member(pin, 'reaction_counts')));
  const pairs = list(member(pin, 'reaction_counts_data')).map((one): [string, unknown] => [
    `${count(member(one, 'reaction_type'))}`,
    member(one, 'reaction_count'),
  ]);
  const reactions = [...byKind, ...pairs].slice(0, MAX_KINDS).flatMap(([kind, value]) => {
    const times = count(value);
    return times === undefined || !/^\d{1,4}$/.test(kind) ? [] : [[kind, times] as const];
  });
  return reactions.length > 0 ? Object.fromEntries(reactions) : undefined;
}
