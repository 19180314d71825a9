import { hashtagsIn } from '../../../parsing/text-entities.ts';
import { type Fields, fields, list, text } from '../../../parsing/values.ts';

const MAX_TAGS = 500;
/** Maximum number of characters of a hashtag or handle. The site's are shorter, and normalizing marks is quadratic. */
const MAX_LENGTH = 200;

/** Returns the tags and the mentioned users of a post, each once, in text order. */
export function captionParts(item: Fields): { readonly tags: string[]; readonly mentions: object[] } {
  const parts = [...list(item.textExtra), ...list(item.contents).slice(0, MAX_TAGS).flatMap(textExtra)];
  const tags = new Set<string>();
  const mentions = new Map<string, object>();
  for (const part of parts.slice(0, MAX_TAGS).map(fields)) {
    const tag = shortText(part.hashtagName);
    if (tag !== undefined) tags.add(tag);
    const handle = shortText(part.userUniqueId);
    if (handle !== undefined) mentions.set(handle, mention(handle, part));
  }
  if (tags.size === 0) for (const challenge of list(item.challenges).slice(0, MAX_TAGS)) addTitle(challenge, tags);
  return { tags: [...tags], mentions: [...mentions.values()] };
}

/**
 * Returns all hashtags of a post without `#`, each once: those of its caption and title as written there, then those
 * that only the site's own lists contain. These lists are in lower case.
 */
export function hashtagsOf(item: Fields): string[] {
  const written = [item.desc, fields(item.imagePost).title].flatMap((part) => hashtagsIn(text(part) ?? ''));
  const titles = list(item.challenges)
    .slice(0, MAX_TAGS)
    .flatMap((challenge) => shortText(fields(challenge).title) ?? []);
  const bySpelling = new Map<string, string>();
  for (const hashtag of [...written, ...captionParts(item).tags, ...titles]) {
    const spelling = hashtag.normalize('NFC').toLowerCase();
    if (!bySpelling.has(spelling)) bySpelling.set(spelling, hashtag);
  }
  return [...bySpelling.values()];
}

function shortText(value: unknown): string | undefined {
  const whole = text(value);
  return whole === undefined || whole.length > MAX_LENGTH ? undefined : whole;
}

function textExtra(content: unknown): readonly unknown[] {
  return list(fields(content).textExtra).slice(0, MAX_TAGS);
}

function addTitle(challenge: unknown, tags: Set<string>): void {
  const title = shortText(fields(challenge).title);
  if (title !== undefined) tags.add(title);
}

function mention(handle: string, part: Fields): object {
  const id = text(part.userId);
  return { handle, ...(id === undefined ? {} : { id }) };
}
