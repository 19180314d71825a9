import type { BlockIndex } from '../blocks/block-index.ts';
import type { PartPath, Platform } from '../platforms/platform.ts';
import { subjectsOfExtraction, subjectsOfParts } from './extraction-subjects.ts';
import type { SourceExtraction } from './source/extract.ts';

/** The parts of an extraction that a response leaves out, because the operator has blocked them. */
export interface BlockedParts {
  /** Positions of the contents. */
  readonly contents: ReadonlySet<number>;
  /** Parts of the metadata. */
  readonly metadata: readonly PartPath[];
  /** Whether the sound of the post is blocked. */
  readonly sound: boolean;
  /** Number of items that are missing from the response: a content item and its details count once. */
  readonly count: number;
}

/** No part is blocked. */
export const noBlockedParts: BlockedParts = { contents: new Set(), metadata: [], sound: false, count: 0 };

/**
 * Returns the parts of an extraction that the operator has blocked.
 *
 * @throws MillraceError `blocked` if the whole result is blocked: an item or a channel that it belongs to, or each of
 * its contents.
 */
export function findBlockedParts(platform: Platform, extraction: SourceExtraction, blocks: BlockIndex): BlockedParts {
  if (!blocks.hasSubjects) return noBlockedParts;
  const refusal = blocks.refusalOf(subjectsOfExtraction(platform, extraction));
  if (refusal !== undefined) throw refusal;
  const subjects = subjectsOfParts(platform, extraction);
  const isBlocked = (names: readonly string[]) => blocks.refusalOf(names) !== undefined;
  const { contents = [], metadata } = extraction;
  const refusals = subjects.contents.map((names) => blocks.refusalOf(names));
  const [first] = refusals;
  if (first !== undefined && refusals.every((each) => each !== undefined)) throw first;
  const blocked = contents.flatMap((content, position) =>
    refusals[position] === undefined ? [] : [{ content, position }],
  );
  const paths = subjects.metadata.filter((part) => isBlocked(part.subjects)).map(({ path }) => path);
  const pictures = blocked.flatMap(({ content: { images = [] } }) => images.map(({ item }) => item.url));
  const isThumbnail = metadata.thumbnailUrl !== undefined && pictures.includes(metadata.thumbnailUrl);
  const details = new Set(blocked.flatMap(({ content }) => content.details ?? []));
  return {
    contents: new Set(blocked.map(({ position }) => position)),
    metadata: isThumbnail ? [...paths, ['thumbnailUrl']] : paths,
    sound: isBlocked(subjects.sound),
    count: blocked.length + outermost(paths).filter((path) => !details.has(path)).length,
  };
}

/** Returns the paths to parts that are not inside another one. */
function outermost(paths: readonly PartPath[]): readonly PartPath[] {
  const known = new Set(paths.map((path) => JSON.stringify(path)));
  return paths.filter((path) => !path.some((_step, length) => known.has(JSON.stringify(path.slice(0, length)))));
}

/** Returns the note for the caller about the parts that are left out. */
export function blockedPartsNotes({ count }: BlockedParts): readonly string[] {
  if (count === 0) return [];
  return [`Omitted ${count} ${count === 1 ? 'item' : 'items'} that the operator of this service has blocked.`];
}
