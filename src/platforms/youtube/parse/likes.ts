import { type CountMembers, countMembers, parseCount } from '../../../parsing/numbers.ts';

/**
 * Reads the likes of a comment or post: the text beside the icon ("1.2K"), and the number in the button's label ("Like
 * this post along with 88,144 other people"). The latter is exact for posts (2026-03) and for comments until 2024-04.
 */
export function readLikes(text: string | undefined, label: string | undefined): CountMembers<'likeCount'> {
  const likes = countMembers('likeCount', text);
  const others = parseCount(/along with (.{1,20}) other p/.exec(label ?? '')?.[1]);
  return likes.likeCount === undefined || others === undefined ? likes : { ...likes, likeCount: others };
}
