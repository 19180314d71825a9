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

/** The log that a copy needs, and what the service may write meanwhile. */
const RESERVE_BYTES = 100_000_000;

/** Bytes that are written, read or compressed at once: each time takes a change of threads. */
const CHUNK_BYTES = 1024 * 1024;

/** Limits of {@link packDatabase}. */
interface PackOptions {
  readonly signal?: AbortSignal;
  /** Bytes that are free on the disk of a folder. */
  readonly free?: (folder: string) => Promise<number>;
}

/**
 * Copies an open database into a compressed archive (tar), with a few megabytes of it in memory at a time. Queries wait
 * until the database is in a temporary file; the archive is made from that file while it is read. The caller reads it to
 * its end or destroys it.
 *
 * The engine has no background processes, so no file changes during a transaction that keeps queries waiting. A restored
 * copy recovers from its log, as after a kill.
 *
 * @param folder The database's folder.
 * @throws MillraceError `service_unavailable` if too little disk is free; an error of the file system; the reason of the
 *   signal.
 */
export async function packDatabase(
  engine: PGlite,
  folder: string,
  { signal, free = freeBytes }: PackOptions = {},
): Promise<Readable> {
  signal?.throwIfAborted();
  // Leaves one or two segments of the log that the copy needs.
  await engine.exec('checkpoint');
  const path = `${folder}.copy`;
  checkFreeSpace(await databaseBytes(engine), await free(folder));
  const file = await openForWriting(path, { keep: false });
  try {
    // It stays until it is closed or the process ends.
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

/** The size of the tables and indexes, without the log. */
export async function databaseBytes(engine: PGlite): Promise<number> {
  const { rows } = await engine.query<{ bytes: number }>(
    'select sum(pg_database_size(oid))::float8 as bytes from pg_database',
  );
  return rows[0]?.bytes ?? 0;
}

/** For the copy and its archive. A full disk would end the service. */
function checkFreeSpace(bytes: number, free: number): void {
  const requiredBytes = 2 * bytes + RESERVE_BYTES;
  if (free >= requiredBytes) return;
  throw new MillraceError(
    'service_unavailable',
    `A copy of the database needs ${sizeText(requiredBytes)} on the disk of DATA_DIR for a short time, and ${sizeText(free)} are ` +
      'free. Free space and try again.',
  );
}
