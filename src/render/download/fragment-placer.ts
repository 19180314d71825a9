import type { ScatteredRange } from './scatter-writer.ts';

/** The beginning of a fragmented file. */
export interface FragmentedFileHead {
  /** Its first bytes. */
  readonly head: Buffer;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Where the fragments of all inputs go in the result. */
export interface FragmentPlacement {
  /**
   * Every fragment with the index of its input, in the order of the result; those of one input follow each other in its
   * source without a gap.
   */
  readonly ranges: readonly (ScatteredRange & { readonly input: number })[];
  /** Bytes of the result. */
  readonly bytes: number;
}

/** Decides where the fragments of a job's inputs go in its result. */
export interface FragmentPlacer {
  /** Inputs that a placement may have. */
  readonly maxInputs: number;
  /** Bytes of each input's head: enough for the index of its fragments. */
  readonly headBytes: number;
  /** Returns the placement, or in words why the inputs must be fetched whole. */
  place(
    heads: readonly FragmentedFileHead[],
  ): { readonly placement: FragmentPlacement } | { readonly declined: string };
}
