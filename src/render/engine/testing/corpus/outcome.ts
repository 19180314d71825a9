import type { OutputContainer } from '../../../../contract/containers.ts';

/** The outcome of copying or encoding a corpus file into one container. */
export interface Outcome {
  /** Name of the file. */
  readonly member: string;
  readonly ext: OutputContainer;
  readonly ending: 'copied' | 'refused' | 'encoded';
  /** The faults; empty if there are none. */
  readonly faults: readonly string[];
}
