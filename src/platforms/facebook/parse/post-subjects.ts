import { mergedSubjects, noSubjects, type Subjects } from '../../../contract/subjects.ts';
import { type Fields, fields, text } from '../../../parsing/values.ts';
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

/**
 * Returns the subjects of an entry of a list.
 *
 * @param copies What the site states about its photo or video.
 */
export function subjectsOfEntry(copies: Copies, { id, postId, url, author }: Fields): Subjects {
  const owner = fields(author);
  return mergedSubjects(subjectsOfMedia(copies), subjectsOfAddress(url), {
    items: definedOf(text(id), text(postId)),
    channels: definedOf(text(owner.id), text(owner.handle)),
  });
}

function subjectsOfAddress(address: unknown): Subjects {
  return typeof address === 'string' ? subjectsOfLink(recognise(address)) : noSubjects;
}

function definedOf(...names: readonly (string | undefined)[]): readonly string[] {
  return names.filter((name) => name !== undefined);
}
