import { StartError } from '../contract/start-error.ts';
import { sleep } from '../waiting/sleep.ts';
import { untilAborted } from '../waiting/until-aborted.ts';
import { withTimeout } from '../waiting/with-timeout.ts';
import type { Storage } from './storage.ts';

/** Name of the mark at the root of a folder, or under the prefix of a bucket. */
export const MARK_NAME = 'store.json';
/** Maximum size of a mark; a larger file is not a mark. */
export const MAX_MARK_BYTES = 4096;
/** A store whose mark takes longer to read currently accepts no files. */
const MARK_TIMEOUT_MS = 15_000;

/**
 * Maximum number of reads of an unreadable mark, and the pause before each further read. A gateway that keeps objects
 * as plain files returns an empty or truncated mark while another node writes it (s3rver 3.7.1, seen 2026-11-23).
 */
const MARK_READS = 5;
const MARK_READ_PAUSE_MS = 200;

const markComment =
  'Names the Millrace database that the files in this folder belong to. Keep it with the files: see docs/how-to/repair-a-store.md.';
const uuid = /^[0-9a-f-]{36}$/;

/** The mark of a store. */
export interface StoreMark {
  /** ID of the database that the store belongs to; undefined if the mark is unreadable. */
  readonly database: string | undefined;
}

/**
 * Thrown if the store does not belong to this database: it has another mark or none, and its files may belong to
 * another service. Nothing was stored or deleted. The message describes the mark and what to do.
 */
export class StoreMismatchError extends StartError {
  override readonly name = 'StoreMismatchError';
}

/** Reads the mark of a store; undefined if it has no mark. An unreadable mark is read again, for up to a second. */
export async function findMark(storage: Pick<Storage, 'readMark'>): Promise<StoreMark | undefined> {
  for (let attempt = 1; ; attempt++) {
    const text = await storage.readMark();
    if (text === undefined) return undefined;
    const database = databaseIn(text);
    if (database !== undefined || attempt === MARK_READS) return { database };
    await sleep(MARK_READ_PAUSE_MS);
  }
}

/** Returns the text of a mark that names a database. */
export function markText(database: string): string {
  return `${JSON.stringify({ about: markComment, database }, undefined, 2)}\n`;
}

/** Returns the fault of a mark that should name `database`, as text that follows the store's name. */
export function faultOfMark(mark: StoreMark | undefined, database: string): string | undefined {
  if (mark === undefined) return `has no mark (${MARK_NAME}), but should have this database's mark`;
  if (mark.database === undefined) return `has an unreadable mark (${MARK_NAME})`;
  if (mark.database === database) return undefined;
  return `belongs to another database: its mark names ${mark.database}, but this database is ${database}`;
}

/**
 * Wraps a storage so that it works only while it has the mark of the database, because a mount can be lost or replaced
 * while the service runs. Without the mark it stores no file, and its check fails.
 *
 * @param name The store's name in messages.
 */
export function guardStorage(storage: Storage, database: string, name: string): Storage {
  async function verify(): Promise<void> {
    const fault = faultOfMark(await findMark(storage), database);
    if (fault !== undefined) throw new StoreMismatchError(`The store ${name} ${fault}.`);
  }
  const verifyFor = (signal: AbortSignal) => untilAborted(withTimeout(verify(), MARK_TIMEOUT_MS), signal);
  return {
    ...storage,
    async put(key, path, call) {
      await verifyFor(call.signal);
      const result = await storage.put(key, path, call);
      // If the mount was lost in the meantime, the file would be hidden once the mount is back. If only the mark cannot
      // be read, the file counts as stored: it went to the store that had the mark before.
      await verifyFor(call.signal).catch(ignoreUnreadable);
      return result;
    },
    async check() {
      await storage.check();
      await verify();
    },
  };
}

/** Ignores errors of reading the mark, but rethrows the error for a mark that was read and is wrong. */
function ignoreUnreadable(error: unknown): void {
  if (error instanceof StoreMismatchError) throw error;
}

function databaseIn(text: string): string | undefined {
  try {
    const mark: unknown = JSON.parse(text);
    if (typeof mark !== 'object' || mark === null || !('database' in mark)) return undefined;
    return typeof mark.database === 'string' && uuid.test(mark.database) ? mark.database : undefined;
  } catch {
    return undefined;
  }
}
