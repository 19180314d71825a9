import type { ExtractionResult } from '../contract/envelope.ts';
import { type AnswerPart, answerParts } from '../contract/parameters.ts';
import type { EndpointParameters } from '../platforms/platform.ts';

/** Whether a part of the answer is wanted. */
export type Wanted = (part: AnswerPart) => boolean;

/**
 * Which parts the values of `fields` mean. Listed ones alone, where any is listed without `-`, else all; a child brings
 * its parent, a parent all its children; those with `-` are then taken away. Everything, where there is no value.
 */
export function wantedFields(fields: EndpointParameters[string]): Wanted {
  const values = typeof fields === 'object' ? fields : [];
  const listed = values.filter((value) => !value.startsWith('-'));
  const taken = values.filter((value) => value.startsWith('-')).map((value) => value.slice(1));
  return (part) =>
    (listed.length === 0 || listed.some((name) => isWithin(part, name) || isWithin(name, part))) &&
    !taken.some((name) => isWithin(part, name));
}

/**
 * An answer without the parts that are not wanted. `title` and `thumbnailUrl` cannot be named: they come with any part
 * of the metadata. The error and the notes always stay.
 */
export function filterFields({ error, contents, metadata, notes }: ExtractionResult, wanted: Wanted): ExtractionResult {
  return {
    error,
    ...(contents === undefined || !wanted('contents')
      ? {}
      : { contents: contents.map((content) => pick(content, 'contents', wanted)) }),
    metadata: wanted('metadata') ? pick(metadata, 'metadata', wanted) : {},
    ...(notes === undefined ? {} : { notes }),
  };
}

function pick<T extends object>(members: T, parent: 'contents' | 'metadata', wanted: Wanted): Partial<T> {
  const kept = Object.entries(members).filter(([member]) => {
    const name = answerParts.find((name) => name === `${parent}.${member}`);
    return name === undefined || wanted(name);
  });
  // Members were left out and none was changed.
  return Object.fromEntries(kept) as Partial<T>;
}

function isWithin(part: string, whole: string): boolean {
  return part === whole || part.startsWith(`${whole}.`);
}
