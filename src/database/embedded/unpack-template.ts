import { createZstdDecompress } from 'node:zlib';
import { codeFile } from '../../files/package-files.ts';
import { errorMessage } from '../error-message.ts';
import { isSystemError } from './engine-file-system.ts';
import { DatabaseOpenError } from './open-errors.ts';
import { unpackDatabase } from './unpack-database.ts';

/**
 * An empty database with all migrations, created by `npm run template` (scripts/template/). Every installation starts
 * with the same one, so it contains nothing secret and nothing that identifies an installation: both are created at the
 * first start. The identifier in its control file is the same everywhere and must not be used to distinguish databases.
 */
export const TEMPLATE = codeFile('database/template/database.tar.zst');

/** Larger than the default (16 kB), which takes twice the processor time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Unpacks the template into a folder. A database cannot be created in any other way: initdb would need 735 MB, far more
 * than the service itself. An installation without its template is therefore an error.
 *
 * @throws DatabaseOpenError if the template is missing or damaged; an error of the file system.
 */
export async function unpackTemplate(folder: string, archive = TEMPLATE): Promise<void> {
  try {
    await unpackDatabase(archive, createZstdDecompress({ chunkSize: CHUNK_BYTES }), folder);
  } catch (cause) {
    if (isSystemError(cause) && cause.code !== 'ENOENT') throw cause;
    throw new DatabaseOpenError(
      `The database template of this installation is missing or damaged: ${errorMessage(cause)}. Reinstall Millrace.`,
      { cause },
    );
  }
}
