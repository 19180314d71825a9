import { writeBytes } from '../../files/write-size.ts';

/** Maximum number of free buffers to retain: while other buffers are in use, and while none is in use. */
const MAX_FREE = 16;
const MAX_FREE_WHEN_IDLE = 2;

const freeBuffers: Buffer<ArrayBuffer>[] = [];
let buffersInUse = 0;

/** Returns a buffer of {@link writeBytes}. Allocating a new one costs the kernel as much as writing it. */
export function acquireBuffer(): Buffer<ArrayBuffer> {
  buffersInUse += 1;
  return freeBuffers.pop() ?? Buffer.allocUnsafeSlow(writeBytes);
}

/** Puts a buffer that is no longer referenced back into the pool. */
export function releaseBuffer(buffer: Buffer<ArrayBuffer>): void {
  buffersInUse -= 1;
  freeBuffers.push(buffer);
  // The memory is released explicitly. Otherwise it would stay allocated for a long time, because V8 collects it only
  // once there is four times as much as now.
  for (const { buffer: memory } of freeBuffers.splice(buffersInUse === 0 ? MAX_FREE_WHEN_IDLE : MAX_FREE))
    memory.transfer(0);
}
