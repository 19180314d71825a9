import type { Config } from '../../config.ts';
import { reconcile } from '../../render/store-check/reconcile.ts';
import { ensureIdentity, rememberMarkedStore } from '../../render/store-check/store-identity.ts';
import { faultOfMark, findMark, guardStorage, markText } from '../../storage/identity-mark.ts';
import { type Finding, findingsOf } from './finding.ts';
import { silentLog, withServiceData } from './open-service-data.ts';

/** A change that `millrace doctor` makes for the operator. */
export type Repair = (config: Config, signal: AbortSignal) => Promise<readonly Finding[]>;

/** Marks the store as belonging to the database, even if it has another mark. */
export const adoptStore: Repair = (config) =>
  withServiceData(config, async ({ sql, storage, name }) => {
    const { fine, note } = findingsOf('adopt store');
    const { database } = await ensureIdentity(sql);
    const mark = await findMark(storage);
    const fault = faultOfMark(mark, database);
    if (fault !== undefined) await storage.writeMark(markText(database), { replace: true });
    await rememberMarkedStore(sql);
    if (fault === undefined) return [fine(`${name} already has the mark of this database`)];
    const before = mark === undefined ? fine(`${name} had no mark`) : note(`${name} ${fault}`, markReplacedRemedy);
    return [before, fine(`it now has the mark of this database, ${database}`)];
  });

const markReplacedRemedy =
  'Stop services that use the store with that other database: they can no longer store files there.';

/** Removes stored files without a job, and jobs without a file, regardless of their number. */
export const reconcileStore: Repair = (config, signal) =>
  withServiceData(config, async ({ sql, storage, name }) => {
    const { fine, note, wrong } = findingsOf('reconcile');
    const { database } = await ensureIdentity(sql);
    const guardedStorage = guardStorage(storage, database, name);
    try {
      const { removed, withheld } = await reconcile({
        sql,
        storage: guardedStorage,
        log: silentLog,
        signal,
        unlimited: true,
      });
      const summary = `${withheld.files} more stored files have no job: too many for one run`;
      return [
        fine(`${removed.files} stored files have no job, are older than a day, and will be deleted by the service`),
        fine(`${removed.jobs} jobs have no file and were ended`),
        ...(withheld.files === 0 ? [] : [note(summary, runAgainRemedy)]),
      ];
    } catch (error) {
      if (!isTimeout(signal.reason)) throw error;
      return [wrong('the run timed out; what it has removed so far stays removed', runAgainRemedy)];
    }
  });

const runAgainRemedy = 'Run "millrace doctor --reconcile" again: it continues with the rest.';

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
