import type { JobDescription } from '../contract/job.ts';
import type { MediaMetadata } from '../contract/media.ts';

/** A file that can be rendered, as plain data: what it will be like, and the job that makes it. */
export interface RenderableFile {
  readonly label: string;
  /** Describes the resulting file. */
  readonly metadata: MediaMetadata;
  /** The job, short of id, times and limits. */
  readonly job: Pick<JobDescription, 'inputs' | 'output' | 'operation'>;
  /** Bytes to fetch, where every input's size is known or can be estimated. */
  readonly estimatedBytes?: number;
  /** When the first of its source links dies, as milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** A file that can be rendered, or why one that was asked for cannot, in words for the caller. */
export type RenderablePlan = RenderableFile | { readonly label: string; readonly error: string };
