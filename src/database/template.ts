import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { unpackDatabase } from './unpack.ts';

/**
 * An empty database with all migrations, made by `npm run template` (scripts/template/). Every installation begins with
 * the same one, so it contains nothing secret and nothing that identifies an installation: both are made at the first
 * start. The identifier in its control file is the same everywhere and must not be used to tell databases apart.
 */
export const TEMPLATE = new URL('./template/database.tar.zst', import.meta.url);

/** Larger than the default (16 kB): takes half the processor time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Unpacks the template into a folder.
 *
 * @throws An error of the file system.
 */
export function unpackTemplate(folder: string): Promise<void> {
  return unpackDatabase(createReadStream(TEMPLATE), createZstdDecompress({ chunkSize: CHUNK_BYTES }), folder);
}
