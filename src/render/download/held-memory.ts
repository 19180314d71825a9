import { availableMemory } from '../../settings/available-memory.ts';

const MIB = 1024 * 1024;
/** Portion of the memory of the machine or the container that all downloads can hold together. */
const MEMORY_SHARE = 1 / 16;
const MIN_LIMIT = 32 * MIB;
const MAX_LIMIT = 128 * MIB;
/** Portion of that which the downloads of one job can hold. */
const JOB_SHARE = 1 / 4;

/**
 * A budget of bytes that downloads keep in memory until something else arrives. A server can let them wait for minutes, so
 * all buffers that wait share one budget, and do without memory when it is used up.
 */
export interface HeldMemory {
  /** Bytes that are held. */
  readonly used: number;
  /** Holds more bytes. Returns false, and holds nothing more, if a budget does not allow it. */
  take(bytes: number): boolean;
  /** Holds fewer bytes. Default: none any more. */
  give(bytes?: number): void;
}

/** Creates a budget of `limit` bytes, which are part of another budget if one is given. */
export function createHeldMemory(limit: number, parent?: HeldMemory): HeldMemory {
  let used = 0;
  return {
    get used() {
      return used;
    },
    take(bytes) {
      if (used + bytes > limit || parent?.take(bytes) === false) return false;
      used += bytes;
      return true;
    },
    give(bytes = used) {
      used -= bytes;
      parent?.give(bytes);
    },
  };
}

/** Returns the bytes that all downloads of a process can hold. */
export function heldMemoryLimit(memory = availableMemory()): number {
  return Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, memory * MEMORY_SHARE));
}

const processLimit = heldMemoryLimit();
const processMemory = createHeldMemory(processLimit);

/** Creates the budget of a job, which is part of that of the process. */
export function createJobMemory(): HeldMemory {
  return createHeldMemory(processLimit * JOB_SHARE, processMemory);
}
