import type { ByteSource } from '../binary/byte-source.ts';
import { type ChildElement, childElements, segmentElements, uintOf } from '../binary/ebml.ts';
import { decline } from '../binary/fast-path-declined.ts';
import type { Chapter } from './chapter.ts';

/** Maximum size of all chapters, in bytes. */
const maxBytes = 4 * 1024 * 1024;
/** IDs of the chapter elements (RFC 9559 §5.1.7). */
export const chapterIds = {
  chapters: 0x1043a770,
  edition: 0x45b9,
  editionUid: 0x45bc,
  editionHidden: 0x45bd,
  editionDefault: 0x45db,
  atom: 0xb6,
  uid: 0x73c4,
  start: 0x91,
  end: 0x92,
  hidden: 0x98,
  enabled: 0x4598,
  display: 0x80,
  text: 0x85,
  language: 0x437c,
} as const;

/**
 * Reads the chapters of a Matroska or WebM file: the top level of its default edition, or else of the first edition
 * that is not hidden. Hidden and disabled chapters are omitted.
 *
 * @throws FastPathDeclined when the chapters are damaged.
 */
export function readMatroskaChapters(source: ByteSource): Chapter[] {
  for (const { id, size, dataOffset } of segmentElements(source)) {
    if (id !== chapterIds.chapters) continue;
    if (size === undefined || size > maxBytes) decline('they are too large');
    return parseChapters(source.read(dataOffset, size));
  }
  return [];
}

function parseChapters(body: Buffer): Chapter[] {
  const editions = childElements(body)
    .filter(({ id }) => id === chapterIds.edition)
    .map((edition) => childElements(edition.body))
    .filter((parts) => uintOf(parts, chapterIds.editionHidden, 0) === 0);
  const edition = editions.find((parts) => uintOf(parts, chapterIds.editionDefault, 0) === 1) ?? editions[0] ?? [];
  return edition
    .filter(({ id }) => id === chapterIds.atom)
    .map((atom) => childElements(atom.body))
    .filter((parts) => uintOf(parts, chapterIds.hidden, 0) === 0 && uintOf(parts, chapterIds.enabled, 1) === 1)
    .map((parts) => ({ start: uintOf(parts, chapterIds.start, 0) / 1e9, title: titleOf(parts) }));
}

/** Returns a chapter's title in the first of the chapter's languages. */
function titleOf(parts: readonly ChildElement[]): string {
  const display = parts.find(({ id }) => id === chapterIds.display);
  const text = display === undefined ? undefined : childElements(display.body).find(({ id }) => id === chapterIds.text);
  // Text may be padded with zeros (RFC 8794 §7.4).
  return text?.body.toString('utf8').split('\0', 1)[0] ?? '';
}
