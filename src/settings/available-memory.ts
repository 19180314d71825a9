import { totalmem } from 'node:os';

/** Returns the memory of the container, or else of the machine, in bytes. */
export function availableMemory(): number {
  // 0 if it is not known; more than the machine has if there is no limit.
  const constrained = process.constrainedMemory();
  return Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY);
}
