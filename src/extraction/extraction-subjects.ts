import { noSubjects, type Subjects } from '../contract/subjects.ts';
import type { PartPath, Platform } from '../platforms/platform.ts';
import { subjectsOfParameters, subjectsOfResult, textsOfSubjects } from '../platforms/subjects.ts';
import type { SourceQuery } from './request/source-query.ts';
import type { SourceExtraction } from './source/extract.ts';

/** Known subjects by extraction, because a cached one is served many times. */
const subjectsByExtraction = new WeakMap<SourceExtraction, readonly string[]>();

/** Returns the subjects that an extraction belongs to, apart from those that its query names. */
export function subjectsOfExtraction(platform: Platform, extraction: SourceExtraction): readonly string[] {
  const known = subjectsByExtraction.get(extraction);
  if (known !== undefined) return known;
  const subjects = subjectsOfResult(platform, extraction);
  subjectsByExtraction.set(extraction, subjects);
  return subjects;
}

/** What the parts of an extraction belong to, as blocks compare it. */
export interface PartSubjects {
  /** Subjects of each content item. */
  readonly contents: readonly (readonly string[])[];
  /** Parts of the metadata: the details of contents, and the `parts` of the extraction. */
  readonly metadata: readonly { readonly path: PartPath; readonly subjects: readonly string[] }[];
  readonly sound: readonly string[];
}

const partsByExtraction = new WeakMap<SourceExtraction, PartSubjects>();

/** Returns what the parts of an extraction belong to. */
export function subjectsOfParts(platform: Platform, extraction: SourceExtraction): PartSubjects {
  const known = partsByExtraction.get(extraction);
  if (known !== undefined) return known;
  const { contents = [], parts = [], sound } = extraction;
  const described = contents.flatMap(({ details = [], subjects }) => details.map((path) => ({ path, subjects })));
  const texts = (subjects: Subjects) => textsOfSubjects(platform, subjects);
  const found = {
    contents: contents.map(({ subjects }) => texts(subjects)),
    metadata: [...described, ...parts].map(({ path, subjects }) => ({ path, subjects: texts(subjects) })),
    sound: texts(sound?.subjects ?? noSubjects),
  };
  partsByExtraction.set(extraction, found);
  return found;
}

/** Known subjects by query, because repeated URLs have the same query. */
const subjectsByQuery = new WeakMap<SourceQuery, readonly string[]>();

/** Returns the subjects that a query names: with its parameters, and with the page of a list that it requests. */
export function subjectsOfQuery(platform: Platform, query: SourceQuery): readonly string[] {
  const known = subjectsByQuery.get(query);
  if (known !== undefined) return known;
  const { endpoint, parameters, pages } = query;
  const ofPage = pages.subjects === undefined ? [] : textsOfSubjects(platform, pages.subjects);
  const subjects = [...subjectsOfParameters(platform, endpoint, parameters), ...ofPage];
  subjectsByQuery.set(query, subjects);
  return subjects;
}
