import type { ItemOrigin } from '../../contract/media-origin.ts';
import { subjectsOfExtraction, subjectsOfParts, subjectsOfQuery } from '../extraction-subjects.ts';
import type { ExtractionRequest } from '../request/read-request.ts';
import type { SourceExtraction } from '../source/extract.ts';

/** Where the links of a response came from. */
export interface ItemOrigins {
  /** Subjects of the result, as blocks compare them. */
  readonly subjects: readonly string[];
  /** Returns the origin of a content item, by its position in the result. */
  ofContent(position: number): ItemOrigin;
  /** Returns the origin of a file: that of its content, with the subjects of other contents and of a sound that it uses. */
  ofFile(content: ItemOrigin, inputs: readonly { readonly url: string }[]): ItemOrigin;
}

/** Creates the origins of an extraction's links. */
export function createItemOrigins(extraction: SourceExtraction, request: ExtractionRequest): ItemOrigins {
  const { platform, endpoint, query } = request;
  const { contents = [], sound, profile } = extraction;
  const ofParts = subjectsOfParts(platform, extraction);
  const subjects = [...subjectsOfExtraction(platform, extraction), ...subjectsOfQuery(platform, query)];
  const subjectsByUrl = new Map<string, readonly string[]>();
  for (const [position, { videos = [], audios = [], images = [] }] of contents.entries()) {
    for (const { item } of [...videos, ...audios, ...images]) {
      subjectsByUrl.set(item.url, [...(subjectsByUrl.get(item.url) ?? []), ...(ofParts.contents[position] ?? [])]);
    }
  }
  if (sound !== undefined) subjectsByUrl.set(sound.item.url, ofParts.sound);
  return {
    subjects,
    ofContent: (position) =>
      withSubjects(
        {
          platform: platform.id,
          endpoint: endpoint.path,
          parameters: query.parameters,
          item: query.item,
          content: position,
          ...(contents.length > 1 ? { contentCount: contents.length } : {}),
          ...(profile === undefined ? {} : { profile }),
        },
        [...subjects, ...(ofParts.contents[position] ?? [])],
      ),
    ofFile: (content, inputs) =>
      withSubjects(
        content,
        inputs.flatMap(({ url }) => subjectsByUrl.get(url) ?? []),
      ),
  };
}

function withSubjects(origin: ItemOrigin, subjects: readonly string[]): ItemOrigin {
  const all = [...new Set([...(origin.subjects ?? []), ...subjects])];
  return all.length === 0 ? origin : { ...origin, subjects: all };
}
