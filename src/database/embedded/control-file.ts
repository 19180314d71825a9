import { join } from 'node:path';
import { ifMissing } from '../../files/if-missing.ts';
import { openForReading } from '../../files/open-file.ts';
import { readBytes } from '../../files/small-file.ts';

/** What the control file of a database says (PostgreSQL's `pg_control.h`). */
export interface ControlFile {
  /** Whether the engine was stopped in order, so that nothing has to be recovered. */
  readonly cleanShutdown: boolean;
  /** The last transaction before the last checkpoint. */
  readonly lastTransaction: bigint;
}

/** The layout that is known here: that of PostgreSQL 18. */
const VERSION = 1800;
const DB_SHUTDOWNED = 1;

const versionAt = 8;
const stateAt = 16;
const nextTransactionAt = 64;
const READ_BYTES = 72;

/**
 * Reads the control file. Returns undefined if it is missing or has another format, which the engine refuses.
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
