import type { JobDescription } from '../contract/job.ts';
import type { MediaMetadata } from '../contract/media-items.ts';
import type { Representation } from '../contract/media-origin.ts';

/** A file that can be rendered, as plain data: its description, and the job that renders it. */
export interface RenderableFile {
  readonly label: string;
  /** The requested format, if the label alone does not identify it. */
  readonly requested?: string;
  /** Metadata of the rendered file. */
  readonly metadata: MediaMetadata;
  /** The job, without ID, times and limits. */
  readonly job: Pick<JobDescription, 'inputs' | 'output' | 'operation' | 'clip'>;
  /** The representation of each input of the job. Absent if their links cannot be replaced. */
  readonly representations?: readonly Representation[];
  /** Number of bytes to fetch, if the size of every input is known or can be estimated. */
  readonly estimatedBytes?: number;
  /** Expiry of the first of its source links to expire, in milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** A file that can be rendered, or the reason why a requested one cannot, as a message for the caller. */
export type SelectedRenderable =
  | RenderableFile
  | (Pick<RenderableFile, 'label' | 'requested'> & { readonly error: string });
