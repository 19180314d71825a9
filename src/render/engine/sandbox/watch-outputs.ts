import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../../contract/errors.ts';
import { tooLargeError } from '../errors/limit-errors.ts';

/** More files than any task creates: its result, and inputs that it reassembles. */
const MAX_FILES = 64;
/** Milliseconds between two checks. */
const INTERVAL = 500;
/** Unit of `st_blocks`, whatever the block size of the file system (stat(2)). */
const BLOCK_BYTES = 512;

/**
 * Watches a child's output folder until the returned function is called. The system limits the size of each file, but not
 * the number of files or their total size.
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
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    const fault = await faultOf(folder, maxBytes).catch(whyUnreadable);
    looking = false;
    if (fault !== undefined) onExceeded(fault);
  };
  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** A child can lock its own folder, to hide what it writes. Other errors pass, such as a file that has gone meanwhile. */
function whyUnreadable(error: unknown): MillraceError | undefined {
  const locked = error instanceof Error && 'code' in error && error.code === 'EACCES';
  return locked ? misbehaved('locked its output folder') : undefined;
}

function misbehaved(how: string): MillraceError {
  return new MillraceError('processing_failed', `The media engine ${how} and was stopped.`);
}

async function faultOf(folder: string, maxBytes: number): Promise<MillraceError | undefined> {
  let files = 0;
  let bytes = 0;
  for await (const { name } of await opendir(folder)) {
    files += 1;
    if (files > MAX_FILES) return misbehaved(`wrote more than ${MAX_FILES} files`);
    const status = await lstat(join(folder, name));
    if (!status.isFile()) return misbehaved('created something other than plain files');
    bytes += status.blocks * BLOCK_BYTES;
    if (bytes > maxBytes)
      return tooLargeError(`The media engine wrote more than its limit of ${maxBytes} bytes and was stopped`);
  }
  return undefined;
}
