import { writeSync } from 'node:fs';
import { MillraceError } from '../../../contract/errors.ts';
import { containerFormats, isOutputContainer } from '../formats/container-formats.ts';
import { makeFile } from './make-file.ts';

/**
 * Writes a file of the given container to a full disk, and prints the code of the error and whether it is retryable:
 * `node fill-disk.ts <container>`.
 */
const [container = ''] = process.argv.slice(2);
if (!isOutputContainer(container)) throw new Error(`unknown container ${container}`);
try {
  await makeFile('/dev/full', { container: containerFormats[container], ...containerFormats[container].encoders });
} catch (error) {
  if (!(error instanceof MillraceError)) throw error;
  const { code, retryable } = error;
  writeSync(1, JSON.stringify({ code, retryable }));
}
// A clean exit would run the media library's destructors, which have been seen to crash.
process.kill(process.pid, 'SIGKILL');
