import { join } from 'node:path';
import { ifMissing } from '../../files/if-missing.ts';
import { openForReading } from '../../files/open-file.ts';
import { readBytes } from '../../files/small-file.ts';

/** The contents of a database's control file (PostgreSQL's `pg_control.h`). */
export interface ControlFile {
  /** Whether the engine was shut down cleanly, so that no recovery is needed. */
  readonly cleanShutdown: boolean;
  /** The last transaction before the last checkpoint. */
  readonly lastTransaction: bigint;
}

/** The supported layout: that of PostgreSQL 18. */
const VERSION = 1800;
const DB_SHUTDOWNED = 1;

const versionAt = 8;
const stateAt = 16;
const nextTransactionAt = 64;
const READ_BYTES = 72;

/**
 * Reads the control file. Returns undefined if it is missing or has another format, which the engine rejects.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function readControlFile(folder: string): Promise<ControlFile | undefined> {
  const file = await openForReading(join(folder, 'global', 'pg_control'), { links: 'any' }).catch(ifMissing);
  if (file === undefined) return undefined;
  try {
    const bytes = await readBytes(file, READ_BYTES);
    if (bytes.length < READ_BYTES || bytes.readUInt32LE(versionAt) !== VERSION) return undefined;
    return {
      cleanShutdown: bytes.readUInt32LE(stateAt) === DB_SHUTDOWNED,
      lastTransaction: bytes.readBigUInt64LE(nextTransactionAt) - 1n,
    };
  } finally {
    await file.close();
  }
}
