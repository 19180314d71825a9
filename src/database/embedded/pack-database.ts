import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { packTar } from 'modern-tar/fs';
import { MillraceError } from '../../contract/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { openForWriting } from '../../files/open-file.ts';
import { removeFile } from '../../files/remove-tree.ts';
import { archiveEntries } from './archive-entries.ts';
import { logSegment } from './durable-files.ts';

/** Reserve for the log that a copy needs, and for the service's writes in the meantime. */
const RESERVE_BYTES = 100_000_000;

/** Bytes that are written, read or compressed in one step. Each step requires a thread switch. */
const CHUNK_BYTES = 1024 * 1024;

/** Limits of {@link packDatabase}. */
interface PackOptions {
  readonly signal?: AbortSignal;
  /** Returns the free bytes on a folder's disk. */
  readonly free?: (folder: string) => Promise<number>;
}

/**
 * Copies an open database into a compressed archive (tar), with only a few megabytes of the archive in memory at a
 * time. Queries wait until the database has been copied to a temporary file. The archive is created from that file
 * while it is read. The caller reads it to its end or destroys it.
 *
 * The engine has no background processes, so no file changes during a transaction that keeps queries waiting. A
 * restored copy recovers from its log, as after a kill.
 *
 * @param folder The database's folder.
 * @throws MillraceError `service_unavailable` if the disk has too little free space; an error of the file system; the
 * reason of the signal.
 */
export async function packDatabase(
  engine: PGlite,
  folder: string,
  { signal, free = freeBytes }: PackOptions = {},
): Promise<Readable> {
  signal?.throwIfAborted();
  // Leaves only one or two log segments that the copy needs.
  await engine.exec('checkpoint');
  const path = `${folder}.copy`;
  checkFreeSpace(await databaseBytes(engine), await free(folder));
  const file = await openForWriting(path, { keep: false });
  try {
    // The open file remains until it is closed or the process ends.
    await removeFile(path);
    await engine.transaction(async (sql) => {
      const { rows } = await sql.query<{ first: string; last: string }>(
        'select redo_wal_file as first, pg_walfile_name(pg_current_wal_insert_lsn()) as last from pg_control_checkpoint()',
      );
      const isNeeded = (path: string) =>
        !logSegment.test(path) || rows.every(({ first, last }) => first <= basename(path) && basename(path) <= last);
      const files = packTar(await archiveEntries(folder, isNeeded), { concurrency: 2 });
      await file.writeFile(joinChunks(files), { signal }).finally(() => files.destroy());
    });
    const archive = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES });
    // An error reaches the reader through the archive.
    return pipeline(file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES }), archive, () => undefined);
  } catch (error) {
    await file.close();
    signal?.throwIfAborted();
    throw error;
  }
}

/** Joins small chunks into large ones. */
async function* joinChunks(small: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of small) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, bytes] = [[], 0];
  }
  yield Buffer.concat(chunks);
}

/** Returns the size of the tables and indexes, without the log. */
export async function databaseBytes(engine: PGlite): Promise<number> {
  const { rows } = await engine.query<{ bytes: number }>(
    'select sum(pg_database_size(oid))::float8 as bytes from pg_database',
  );
  return rows[0]?.bytes ?? 0;
}

/** Checks the free space for the copy and its archive. A full disk would end the service. */
function checkFreeSpace(bytes: number, free: number): void {
  const requiredBytes = 2 * bytes + RESERVE_BYTES;
  if (free >= requiredBytes) return;
  throw new MillraceError(
    'service_unavailable',
    `A copy of the database temporarily needs ${sizeText(requiredBytes)} on the disk of DATA_DIR, but only ${sizeText(free)} are ` +
      'free. Free space and try again.',
  );
}
