import { type ByteSource, withFile } from '../../binary/byte-source.ts';
import { insertZeros } from '../../binary/insert-zeros.ts';
import { overwrite } from '../../binary/overwrite.ts';
import { type OggPage, oggPages, renumberPage } from '../../tags/ogg-pages.ts';
import { layoutBytes, layPages } from './ogg-layout.ts';

/** Readers may refuse comments of more than 120 MB (RFC 7845 §5.2). Covers and texts have less than 20 MB of them. */
export const maxOggPadding = 100_000_000;

/** Number of header packets after the first one, by how that one begins. */
const headerPackets: readonly (readonly [signature: string, count: number])[] = [
  ['OpusHead', 1],
  ['\x01vorbis', 2],
];

/** Number of bytes that contain such a signature, and maximum number of pages of the headers. */
const signatureBytes = 8;
const maxPages = 4096;

/** The headers of the first stream after its first page: the comments, and the codebooks of Vorbis. */
interface Headers {
  readonly first: OggPage;
  /** Offset after the first pages of all streams, and after the last header of this stream. */
  readonly start: number;
  readonly end: number;
  /** Number of their pages, and pages of other streams between them. */
  readonly pages: number;
  readonly otherPages: readonly Buffer[];
  readonly packets: readonly Buffer[];
}

/**
 * Appends zeros to the comments of the first stream of an Ogg file, and numbers its pages again. Opus allows that (RFC
 * 7845 §5.2), and readers of Vorbis ignore what follows the comments. Tag editors leave room in the same way.
 *
 * @returns By how many bytes the file has grown: a little more than `bytes`, because of the heads of the pages.
 */
export function padOgg(path: string, bytes: number): number {
  const { first, start, end, pages, otherPages, packets } = withFile(path, readHeaders);
  const [comments = Buffer.alloc(0), ...others] = packets;
  const keptPages = Buffer.concat(otherPages);
  const lengths = (padding: number) => [comments.length + padding, ...others.map(({ length }) => length)];
  let padding = 0;
  let growth = 0;
  while (growth < bytes) {
    padding += bytes - growth;
    growth = layoutBytes(lengths(padding)) + keptPages.length - (end - start);
  }
  insertZeros(path, end, growth);

  overwrite(path, start, keptPages);
  let offset = start + keptPages.length;
  let { sequence } = first;
  const contents = [
    { at: 0, bytes: comments },
    { at: comments.length + padding, bytes: Buffer.concat(others) },
  ];
  for (const page of layPages(lengths(padding), first.serial, contents)) {
    sequence += 1;
    renumberPage(page, sequence);
    overwrite(path, offset, page);
    offset += page.length;
  }
  renumberPages(path, offset, first.serial, sequence - first.sequence - pages);
  return growth;
}

/** Adds to the numbers of all pages of a stream from an offset on. */
function renumberPages(path: string, from: number, serial: number, added: number): void {
  withFile(path, (source) => {
    for (const page of oggPages(source, from)) {
      if (page.serial !== serial) continue;
      const bytes = source.read(page.offset, page.end - page.offset);
      renumberPage(bytes, page.sequence + added);
      overwrite(path, page.offset, bytes);
    }
  });
}

function readHeaders(source: ByteSource): Headers {
  let first: OggPage | undefined;
  let [start, pages] = [0, 0];
  let parts: Buffer[] = [];
  const packets: Buffer[] = [];
  const otherPages: Buffer[] = [];
  for (const page of oggPages(source)) {
    // The first pages of all streams precede every other page.
    if (page.isFirst) {
      first ??= page;
      start = page.end;
      continue;
    }
    if (first === undefined || pages + otherPages.length === maxPages) break;
    if (page.serial !== first.serial) {
      otherPages.push(source.read(page.offset, page.end - page.offset));
      continue;
    }
    pages += 1;
    const body = source.read(page.bodyOffset, page.end - page.bodyOffset);
    let at = 0;
    for (const size of page.sizes) {
      parts.push(body.subarray(at, at + size));
      at += size;
      if (size === 255) continue;
      packets.push(Buffer.concat(parts));
      parts = [];
    }
    // The first packet of audio begins on a new page.
    const end = packets.length === headerPacketsOf(source, first) && parts.length === 0;
    if (end) return { first, start, end: page.end, pages, otherPages, packets };
  }
  throw new Error('the headers of an Ogg file are not known');
}

/** Returns the number of header packets of a stream after its first page. */
function headerPacketsOf(source: ByteSource, { bodyOffset }: OggPage): number | undefined {
  const start = source.read(bodyOffset, signatureBytes).toString('latin1');
  return headerPackets.find(([signature]) => start.startsWith(signature))?.[1];
}
