import type { ScatteredRange } from './scatter-writer.ts';

/** The start of a fragmented file. */
export interface FragmentedFileHead {
  /** The first bytes. */
  readonly head: Buffer;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

/** The destinations of all inputs' fragments in the result. */
export interface FragmentPlacement {
  /**
   * Every fragment with the index of its input, in result order. Fragments of one input are contiguous in their source.
   */
  readonly ranges: readonly (ScatteredRange & { readonly input: number })[];
  /** Size of the result in bytes. */
  readonly bytes: number;
}

/** Decides where the fragments of a job's inputs go in the result. */
export interface FragmentPlacer {
  /** Maximum number of inputs in a placement. */
  readonly maxInputs: number;
  /** Minimum total size of the inputs in bytes. Below it, fetching the inputs as whole files is just as fast. */
  readonly minBytes: number;
  /** Size in bytes of each input's head: enough for the index of its fragments. */
  readonly headBytes: number;
  /** Returns the placement, or a human-readable reason why the inputs must be fetched as whole files. */
  place(
    heads: readonly FragmentedFileHead[],
  ): { readonly placement: FragmentPlacement } | { readonly declined: string };
}
