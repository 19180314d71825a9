import { join } from 'node:path';
import type { Job, JobInput } from '../../contract/job.ts';

/** Returns the path of an input's files, without extension. */
export function stemOf(directory: string, index: number): string {
  return join(directory, `input-${index + 1}`);
}

/** Returns the path of an input that consists of one file. */
export function filePathOf(directory: string, { ext }: JobInput, index: number): string {
  return `${stemOf(directory, index)}.${ext}`;
}

/** Returns the path of the part of an input that a clip needs. It differs from that of the whole input. */
export function excerptPathOf(directory: string, { ext }: JobInput, index: number): string {
  return `${stemOf(directory, index)}-excerpt.${ext}`;
}

/** Returns the value that identifies the download of an input in its journal. */
export function subjectOf({ id, clip }: Job, input: JobInput): unknown {
  return clip === undefined ? [id, input] : [id, input, clip];
}
