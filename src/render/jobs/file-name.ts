import type { Job } from '../../contract/job.ts';
import { safeName } from '../../files/safe-name.ts';

const MAX_NAME_BYTES = 180;

/**
 * Returns the name under which a browser saves a job's file: the caller's name, sanitized, with the result's extension.
 */
export function fileNameOf({ id, output }: Pick<Job, 'id' | 'output'>): string {
  const suffix = `.${output.ext}`;
  const name = safeName(output.downloadName ?? '', suffix, MAX_NAME_BYTES);
  return `${name === '' ? id.replace(/[^A-Za-z0-9._-]/g, '_') : name}${suffix}`;
}
