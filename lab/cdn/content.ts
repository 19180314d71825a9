import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that the lab can serve. */
export interface Content {
  readonly type: string;
  /** Size in bytes; Infinity for endless content, which has no Content-Length and no ranges. */
  readonly size: number;
  /** ETag, including its quotes. */
  readonly etag: string;
  /** Content encoding, if any. */
  readonly encoding?: 'gzip';
  /** Reads from `first` up to but not including `end`. */
  read(first: number, end: number): AsyncIterable<Buffer>;
  /** Returns the content after a change on the site: the same kind, with other bytes. */
  nextVersion?(): Promise<Content>;
}

const chunkBytes = 256 * 1024;

/** Returns a file of the cache as content. The file's name identifies its bytes. */
export async function fileContent(file: string, type: string): Promise<Content> {
  const { size } = await stat(file);
  return {
    type,
    size,
    etag: etagOf(path.basename(path.dirname(file)), path.basename(file), `${size}`),
    async *read(first, end) {
      if (first < end) yield* createReadStream(file, { start: first, end: end - 1, highWaterMark: chunkBytes });
    },
  };
}

/** Concatenates several contents. */
export function joinedContent(parts: readonly Content[], type: string): Content {
  return {
    type,
    size: parts.reduce((sum, { size }) => sum + size, 0),
    etag: etagOf(...parts.map(({ etag }) => etag)),
    async *read(first, end) {
      let start = 0;
      for (const part of parts) {
        const [from, to] = [Math.max(first - start, 0), Math.min(end - start, part.size)];
        if (from < to) yield* part.read(from, to);
        start += part.size;
      }
    },
  };
}

/** Returns bytes in memory as content. */
export function bytesContent(bytes: Buffer, type: string): Content {
  return {
    type,
    size: bytes.length,
    etag: etagOf(createHash('sha256').update(bytes).digest('hex')),
    async *read(first, end) {
      if (first < end) yield bytes.subarray(first, end);
    },
  };
}

/** Returns text as content, such as a playlist. */
export function textContent(text: string, type: string): Content {
  return bytesContent(Buffer.from(text), type);
}

/**
 * Returns bytes that are generated while they are read, so that large content needs no memory. `name` identifies the
 * bytes. `size` is their total number; `chunks` generates them again for each read.
 */
export function generatedContent(name: string, type: string, size: number, chunks: () => Iterable<Buffer>): Content {
  return {
    type,
    size,
    etag: etagOf(name),
    async *read(first, end) {
      let start = 0;
      for (const chunk of chunks()) {
        if (start >= end) return;
        const piece = chunk.subarray(Math.max(0, first - start), Math.min(chunk.length, end - start));
        if (piece.length > 0) yield piece;
        start += chunk.length;
      }
    },
  };
}

/** Reads the whole content into memory. */
export async function contentBytes(content: Content): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content.read(0, content.size)));
}

function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)}"`;
}
