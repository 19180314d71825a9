/** Bytes of one write: handing a write to another thread costs as much as copying 50 kB (measured 2026-11-23). */
export const WRITE_BYTES = 2 * 1024 * 1024;
/** Free buffers that are kept while others are in use, and while none is. */
const MAX_FREE = 16;
const MAX_FREE_WHEN_IDLE = 2;

const freeBuffers: Buffer<ArrayBuffer>[] = [];
let buffersInUse = 0;

/** Takes a buffer of {@link WRITE_BYTES}. A new one costs the kernel as much as writing it. */
export function acquireBuffer(): Buffer<ArrayBuffer> {
  buffersInUse += 1;
  return freeBuffers.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES);
}

/** Gives a buffer back that nothing refers to any more. */
export function releaseBuffer(buffer: Buffer<ArrayBuffer>): void {
  buffersInUse -= 1;
  freeBuffers.push(buffer);
  // Collected garbage would stay for long: V8 looks for it when there is four times as much as now.
  for (const { buffer: memory } of freeBuffers.splice(buffersInUse === 0 ? MAX_FREE_WHEN_IDLE : MAX_FREE))
    memory.transfer(0);
}
