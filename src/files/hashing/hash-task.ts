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
  /** Whether the sequence ends here. The thread then responds with its outcome, and forgets it. */
  readonly isLast: boolean;
  /** Whether the thread responds when it has read these sources, so that their files can be closed. */
  readonly acknowledge: boolean;
}

/** Reports that the sources of a task were read, or will not be. */
export interface HashAcknowledgement {
  readonly id: number;
  readonly isRead: true;
}

/** The outcome of a sequence. */
export type HashOutcome =
  | { readonly id: number; readonly sha256: string; readonly bytes: number }
  | { readonly id: number; readonly error: string };
