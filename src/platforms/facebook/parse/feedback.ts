import { parseCount } from '../../../parsing/numbers.ts';
import { count, defined, dig, type Fields, list, text } from '../../../parsing/values.ts';
import { type Copies, pick, type Records } from './records.ts';

/** The site's reactions by their constant IDs, for data without their names. */
const reactionNames: Readonly<Record<string, string>> = {
  '1635855486666999': 'Like',
  '1678524932434102': 'Love',
  '613557422527858': 'Care',
  '115940658764963': 'Haha',
  '478547315650144': 'Wow',
  '908563459236466': 'Sad',
  '444813342392137': 'Angry',
};

/** Returns every copy of the feedback (counts and comments) on a post and its video. */
export function feedbackCopies(story: Copies, media: Copies, records: Records): Copies {
  const owners = [...story, ...media];
  const ids = new Set(owners.flatMap((copy) => text(dig(copy, 'feedback', 'id')) ?? []));
  const unnamed = owners.flatMap(({ feedback }) =>
    feedback != null && text(dig(feedback, 'id')) === undefined ? [feedback] : [],
  );
  const reels = owners.map((copy) => dig(copy, 'fb_reel_react_button', 'story', 'feedback'));
  return [
    ...[...ids].flatMap((id) => records.copies(id)),
    ...[...unnamed, ...reels].filter((copy): copy is Fields => copy != null),
  ];
}

/**
 * Reads reactions, comments, shares, plays (of a video in all its posts) and views (in this post): exact counts if the
 * page has them, and the counts as the page displays them.
 */
export function readCounts(feedback: Copies, media: Copies) {
  const number = (...paths: readonly (readonly string[])[]) =>
    paths.map((path) => pick(feedback, (copy) => count(dig(copy, ...path)))).find((value) => value !== undefined);
  const words = (copies: Copies, ...names: readonly string[]) =>
    names.map((name) => pick(copies, (copy) => text(copy[name]))).find((value) => value !== undefined);
  const reactionText = words(feedback, 'i18n_reaction_count');
  const shareText = words(feedback, 'i18n_share_count', 'share_count_reduced');
  const playText = words(media, 'play_count_reduced');
  const views = ['video_view_count_renderer', 'feedback'];
  return defined({
    reactionCount:
      number(['reaction_count', 'count'], ['unified_reactors', 'count'], ['likers', 'count']) ??
      parseCount(reactionText),
    reactionCountText: reactionText,
    reactions: pick(feedback, readReactions),
    commentCount: number(
      ['total_comment_count'],
      ['comment_rendering_instance', 'comments', 'total_count'],
      ['comments_count_summary_renderer', 'feedback', 'comment_rendering_instance', 'comments', 'total_count'],
      ['comment_rendering_instance_for_feed_location', 'comments', 'total_count'],
    ),
    shareCount: number(['share_count', 'count']) ?? parseCount(shareText),
    shareCountText: shareText,
    playCount:
      pick(media, (copy) => count(copy.play_count)) ??
      number([...views, 'play_count'], [...views, 'video_view_count'], [...views, 'video_post_view_count']) ??
      parseCount(playText),
    playCountText: playText,
    viewCount: number(['video_view_count'], [...views, 'video_view_count'], [...views, 'video_post_view_count']),
  });
}

/** Returns the count of each reaction, by its English name. */
export function readReactions(feedback: Fields): Readonly<Record<string, number>> | undefined {
  const entries = list(dig(feedback, 'top_reactions', 'edges'))
    .slice(0, 20)
    .flatMap((edge) => {
      const name = text(dig(edge, 'node', 'localized_name')) ?? reactionNames[text(dig(edge, 'node', 'id')) ?? ''];
      const times = count(dig(edge, 'reaction_count'));
      return name === undefined || times === undefined ? [] : [[name, times] as const];
    });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
