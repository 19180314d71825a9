import { subjectsOfMetadata } from '../blocks/subjects.ts';
import type { SourceExtraction } from './source/extract.ts';

/** Known subjects by extraction, because a cached one is served many times. */
const subjectsByExtraction = new WeakMap<SourceExtraction, readonly string[]>();

/** Returns the item and the channel that an extraction belongs to, as the block list names them. */
export function subjectsOfExtraction(platform: string, extraction: SourceExtraction): readonly string[] {
  const known = subjectsByExtraction.get(extraction);
  if (known !== undefined) return known;
  const subjects = subjectsOfMetadata(platform, extraction.metadata);
  subjectsByExtraction.set(extraction, subjects);
  return subjects;
}
