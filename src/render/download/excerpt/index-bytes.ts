import type { ByteRange } from '../byte-ranges.ts';
import type { HeldMemory } from '../held-memory.ts';
import { declineExcerpt } from './media-index.ts';

/** Minimum size of a request for an index: boxes around the requested one are often read next. */
const readAheadBytes = 64 * 1024;
/** The end of a file is read at once up to this size: it usually contains only the index. */
const tailBytes = 1024 * 1024;
/** Maximum number of requests and of bytes for one index. */
const maxRequests = 128;
const maxBytes = 96 * 1024 * 1024;

/** Bytes of a file from an offset. */
interface Block {
  readonly from: number;
  readonly bytes: Buffer;
}

/** The bytes of a file that were fetched for its index. */
export interface IndexBytes {
  /** Returns a range of the file, and fetches what is missing. */
  read(range: ByteRange): Promise<Buffer>;
  /** The ranges that are in memory. */
  readonly blocks: readonly Block[];
}

/**
 * Creates the bytes of an index.
 *
 * @param head - the first bytes of the file.
 * @param size - size of the file in bytes.
 * @param memory - what the bytes take from. Its owner gives them back.
 * @param fetch - fetches a range of the file into a buffer of its length.
 */
export function createIndexBytes(
  head: Buffer,
  size: number,
  memory: HeldMemory,
  fetch: (range: ByteRange, bytes: Buffer) => Promise<void>,
): IndexBytes {
  const blocks: Block[] = [{ from: 0, bytes: head }];
  let requests = 0;
  let total = head.length;

  return {
    blocks,
    async read({ from, end }) {
      const within = blocks.find((block) => from >= block.from && end <= block.from + block.bytes.length);
      if (within !== undefined) return within.bytes.subarray(from - within.from, end - within.from);
      const before = blocks.find((block) => from >= block.from && from < block.from + block.bytes.length);
      const missing = before === undefined ? from : before.from + before.bytes.length;
      const readAhead = size - missing <= tailBytes ? size : missing + readAheadBytes;
      const until = Math.min(size, Math.max(end, readAhead));
      requests += 1;
      total += until - missing;
      if (requests > maxRequests || total > maxBytes) declineExcerpt('its index is too large');
      const known = before?.bytes.subarray(from - before.from);
      const start = before === undefined ? missing : from;
      if (!memory.take(until - start)) declineExcerpt('its index is too large for the memory that is left');
      // One buffer for all, because copying tens of megabytes would block the event loop.
      const bytes = Buffer.alloc(until - start);
      known?.copy(bytes);
      await fetch({ from: missing, end: until }, bytes.subarray(missing - start));
      blocks.push({ from: start, bytes });
      return bytes.subarray(from - start, end - start);
    },
  };
}
