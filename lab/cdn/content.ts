import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that can be served. */
export interface Content {
  readonly type: string;
  /** Infinity where it never ends: it then has no Content-Length and no ranges. */
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
  /** How the bytes are encoded, where they are. */
  readonly encoding?: 'gzip';
  /** Reads from `first` up to and without `end`. */
  read(first: number, end: number): AsyncIterable<Buffer>;
  /** What is served in its place once the site has changed the file: of the same kind, with other bytes. */
  nextVersion?(): Promise<Content>;
}

const chunkBytes = 256 * 1024;

/** A file of the cache, whose name says all about its bytes. */
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

/** Several contents, one after the other. */
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

/** Bytes in memory. */
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

/** Text, such as a playlist. */
export function textContent(text: string, type: string): Content {
  return bytesContent(Buffer.from(text), type);
}

/**
 * Bytes made while they are read, so that many of them take no memory. `name` says all about them; `size` is what the
 * chunks amount to, which are made again for each reading.
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

/** All of a content in memory. */
export async function contentBytes(content: Content): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content.read(0, content.size)));
}

function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)}"`;
}
