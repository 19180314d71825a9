/** Bytes of one write: handing a write to another thread costs as much as copying 50 kB (measured 2026-11-23). */
export const WRITE_BYTES = 2 * 1024 * 1024;
/** Free buffers that are kept while others are in use, and while none is. */
const MOST_FREE = 16;
const LEAST_FREE = 2;

const free: Buffer<ArrayBuffer>[] = [];
let used = 0;

/** Takes a buffer of {@link WRITE_BYTES}. A new one costs the kernel as much as writing it. */
export function takeBuffer(): Buffer<ArrayBuffer> {
  used += 1;
  return free.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES);
}

/** Gives a buffer back that nothing refers to any more. */
export function giveBuffer(buffer: Buffer<ArrayBuffer>): void {
  used -= 1;
  free.push(buffer);
  // Collected garbage would stay for long: V8 looks for it when there is four times as much as now.
  for (const { buffer: memory } of free.splice(used === 0 ? LEAST_FREE : MOST_FREE)) memory.transfer(0);
}
