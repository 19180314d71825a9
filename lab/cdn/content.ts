import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that can be served. */
export interface Content {
  readonly type: string;
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
  /** Reads from `first` up to and without `end`. */
  read(first: number, end: number): AsyncIterable<Buffer>;
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

/** Text, such as a playlist. */
export function textContent(text: string, type: string): Content {
  const bytes = Buffer.from(text);
  return {
    type,
    size: bytes.length,
    etag: etagOf(text),
    async *read(first, end) {
      if (first < end) yield bytes.subarray(first, end);
    },
  };
}

function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)}"`;
}
