import { count } from '../../../parsing/values.ts';
import { type Copies, pick } from './records.ts';

/** When a post, a video or a photo was created, in seconds since 1970. Each place of the site has its own member. */
export function readCreationTime(copies: Copies): number | undefined {
  return pick(copies, (copy) => count(copy.creation_time) ?? count(copy.created_time) ?? count(copy.publish_time));
}
