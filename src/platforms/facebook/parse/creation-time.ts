import { count } from '../../../parsing/values.ts';
import { type Copies, pick } from './records.ts';

/**
 * Returns when a post, video or photo was created, in seconds since 1970. The member's name differs between parts of
 * the site.
 */
export function readCreationTime(copies: Copies): number | undefined {
  return pick(copies, (copy) => count(copy.creation_time) ?? count(copy.created_time) ?? count(copy.publish_time));
}
