import Type from 'typebox';
import { defined, memberAt, numberAt, textAt } from '#client/read-members.ts';
import type { KnownMetadata } from '../../contract/metadata.ts';
import { cutText, toolLimits } from '../limits.ts';

/** Counts that platforms state about an item or its author. */
const counts = [
  'viewCount',
  'likeCount',
  'commentCount',
  'subscriberCount',
  'followerCount',
  'videoCount',
  'postCount',
];

/** Members of a result that describe what a link leads to. */
export const summaryMembers = {
  title: Type.Optional(Type.String()),
  author: Type.Optional(Type.String()),
  description: Type.Optional(Type.String({ description: `Up to ${toolLimits.description} characters.` })),
  url: Type.Optional(Type.String({ description: 'Its address on the platform.' })),
  duration: Type.Optional(Type.Number({ description: 'Seconds.' })),
  publishedAt: Type.Optional(Type.String()),
  live: Type.Optional(
    Type.Boolean({ description: 'Whether it is a live broadcast. It can be rendered when it has ended.' }),
  ),
  thumbnailUrl: Type.Optional(Type.String()),
  counts: Type.Optional(
    Type.Record(Type.String(), Type.Number(), { description: 'Views, likes, followers and so on.' }),
  ),
  transcriptLanguages: Type.Optional(
    Type.Array(Type.String(), { description: 'Values of transcriptLanguage for get_transcript.' }),
  ),
} as const;

/** What a link leads to, in short form. */
export type Summary = { readonly [Name in keyof typeof summaryMembers]?: unknown };

/** Returns the short form of what a platform states about an item, a list, a channel or a profile. */
export function summaryOf(metadata: KnownMetadata): Summary {
  const { title, thumbnailUrl, author, channel, playlist, hashtag, post, transcript, additionalData } = metadata;
  const subject = channel ?? playlist?.info ?? hashtag ?? post ?? additionalData ?? author;
  const sources = [additionalData, subject, author];
  const text = (...names: readonly string[]) =>
    sources.flatMap((source) => names.map((name) => textAt(source, name))).find((value) => value !== undefined);
  const tag = textAt(hashtag, 'tag');
  return defined({
    title: short(title ?? textAt(subject, 'title') ?? textAt(subject, 'name') ?? (tag === undefined ? tag : `#${tag}`)),
    author: short(
      textAt(author, 'name') ??
        textAt(author, 'username') ??
        textAt(author, 'handle') ??
        textAt(subject, 'author', 'name'),
    ),
    description: short(text('description', 'caption', 'biography', 'text'), toolLimits.description),
    url: link(text('url')),
    duration: numberAt(additionalData, 'duration'),
    publishedAt: short(text('publishedAt', 'uploadedAt', 'createdAt')),
    live: additionalData?.isLive === true || undefined,
    thumbnailUrl: link(thumbnailUrl),
    counts: countsOf([memberAt(additionalData, 'statistics'), subject]),
    transcriptLanguages:
      transcript === undefined || transcript.languages.length === 0
        ? undefined
        : transcript.languages.slice(0, toolLimits.notes),
  });
}

function countsOf(sources: readonly unknown[]): Readonly<Record<string, number>> | undefined {
  const found = counts.flatMap((name) => {
    const value = sources.map((source) => numberAt(source, name)).find((count) => count !== undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function short(text: string | undefined, maxLength: number = toolLimits.title): string | undefined {
  return text === undefined ? undefined : cutText(text, maxLength);
}

/** Leaves out links that are too long to pass on. */
function link(url: string | undefined): string | undefined {
  return url === undefined || url.length > toolLimits.resultLink ? undefined : url;
}
