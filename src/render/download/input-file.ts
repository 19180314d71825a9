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

/** Returns the value that identifies the download of an input in its journal. */
export function subjectOf({ id }: Job, input: JobInput): unknown {
  return [id, input];
}
