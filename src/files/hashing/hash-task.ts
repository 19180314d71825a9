/** A part of the bytes to hash: a range of an open file, or bytes in memory. */
export type HashSource =
  | { readonly descriptor: number; readonly position: number; readonly length: number }
  | { readonly bytes: Uint8Array };

/** A task of the hash thread: adds sources to the sequence of bytes with this ID, which starts with its first task. */
export interface HashTask {
  readonly id: number;
  readonly sources: readonly HashSource[];
  /** A shared 32-bit number that is 1 when the result is no longer needed. */
  readonly cancelled: Int32Array;
  /** Whether the sequence ends here. Only then the thread responds, and forgets the sequence. */
  readonly isLast: boolean;
}

/** The outcome of a sequence. */
export type HashOutcome =
  | { readonly id: number; readonly sha256: string; readonly bytes: number }
  | { readonly id: number; readonly error: string };
