import type { ItemOrigin } from '../contract/media-origin.ts';
import { type Fields, fields, text } from '../parsing/values.ts';

/*
 * A subject is what a block can name on a platform, as text: `p1/item/dQw4w9WgXcQ`, `p1/channel/UC…`,
 * `p1/channel/@handle`.
 */

/** The kinds of subjects. */
type SubjectKind = 'item' | 'channel';

/** Parameters that name an item or a channel, by its ID, its handle or a link. */
const namingParameter = /^(?:url|handle|username|shortcode|[a-z]{1,20}Id)$/;

/** Limits of what is read from a parameter: its length, and the number of its words. */
const MAX_PARAMETER = 5_000;
const MAX_WORDS = 100;
/** Maximum number of subjects of one item. */
const MAX_SUBJECTS = 12;
/** Maximum length of an ID. */
const MAX_ID = 300;

/** Members of `additionalData` that identify the item. */
const itemIds = ['id', 'requestedId', 'shortcode'] as const;
/** Members of an author or a channel that identify it, and those with its handle. */
const channelIds = ['id', 'channelId', 'userId', 'secUid'] as const;
const handles = ['handle', 'username'] as const;

/** Returns the subject with an ID; see {@link normaliseId}. */
export function subjectOf(platform: string, kind: SubjectKind, id: string): string {
  return `${platform}/${kind}/${normaliseId(kind, id)}`;
}

/** Returns an ID as it is compared: handles of channels, which begin with an at sign, in lower case. */
export function normaliseId(kind: SubjectKind, id: string): string {
  return kind === 'channel' && id.startsWith('@') ? id.toLowerCase() : id;
}

/**
 * Returns the words with which the parameters of a request may name an item or a channel. They include every part of a
 * link, as it is and percent-decoded, because only the platform knows which one is the ID.
 */
export function namedWords(parameters: ItemOrigin['parameters']): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => wordsOf(name, value));
}

function wordsOf(name: string, value: unknown): readonly string[] {
  if (typeof value !== 'string' || !namingParameter.test(name)) return [];
  return value
    .slice(0, MAX_PARAMETER)
    .split(/[\s/?&=#]+/, MAX_WORDS)
    .filter((word) => word !== '')
    .flatMap((word) => (word.includes('%') ? [word, percentDecoded(word)] : [word]));
}

/**
 * Returns the subjects that the parameters of a request may name; see {@link namedWords}. Not every request names what
 * its response belongs to; see {@link subjectsOfMetadata}.
 */
export function subjectsOfParameters({
  platform,
  parameters,
}: Pick<ItemOrigin, 'platform' | 'parameters'>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const words = wordsOf(name, value);
    const ids = words.flatMap((word) => [subjectOf(platform, 'item', word), subjectOf(platform, 'channel', word)]);
    const isHandle = name === 'handle' || name === 'username';
    return isHandle ? [...ids, ...words.map((word) => handleSubject(platform, word))] : ids;
  });
}

/** Returns the item and the channel that a result belongs to, according to its metadata. Lists are not searched. */
export function subjectsOfMetadata(platform: string, metadata: Fields): readonly string[] {
  const playlist = fields(fields(metadata.playlist).info);
  const post = fields(metadata.post);
  const items = [
    ...textsOf(fields(metadata.additionalData), itemIds),
    ...textsOf(playlist, ['id']),
    ...textsOf(post, ['id']),
  ];
  const channels = [metadata.author, metadata.channel, playlist.author, post.author].map(fields);
  const subjects = [
    ...items.map((id) => subjectOf(platform, 'item', id)),
    ...channels.flatMap((channel) => [
      ...textsOf(channel, channelIds).map((id) => subjectOf(platform, 'channel', id)),
      ...textsOf(channel, handles).map((handle) => handleSubject(platform, handle)),
    ]),
  ];
  return [...new Set(subjects)].slice(0, MAX_SUBJECTS);
}

/** Returns the subjects of an item that a link or a job came from. Links of former versions have only its parameters. */
export function subjectsOfOrigin(origin: ItemOrigin): readonly string[] {
  return [...(origin.subjects ?? []), ...subjectsOfParameters(origin)];
}

/** Decodes each run of percent-encoded bytes that is valid UTF-8, as platforms decode the parts of a link. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function handleSubject(platform: string, handle: string): string {
  return subjectOf(platform, 'channel', handle.startsWith('@') ? handle : `@${handle}`);
}

function textsOf(members: Fields, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const id = text(members[name]);
    return id === undefined || id.length > MAX_ID ? [] : [id];
  });
}
