import type { Answer } from '#client/index.ts';
import { numberAt, textAt } from './fields.ts';
import { countText, durationText } from './format.ts';

/** Who made something. */
export interface Author {
  readonly name: string;
  readonly url: string | undefined;
}

/** The author that an answer names. */
export function authorOf({ metadata: { author } }: Answer): Author | undefined {
  const person = author ?? {};
  const name =
    textAt(person, 'name') ??
    textAt(person, 'handle') ??
    textAt(person, 'username') ??
    textAt(person, 'pinner', 'name') ??
    textAt(person, 'pinner', 'username');
  return name === undefined ? undefined : { name, url: textAt(person, 'url') ?? textAt(person, 'pinner', 'url') };
}

/** What it is called. Captions can be long: their first line is the title. */
export function titleOf({ metadata: { title = '' } }: Answer): string {
  const line = title.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.length > 140 ? `${line.slice(0, 140)}…` : line || 'Without a title';
}

/** All of what its author wrote about it, where that is more than the title. */
export function descriptionOf(answer: Answer): string | undefined {
  const { title = '', additionalData } = answer.metadata;
  const description = textAt(additionalData, 'description') ?? title;
  return description.trim() === titleOf(answer) ? undefined : description.trim() || undefined;
}

/** Playing time, how often it was seen, and when it came out, as far as they are told. */
export function factsOf({ metadata: { additionalData: data } }: Answer): readonly string[] {
  const seconds = numberAt(data, 'duration');
  const views = numberAt(data, 'statistics', 'viewCount') ?? numberAt(data, 'viewCount');
  const date = textAt(data, 'publishedAt') ?? textAt(data, 'createdAt') ?? textAt(data, 'takenAt');
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return [
    ...(seconds === undefined || seconds === 0 ? [] : [durationText(seconds)]),
    ...(views === undefined ? [] : [`${countText(views)} views`]),
    ...(Number.isNaN(time) ? [] : [new Date(time).toLocaleDateString('en', { dateStyle: 'medium' })]),
  ];
}
