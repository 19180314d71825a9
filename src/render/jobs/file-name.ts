import type { Job } from '../../contract/job.ts';
import { safeName } from '../../files/safe-name.ts';

/** Maximum bytes of a file name in UTF-8, extension included. */
export const maxNameBytes = 180;

/**
 * Returns the name under which a browser saves a job's file: the caller's name, sanitized, with the result's extension.
 */
export function fileNameOf({ id, output }: Pick<Job, 'id' | 'output'>): string {
  const suffix = `.${output.ext}`;
  const name = safeName(output.downloadName ?? '', suffix, maxNameBytes);
  return `${name === '' ? id.replace(/[^A-Za-z0-9._-]/g, '_') : name}${suffix}`;
}
