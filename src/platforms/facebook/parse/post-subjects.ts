import { mergedSubjects, noSubjects, type Subjects } from '../../../contract/subjects.ts';
import { fields, text } from '../../../parsing/values.ts';
import type { Extraction } from '../../platform.ts';
import { type FacebookLink, type PostTarget, recognise } from '../links.ts';
import { type Copies, pick } from './records.ts';

/** Returns the subjects that a link names. */
export function subjectsOfLink(link: FacebookLink | null): Subjects {
  if (link === null || link.kind === 'share') return noSubjects;
  if (link.kind === 'profile') return { channels: definedOf(link.id, link.vanity) };
  return { items: [link.id], channels: definedOf(link.owner) };
}

/**
 * Returns the subjects that a post belongs to, apart from those that all results state. They are in the target of the
 * link, the address that the site states, the post that it shares, and its media if that is a single photo or video.
 */
export function subjectsOfPost(target: PostTarget, { contents = [], metadata }: Extraction) {
  const { url, sharedPost } = fields(metadata.additionalData);
  const shared = fields(sharedPost);
  const sharer = fields(shared.author);
  return mergedSubjects(
    subjectsOfLink(target),
    subjectsOfAddress(url),
    subjectsOfAddress(shared.url),
    { items: definedOf(text(shared.id)), channels: definedOf(text(sharer.id), text(sharer.handle)) },
    contents.length === 1 ? (contents[0]?.subjects ?? noSubjects) : noSubjects,
  );
}

/** Returns the subjects of a photo or video. */
export function subjectsOfMedia(copies: Copies): Subjects {
  const owner = pick(copies, (copy) => text(fields(copy.owner).id));
  return { items: definedOf(pick(copies, ({ id }) => text(id))), channels: definedOf(owner) };
}

function subjectsOfAddress(address: unknown): Subjects {
  return typeof address === 'string' ? subjectsOfLink(recognise(address)) : noSubjects;
}

function definedOf(...names: readonly (string | undefined)[]): readonly string[] {
  return names.filter((name) => name !== undefined);
}
