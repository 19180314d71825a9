import type { Logger } from 'pino';
import { fileSystemReason, StartError } from '../../contract/start-error.ts';
import type { Sql } from '../../database/database.ts';
import {
  faultOfMark,
  findMark,
  guardStorage,
  markText,
  type StoreMark,
  StoreMismatchError,
} from '../../storage/identity-mark.ts';
import type { Storage } from '../../storage/storage.ts';
import { isRefusal } from '../../storage/storage-errors.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import { ensureIdentity, type Identity, rememberMarkedStore, replaceIdentity } from './store-identity.ts';
import { removalLimit, type Survey, surveyStore } from './survey.ts';

/** The remedy for a store that does not belong to the database. */
const adoptHint = 'if this store should belong to this database, run "millrace doctor --adopt-store" first';
const remedy = `Restore the mount, or correct STORAGE_URL, DATA_DIR or DATABASE_URL, then start again; ${adoptHint}.`;

/** Time limit of the comparison, because a start must end. */
const SURVEY_TIMEOUT_MS = 600_000;
/** Time limit for reading the mark, after which a store counts as unavailable. */
const MARK_TIMEOUT_MS = 15_000;

/**
 * Checks that the store of this service has the mark of its database. A store without a mark is adopted only if the
 * database has never had a marked one, and only if both are empty or agree. If the store is unavailable and the
 * database knows a marked one, the mark is verified later, by each check and before each file: see
 * {@link guardStorage}.
 *
 * @param name Name of the store in messages.
 * @throws StoreMismatchError; StartError if the store is unavailable and the database knows of no marked one, or if the
 * store cannot be compared or marked. Nothing was changed.
 */
export async function verifyStore(sql: Sql, storage: Storage, name: string, log: Logger): Promise<Storage> {
  const identity = await ensureIdentity(sql);
  let mark: StoreMark | undefined;
  try {
    mark = await withTimeout(findMark(storage), MARK_TIMEOUT_MS);
  } catch (error) {
    if (!identity.hasMarkedStore) throw storeUnavailableError(name, error);
    log.error({ err: error, store: name }, isRefusal(error) ? refusesAccess : doesNotRespond);
    return guardStorage(storage, identity.database, name);
  }
  const database =
    mark?.database === identity.database ? identity.database : await adopt({ sql, storage, name, log }, identity, mark);
  await rememberMarkedStore(sql);
  return guardStorage(storage, database, name);
}

const doesNotRespond = 'the store does not respond: no files are stored until it is available again';
const refusesAccess =
  'the store refuses access: no files are stored until it grants access. Check STORAGE_URL and its credentials';

/** Returns the error of a start that needs the failing store at `name`. */
function storeUnavailableError(name: string, cause: unknown): StartError {
  return new StartError(
    `The store ${name} cannot be used: ${reasonOf(cause)}. Restore it, or correct STORAGE_URL and its credentials, then ` +
      'start again.',
    { cause },
  );
}

function reasonOf(cause: unknown): string {
  return fileSystemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
}

interface AdoptionServices {
  readonly sql: Sql;
  readonly storage: Storage;
  readonly name: string;
  readonly log: Logger;
}

/** Adopts a store that cannot be the wrong one. Returns the ID in its mark. */
async function adopt(
  { sql, storage, name, log }: AdoptionServices,
  identity: Identity,
  mark: StoreMark | undefined,
): Promise<string> {
  const { database } = identity;
  if (!canAdopt(identity, mark)) throw storeMismatchError(name, mark, database);
  const survey = await surveyWithTimeout(sql, storage, name);
  const doubt = findDoubt(survey, mark);
  if (doubt !== undefined) throw storeMismatchError(name, mark, database, doubt);
  if (mark?.database !== undefined) {
    await replaceIdentity(sql, mark.database);
    log.warn({ store: name, database: mark.database }, 'the database adopts the ID in the mark of its store');
    return mark.database;
  }
  const newMark = await writeMark(storage, database).catch((error: unknown) => {
    throw storeUnavailableError(name, error);
  });
  if (newMark?.database !== database) throw storeMismatchError(name, newMark, database);
  log.info({ store: name, database, files: survey.files }, 'the store now has the mark of this database');
  return database;
}

/**
 * Whether a store without the mark of the database may be adopted at all, provided that its files belong to the jobs.
 */
export function canAdopt(identity: Pick<Identity, 'hasMarkedStore'> | undefined, mark: StoreMark | undefined): boolean {
  const isUnreadable = mark !== undefined && mark.database === undefined;
  return identity?.hasMarkedStore !== true && !isUnreadable;
}

/** @throws StartError */
async function surveyWithTimeout(sql: Sql, storage: Storage, name: string): Promise<Survey> {
  const signal = AbortSignal.timeout(SURVEY_TIMEOUT_MS);
  try {
    return await untilAborted(surveyStore(sql, storage, signal), signal);
  } catch (cause) {
    const reason = signal.aborted ? `it took longer than ${SURVEY_TIMEOUT_MS / 60_000} minutes` : reasonOf(cause);
    throw new StartError(
      `The files of the store ${name} could not be compared with the jobs of the database, and nothing was changed: ` +
        `${reason}. Fix the cause and start again; ${adoptHint}.`,
      { cause },
    );
  }
}

/** Marks an unmarked store. Returns the mark that it then has. */
async function writeMark(storage: Storage, database: string): Promise<StoreMark | undefined> {
  await storage.writeMark(markText(database), { replace: false });
  // Another node may have been faster, and not every store supports conditional writes.
  return await findMark(storage);
}

/** Returns the reason why a store and a database might not belong together; undefined if they certainly do. */
export function findDoubt(
  { files, unknown, expected, missing }: Survey,
  mark: StoreMark | undefined,
): string | undefined {
  if (files === 0 && expected === 0 && mark === undefined) return undefined;
  const agree =
    files > unknown.count && unknown.count <= removalLimit(files) && (expected === 0 || missing.length * 2 < expected);
  if (agree) return undefined;
  if (files === 0 && expected === 0) {
    return 'it is empty, and the database expects no files';
  }
  return `${unknown.count} of ${files} files are unknown, ${missing.length} of ${expected} expected files are missing`;
}

function storeMismatchError(
  name: string,
  mark: StoreMark | undefined,
  database: string,
  doubt?: string,
): StoreMismatchError {
  const fault = faultOfMark(mark, database);
  const meaning =
    mark === undefined && doubt === undefined
      ? 'a mount is probably missing, or the settings name another store'
      : doubt;
  const reason = meaning === undefined ? '' : ` (${meaning})`;
  return new StoreMismatchError(`The store ${name} ${fault}${reason}, so nothing was changed. ${remedy}`);
}
