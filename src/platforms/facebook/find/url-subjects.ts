import type { Subjects } from '../../../contract/subjects.ts';
import { namedIn } from '../../named-ids.ts';
import { subjectsOfLink } from '../parse/post-subjects.ts';
import { readLink } from './read-link.ts';

/** Returns the subjects that a `url` parameter names. */
export function subjectsOfUrl(value: unknown): Subjects {
  const [link = null] = namedIn(readLink, value);
  return subjectsOfLink(link);
}
