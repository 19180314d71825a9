import type { Sql } from '../../database/database.ts';
import { readIdentity } from '../../render/store-check/store-identity.ts';
import { removalLimit, type Survey, surveyStore } from '../../render/store-check/survey.ts';
import { canAdopt, findDoubt } from '../../render/store-check/verify-store.ts';
import { faultOfMark, findMark } from '../../storage/identity-mark.ts';
import { nameOfLocation, openStorage, type StorageLocation } from '../../storage/open-storage.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';
import { placeExists, readDatabase, storagePlace } from './open-service-data.ts';

const { fine, note, wrong } = findingsOf('store mark');

const adoptRemedy =
  'Restore the mount, or correct the settings. If this store should belong to this database, stop the service and run ' +
  '"millrace doctor --adopt-store".';

/** Checks that the store belongs to the database, and that its files match the jobs. */
export const checkStore: Check = async (config, signal) => {
  try {
    const place = await storagePlace(config);
    return (await readDatabase(config, (sql) => compareStore(sql, place, signal))) ?? [];
  } catch {
    signal.throwIfAborted();
    // Faults of the database and the storage are reported by their own checks.
    return [];
  }
};

async function compareStore(sql: Sql, place: StorageLocation, signal: AbortSignal): Promise<readonly Finding[]> {
  const name = nameOfLocation(place);
  const [{ present } = { present: false }] = await sql.query<{ present: boolean }>(
    `select to_regclass('service_facts') is not null as present`,
  );
  const identity = present ? await readIdentity(sql) : undefined;
  if (!(await placeExists(place))) {
    if (identity?.hasMarkedStore !== true) return [fine(`${name} will be created and marked at the first start`)];
    return [wrong(`${name} does not exist, but the database has a marked store`, adoptRemedy)];
  }
  const storage = await openStorage(place);
  try {
    const mark = await findMark(storage);
    const hasOwnMark = identity !== undefined && mark?.database === identity.database;
    if (!hasOwnMark && !canAdopt(identity, mark)) {
      return [wrong(`${name} ${faultOfMark(mark, identity?.database ?? 'new')}`, adoptRemedy)];
    }
    if (!present) return [fine(`${name} will be marked at the first start, if it is empty`)];
    const survey = await surveyStore(sql, storage, signal);
    if (hasOwnMark) return [fine(`${name} has the mark of this database`), ...differenceFindings(survey)];
    const doubt = findDoubt(survey, mark);
    return [
      doubt === undefined ? fine(`${name} will be marked at the next start`) : wrong(`${name}: ${doubt}`, adoptRemedy),
    ];
  } finally {
    await storage.close();
  }
}

/** Reports differences too large for the service to resolve by itself. */
function differenceFindings({ files, unknown, expected, missing }: Survey): readonly Finding[] {
  if (unknown.count <= removalLimit(files) && missing.length <= removalLimit(expected)) return [];
  const summary =
    `${unknown.count} of ${files} stored files have no job, and ${missing.length} of ${expected} finished jobs have no ` +
    'file: more than the service removes by itself';
  return [
    note(
      summary,
      'If the store and the database are the right ones, run "millrace doctor --reconcile" to remove them.',
    ),
  ];
}
