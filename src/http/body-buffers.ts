/** First buffer. Further ones follow as the body arrives, whatever length the request states. */
const FIRST_BYTES = 4 * 1024;

/** Bytes in buffers, each as large as all before it. */
export interface BodyBuffers {
  readonly size: number;
  /** Returns the size of the buffers that hold some bytes more, which is the limit at most. */
  capacityFor(more: number): number;
  add(chunk: Buffer): void;
  join(): Buffer;
}

/**
 * Creates buffers for up to `limit` bytes. Chunks are copied, not kept, because a client may send one byte in each. The
 * buffers stay where they are: each copy in a larger one would leave garbage, which is collected late.
 */
export function createBodyBuffers(limit: number): BodyBuffers {
  const buffers: Buffer[] = [];
  let size = 0;
  let capacity = 0;
  /** Where the next byte goes in the last buffer. */
  let end = 0;

  function capacityFor(more: number): number {
    let needed = capacity;
    while (needed < Math.min(limit, size + more)) needed = Math.min(limit, Math.max(FIRST_BYTES, 2 * needed));
    return needed;
  }

  return {
    get size() {
      return size;
    },
    capacityFor,
    add(chunk) {
      let copied = chunk.copy(buffers.at(-1) ?? Buffer.of(), end);
      end += copied;
      if (copied < chunk.length) {
        const larger = capacityFor(chunk.length);
        const buffer = Buffer.allocUnsafe(larger - capacity);
        capacity = larger;
        buffers.push(buffer);
        end = chunk.copy(buffer, 0, copied);
        copied += end;
      }
      size += copied;
    },
    join() {
      const [only, ...others] = buffers;
      return only !== undefined && others.length === 0 ? only.subarray(0, size) : Buffer.concat(buffers, size);
    },
  };
}
