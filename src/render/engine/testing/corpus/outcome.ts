import type { OutputContainer } from '../../../../contract/containers.ts';

/** What became of a file of the corpus in one container. */
export interface Outcome {
  /** Name of the file. */
  readonly member: string;
  readonly ext: OutputContainer;
  readonly ending: 'copied' | 'refused' | 'encoded';
  /** What is wrong; nothing when all is as it should be. */
  readonly faults: readonly string[];
}
