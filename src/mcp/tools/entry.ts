import Type from 'typebox';
import type { EntryFacts } from '#client/collections/collection-entry.ts';
import { cutText, toolLimits } from '../limits.ts';

/** An entry of a list, such as a video of a playlist or a search result. */
export const entrySchema = Type.Object({
  kind: Type.String({ description: 'video, image, post, channel, playlist or other.' }),
  id: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  author: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ description: 'Link to pass to other tools.' })),
  duration: Type.Optional(Type.Number({ description: 'Seconds.' })),
  publishedAt: Type.Optional(Type.String()),
  live: Type.Optional(Type.Boolean()),
  unavailable: Type.Optional(Type.Boolean({ description: 'Whether it cannot be played.' })),
});

/** Returns the short form of an entry. */
export function shortEntry(entry: EntryFacts): Type.Static<typeof entrySchema> {
  const { kind, id, title, author, url, duration, publishedAt, live, unavailable } = entry;
  return {
    kind,
    ...(id === undefined ? {} : { id: cutText(id, toolLimits.title) }),
    ...(title === undefined ? {} : { title: cutText(title, toolLimits.title) }),
    ...(author === undefined ? {} : { author: cutText(author, toolLimits.title) }),
    ...(url === undefined || url.length > toolLimits.resultLink ? {} : { url }),
    ...(duration === undefined ? {} : { duration }),
    ...(publishedAt === undefined ? {} : { publishedAt: cutText(publishedAt, toolLimits.title) }),
    ...(live === undefined ? {} : { live }),
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}
