import type { ExtractionResult } from '../../contract/envelope.ts';
import { responseParts } from '../../contract/parameters.ts';
import type { IsRequested } from '../request/requested-parts.ts';

/**
 * Returns a response body without the parts that were not requested. `title` and `thumbnailUrl` have no name in
 * `fields` and are included with any part of the metadata. The error and the notes are always included.
 */
export function filterFields(
  { error, contents, metadata, notes }: ExtractionResult,
  isRequested: IsRequested,
): ExtractionResult {
  return {
    error,
    ...(contents === undefined || !isRequested('contents')
      ? {}
      : { contents: contents.map((content) => pick(content, 'contents', isRequested)) }),
    metadata: isRequested('metadata') ? pick(metadata, 'metadata', isRequested) : {},
    ...(notes === undefined ? {} : { notes }),
  };
}

function pick<T extends object>(members: T, parent: 'contents' | 'metadata', isRequested: IsRequested): Partial<T> {
  const entries = Object.entries(members).filter(([member]) => {
    const name = responseParts.find((name) => name === `${parent}.${member}`);
    return name === undefined || isRequested(name);
  });
  // Members are only removed, never changed.
  return Object.fromEntries(entries) as Partial<T>;
}
