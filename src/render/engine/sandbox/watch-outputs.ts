import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../../contract/errors.ts';

/** More files than any task makes: its result, and inputs that are put together again. */
const MAX_FILES = 64;
/** Milliseconds between two looks. */
const INTERVAL = 500;
/** `st_blocks` counts in these, whatever the file system's own are (stat(2)). */
const BLOCK_BYTES = 512;

/**
 * Watches the folder that a child writes, until the function that it returns is called. The size of one file is limited
 * by the system, the number of files and what they take together is not.
 *
 * @param maxBytes What all files together may take on the disk.
 * @param onExceeded Called when there is more, or anything else than a few plain files.
 * @param interval Milliseconds between two looks.
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
    const fault = await faultOf(folder, maxBytes).catch(() => undefined);
    looking = false;
    if (fault !== undefined) onExceeded(new MillraceError('processing_failed', `The media engine ${fault}.`));
  };
  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return () => clearInterval(timer);
}

async function faultOf(folder: string, maxBytes: number): Promise<string | undefined> {
  let files = 0;
  let bytes = 0;
  for await (const { name } of await opendir(folder)) {
    files += 1;
    if (files > MAX_FILES) return `wrote more than ${MAX_FILES} files and was stopped`;
    const found = await lstat(join(folder, name));
    if (!found.isFile()) return 'wrote something else than files and was stopped';
    bytes += found.blocks * BLOCK_BYTES;
    if (bytes > maxBytes) return `wrote more than the ${maxBytes} bytes that it may and was stopped`;
  }
  return undefined;
}
