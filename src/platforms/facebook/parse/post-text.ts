import { hashtagsIn, webLinksIn } from '../../../parsing/text-entities.ts';
import { count, defined, dig, type Fields, fields, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { handleOf } from './author.ts';
import { cleanLink } from './clean-link.ts';
import type { Copies } from './records.ts';

/** A text and the entities that it refers to. */
export interface Message {
  readonly text: string;
  readonly hashtags?: readonly string[];
  readonly mentions?: readonly Readonly<Record<string, string>>[];
  readonly links?: readonly string[];
}

const MAX_RANGES = 200;

/** Returns a post's text, from the copy that marks its entities. */
export function readMessage(story: Copies): Message | undefined {
  const messages = story.map(({ message }) => fields(message)).filter((message) => text(message.text) !== undefined);
  const message = messages.find(({ ranges }) => list(ranges).length > 0) ?? messages[0];
  const whole = text(message?.text);
  if (message === undefined || whole === undefined) return undefined;
  const ranges = list(message.ranges).slice(0, MAX_RANGES);
  const entities = ranges.map((range) => ({ entity: fields(dig(range, 'entity')), words: wordsOf(message, range) }));
  const mentions = entities.flatMap(({ entity, words }) => mention(entity, words));
  const links = entities.flatMap(({ entity }) => (isPerson(entity) ? [] : (outside(entity) ?? [])));
  return {
    text: whole,
    ...defined({
      hashtags: unlessEmpty(hashtagsIn(whole)),
      mentions: unlessEmpty(mentions),
      links: unlessEmpty([...new Set([...links, ...webLinksIn(whole)])].slice(0, MAX_RANGES)),
    }),
  };
}

function wordsOf(message: Fields, range: unknown): string {
  const offset = count(dig(range, 'offset')) ?? 0;
  return String(message.text).slice(offset, offset + Math.min(200, count(dig(range, 'length')) ?? 0));
}

function isPerson({ __typename: type }: Fields): boolean {
  return type === 'User' || type === 'Page' || type === 'Group';
}

function mention(entity: Fields, words: string): Readonly<Record<string, string>>[] {
  const id = text(entity.id);
  if (!isPerson(entity) || id === undefined) return [];
  const url = cleanLink(entity.url);
  return [defined({ id, name: text(words), handle: handleOf(url), url })];
}

/** Returns the address of a link to another site. */
function outside(entity: Fields): string | undefined {
  const url = cleanLink(dig(entity, 'external_url') ?? entity.url);
  return url === undefined || url.startsWith('https://www.facebook.com/') ? undefined : url;
}
