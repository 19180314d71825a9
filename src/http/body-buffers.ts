/** First buffer. Further ones follow as the body arrives, whatever length the request states. */
const FIRST_BYTES = 4 * 1024;

/** Bytes in buffers, each as large as all before it. */
export interface BodyBuffers {
  readonly size: number;
  /** Returns the size of the buffers that hold some bytes more, which is the limit at most. */
  capacityFor(more: number): number;
  add(chunk: Buffer): void;
  /** Returns all bytes, and releases the buffers. */
  join(): Buffer;
  /** Releases the memory of the buffers at once, not when garbage is collected: many bodies may be refused quickly. */
  release(): void;
}

/**
 * Creates buffers for up to `limit` bytes. Chunks are copied, not kept, because a client may send one byte in each. The
 * buffers stay where they are: each copy in a larger one would leave garbage, which is collected late.
 */
export function createBodyBuffers(limit: number): BodyBuffers {
  const buffers: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let capacity = 0;
  /** Where the next byte goes in the last buffer. */
  let end = 0;

  function capacityFor(more: number): number {
    let needed = capacity;
    while (needed < Math.min(limit, size + more)) needed = Math.min(limit, Math.max(FIRST_BYTES, 2 * needed));
    return needed;
  }

  function release(): void {
    for (const { buffer } of buffers.splice(0)) buffer.transfer(0);
  }

  return {
    release,
    get size() {
      return size;
    },
    capacityFor,
    add(chunk) {
      let copied = chunk.copy(buffers.at(-1) ?? Buffer.of(), end);
      end += copied;
      if (copied < chunk.length) {
        const larger = capacityFor(chunk.length);
        const buffer = Buffer.from(new ArrayBuffer(larger - capacity));
        capacity = larger;
        buffers.push(buffer);
        end = chunk.copy(buffer, 0, copied);
        copied += end;
      }
      size += copied;
    },
    join() {
      const [only, ...others] = buffers;
      if (only !== undefined && others.length === 0) return only.subarray(0, size);
      const body = Buffer.concat(buffers, size);
      release();
      return body;
    },
  };
}
