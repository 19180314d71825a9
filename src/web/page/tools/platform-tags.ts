import type { ExtractionResponse } from '#client/index.ts';
import { textAt } from '#client/read-members.ts';
import { authorOf } from '../query/media-facts.ts';
import type { Tags } from './item-options.ts';

/** Returns the tags that the service writes into a file without being asked, as far as a visitor can edit them. */
export function platformTags(result: ExtractionResponse): Tags {
  const { title, playlist, additionalData: data } = result.metadata;
  const day = ['uploadedAt', 'publishedAt', 'createdAt']
    .map((name) => textAt(data, name)?.match(/^\d{4}-\d{2}-\d{2}/)?.[0])
    .find((one) => one !== undefined);
  const tags: Record<keyof Tags, string | undefined> = {
    title: title?.split(/[\r\n]/, 1)[0]?.trim(),
    artist: authorOf(result)?.name,
    album: textAt(data, 'playlist', 'title') ?? textAt(playlist, 'info', 'title'),
    date: day,
    genre: textAt(data, 'category') ?? textAt(data, 'channel'),
    comment: undefined,
  };
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== undefined && value !== ''));
}
