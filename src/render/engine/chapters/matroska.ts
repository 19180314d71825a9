import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/declined.ts';
import { EBML, type Element, readElement, SEGMENT } from '../declared/matroska.ts';
import type { Chapter } from './chapter.ts';

/** Elements of a segment, at most: fourteen hours of clusters of half a second. */
const maxElements = 100_000;
/** Bytes that all chapters may have, and elements that one of theirs may hold. */
const maxBytes = 4 * 1024 * 1024;
const maxChildren = 10_000;

/** Ids of RFC 9559 §5.1.7, and of what is passed on the way to it. */
export const ids = {
  void: 0xec,
  cluster: 0x1f43b675,
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
 * Reads the chapters of a Matroska or WebM file: the top level of its default edition, else of the first one, without
 * those that are hidden or switched off.
 *
 * @throws Declined when they are damaged.
 */
export function readMatroskaChapters(source: ByteSource): Chapter[] {
  for (const { id, size, dataOffset } of segmentElements(source)) {
    if (id !== ids.chapters) continue;
    if (size === undefined || size > maxBytes) decline('they have too many bytes');
    return chaptersOf(source.read(dataOffset, size));
  }
  return [];
}

/** The elements of a file's segment in their order, up to one that leaves its size open, as live recordings do. */
export function* segmentElements(source: ByteSource): Generator<Element & { readonly offset: number }> {
  const head = readElement(source, 0);
  if (head?.id !== EBML || head.size === undefined) return;
  const segment = readElement(source, head.dataOffset + head.size);
  if (segment?.id !== SEGMENT) return;
  const end = Math.min(source.size, segment.dataOffset + (segment.size ?? source.size));
  let offset = segment.dataOffset;
  for (let count = 0; count < maxElements && offset < end; count += 1) {
    const element = readElement(source, offset);
    if (element?.size === undefined) return;
    yield { ...element, offset };
    offset = element.dataOffset + element.size;
  }
}

function chaptersOf(body: Buffer): Chapter[] {
  const editions = children(body)
    .filter(({ id }) => id === ids.edition)
    .map((edition) => children(edition.body))
    .filter((parts) => numberOf(parts, ids.editionHidden, 0) === 0);
  const edition = editions.find((parts) => numberOf(parts, ids.editionDefault, 0) === 1) ?? editions[0] ?? [];
  return edition
    .filter(({ id }) => id === ids.atom)
    .map((atom) => children(atom.body))
    .filter((parts) => numberOf(parts, ids.hidden, 0) === 0 && numberOf(parts, ids.enabled, 1) === 1)
    .map((parts) => ({ start: numberOf(parts, ids.start, 0) / 1e9, title: titleOf(parts) }));
}

/** The name in the first of its languages. */
function titleOf(parts: readonly Child[]): string {
  const display = parts.find(({ id }) => id === ids.display);
  const text = display === undefined ? undefined : children(display.body).find(({ id }) => id === ids.text);
  // Text may be filled up with zeros (RFC 8794 §7.4).
  return text?.body.toString('utf8').split('\0', 1)[0] ?? '';
}

/** The number in the first element of an id. */
export function numberOf(parts: readonly Child[], id: number, otherwise: number): number {
  const body = parts.find((part) => part.id === id)?.body;
  return body === undefined ? otherwise : body.reduce((value, byte) => value * 256 + byte, 0);
}

/** An element inside another. */
export interface Child {
  readonly id: number;
  readonly body: Buffer;
}

/**
 * The elements of an element's body.
 *
 * @throws Declined when they do not fill it, or are too many.
 */
export function children(body: Buffer): Child[] {
  const source = { size: body.length, read: (at: number, length: number) => body.subarray(at, at + length) };
  const found: Child[] = [];
  for (let offset = 0; offset < body.length; ) {
    const element = readElement(source, offset);
    if (element?.size === undefined || element.dataOffset + element.size > body.length) decline('they are damaged');
    if (found.length === maxChildren) decline('they have too many parts');
    const end = element.dataOffset + element.size;
    found.push({ id: element.id, body: body.subarray(element.dataOffset, end) });
    offset = end;
  }
  return found;
}
