import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../../contract/errors.ts';
import { tooLargeError } from '../errors/limit-errors.ts';

/**
 * Maximum number of files in the folder, more than any task creates: its result, and the inputs that it reassembles.
 */
const MAX_FILES = 64;
/** Milliseconds between two checks. */
const INTERVAL = 500;
/** Unit of `st_blocks`, regardless of the block size of the file system (stat(2)). */
const BLOCK_BYTES = 512;

/**
 * Watches a child's output folder until the returned function is called. The system limits the size of each file, but
 * not the number of files or their total size.
 *
 * @param maxBytes Disk space that all files together may take.
 * @param onExceeded Called if the folder takes more, or contains anything except a few plain files.
 * @param interval Milliseconds between two checks.
 */
export function watchOutputs(
  folder: string,
  maxBytes: number,
  onExceeded: (error: MillraceError) => void,
  interval = INTERVAL,
): () => void {
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    const violation = await findViolation(folder, maxBytes).catch(describeReadError);
    isChecking = false;
    if (violation !== undefined) onExceeded(violation);
  };
  const timer = setInterval(() => void check(), interval);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Describes an error from reading the folder. A child can lock its own folder to hide the files that it writes. Other
 * errors are ignored, such as the error for a file that was removed in the meantime.
 */
function describeReadError(error: unknown): MillraceError | undefined {
  const isLocked = error instanceof Error && 'code' in error && error.code === 'EACCES';
  return isLocked ? violationError('locked its output folder') : undefined;
}

function violationError(how: string): MillraceError {
  return new MillraceError('processing_failed', `The media engine ${how} and was stopped.`);
}

async function findViolation(folder: string, maxBytes: number): Promise<MillraceError | undefined> {
  let files = 0;
  let bytes = 0;
  for await (const { name } of await opendir(folder)) {
    files += 1;
    if (files > MAX_FILES) return violationError(`wrote more than ${MAX_FILES} files`);
    const status = await lstat(join(folder, name));
    if (!status.isFile()) return violationError('created something other than plain files');
    bytes += status.blocks * BLOCK_BYTES;
    if (bytes > maxBytes)
      return tooLargeError(`The media engine wrote more than its limit of ${maxBytes} bytes and was stopped`);
  }
  return undefined;
}
