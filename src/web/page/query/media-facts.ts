import type { ExtractionResponse } from '#client/index.ts';
import { numberAt, textAt } from '#client/read-members.ts';
import { countText, dateText, durationText } from '../language/format.ts';
import { messages } from '../language/language.ts';

/** The author of a media item. */
export interface Author {
  readonly name: string;
  readonly url: string | undefined;
}

/** Returns the author of a result. */
export function authorOf({ metadata: { author } }: ExtractionResponse): Author | undefined {
  const person = author ?? {};
  const name =
    textAt(person, 'name') ??
    textAt(person, 'handle') ??
    textAt(person, 'username') ??
    textAt(person, 'pinner', 'name') ??
    textAt(person, 'pinner', 'username');
  return name === undefined ? undefined : { name, url: textAt(person, 'url') ?? textAt(person, 'pinner', 'url') };
}

/** Returns the title. A caption can be long, so its first line is used as the title. */
export function titleOf({ metadata: { title = '' } }: ExtractionResponse): string {
  const line = title.split('\n').find((text) => text.trim() !== '') ?? '';
  return line.length > 140 ? `${line.slice(0, 140)}…` : line || messages().list.untitled;
}

/** Returns the whole description, if it contains more than the title. */
export function descriptionOf(result: ExtractionResponse): string | undefined {
  const { title = '', additionalData } = result.metadata;
  const description = textAt(additionalData, 'description') ?? title;
  return description.trim() === titleOf(result) ? undefined : description.trim() || undefined;
}

/** Returns the duration, view count and date in words, as far as the platform states them. */
export function factsOf({ metadata: { additionalData: data } }: ExtractionResponse): readonly string[] {
  const seconds = numberAt(data, 'duration');
  const views = numberAt(data, 'statistics', 'viewCount') ?? numberAt(data, 'viewCount');
  const date = textAt(data, 'publishedAt') ?? textAt(data, 'createdAt') ?? textAt(data, 'takenAt');
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return [
    ...(seconds === undefined || seconds === 0 ? [] : [durationText(seconds)]),
    ...(views === undefined ? [] : [messages().list.counts.viewCount(views, countText(views))]),
    ...(Number.isNaN(time) ? [] : [dateText(new Date(time))]),
  ];
}
