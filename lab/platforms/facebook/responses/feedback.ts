import { count, pick } from '../../seeded.ts';
import { longCount, shortCount } from '../../words.ts';
import { portraitLink } from '../links.ts';
import { personCalled } from '../world/people.ts';
import { dataId } from './video.ts';

/** The site's reactions, whose IDs are the same everywhere. */
const reactions = [
  ['1635855486666999', 'Like'],
  ['1678524932434102', 'Love'],
  ['115940658764963', 'Haha'],
] as const;

/** Comments on a post's page. */
const COMMENTS = 12;

/** Returns the number of reactions, comments and shares of a post. */
export function countsOf(postId: string) {
  const all = 3 + count(5, 'reactions', postId);
  return {
    reactions: all,
    loveCount: Math.floor(all / 3),
    comments: 12 + pick(400, 'comments', postId),
    shares: pick(3000, 'shares', postId),
  };
}

/** Returns the counts as they appear on a watch page and on a post's page. */
export function countsNode(postId: string): Record<string, unknown> {
  const { reactions: all, loveCount, comments, shares } = countsOf(postId);
  const times = [all - loveCount - 1, loveCount, 1];
  return {
    id: dataId('feedback', postId),
    i18n_reaction_count: shortCount(all),
    reaction_count: { count: all, is_empty: false },
    top_reactions: {
      count: reactions.length,
      edges: reactions.map(([id, localized_name], place) => ({
        visible_in_bling_bar: true,
        node: { id, localized_name },
        i18n_reaction_count: shortCount(times[place] ?? 0),
        reaction_count: times[place],
      })),
    },
    i18n_share_count: shortCount(shares),
    share_count: { count: shares, is_empty: false },
    total_comment_count: comments,
    comment_rendering_instance: { comments: { total_count: comments } },
  };
}

/** Returns the counts as they appear in a deferred part of a reel's page. */
export function reelCounts(postId: string): Record<string, unknown> {
  const { reactions: all, comments, shares } = countsOf(postId);
  const feedback = { id: dataId('feedback', postId) };
  return {
    fb_reel_react_button: {
      __typename: 'XFBFBReelReactButtonRenderer',
      story: { feedback: { ...feedback, likers: { count: all }, unified_reactors: { count: all } } },
    },
    feedback: { ...feedback, total_comment_count: comments, share_count_reduced: shortCount(shares) },
  };
}

/** Returns a post's counts and its first comments. */
export function feedbackNode(postId: string): Record<string, unknown> {
  const counts = countsNode(postId);
  const { comments } = countsOf(postId);
  return {
    id: counts.id,
    subscription_target_id: postId,
    comet_ufi_summary_and_actions_renderer: { feedback: counts },
    comment_list_renderer: {
      feedback: {
        comment_rendering_instance_for_feed_location: {
          selected_intent: { title: 'Most relevant', intent_token: 'RANKED_FILTERED_INTENT_V1' },
          comments: {
            count: comments,
            page_size: 10,
            total_count: comments,
            edges: Array.from({ length: COMMENTS }, (_, place) => ({ node: commentNode(postId, place) })),
            page_info: { end_cursor: 'AQHlab', has_next_page: true },
          },
        },
        id: counts.id,
      },
    },
  };
}

function commentNode(postId: string, place: number): Record<string, unknown> {
  const number = `10328574560${10_000 + place}`;
  const { id, name } = personCalled(`lab.commenter${place}`);
  const likes = 30 - place;
  const picture = portraitLink(id, 144);
  return {
    __typename: 'Comment',
    id: dataId('comment', `${postId}_${number}`),
    legacy_fbid: number,
    depth: 0,
    body: { text: `Comment ${place + 1} of ${longCount(COMMENTS)}`, ranges: [] },
    author: { __typename: 'User', id, name, profile_picture_depth_0: { uri: picture }, gender: 'NEUTER' },
    created_time: 1_785_190_498 + place,
    feedback: {
      id: dataId('feedback', `${postId}_${number}`),
      replies_fields: { count: place, total_count: place },
      reactors: { count_reduced: `${likes}` },
      top_reactions: { edges: [{ reaction_count: likes, node: { id: '1635855486666999', localized_name: 'Like' } }] },
    },
  };
}
