import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { DamagedDatabaseError } from '../../database/embedded/damage-checks.ts';
import { isVacant, replacementFolderOf, resolveDatabaseFolder } from '../../database/embedded/database-folder.ts';
import { findSnapshot, type Snapshot } from '../../database/embedded/snapshot.ts';
import { openDatabase } from '../../database/open-database.ts';
import { inspectDataDirectory } from '../../files/data-directory.ts';
import { FolderInUseError } from '../../files/folder-lock.ts';
import { skewFinding } from './clock.ts';
import { type Check, type Finding, findingsOf, messageOf } from './finding.ts';
import { silentLog, withDatabaseCopy } from './open-service-data.ts';

const { fine, note, wrong } = findingsOf('database');

/** Checks that the database responds, and compares its clock. */
export const checkDatabase: Check = async (config) =>
  config.DATABASE_URL === undefined
    ? [await checkEmbedded((await inspectDataDirectory(config.DATA_DIR)).path)]
    : await checkServer(config);

async function checkServer(config: Config): Promise<readonly Finding[]> {
  try {
    const database = await openDatabase(config, silentLog);
    try {
      const before = Date.now();
      const [row] = await database.query<{ now: Date; version: string }>(
        `select clock_timestamp() as now, current_setting('server_version') as version`,
      );
      const roundTrip = Date.now() - before;
      const connection = fine(`PostgreSQL ${row?.version}, responds in ${roundTrip} ms`);
      return row === undefined
        ? [connection]
        : [connection, skewFinding('the database', row.now.getTime() - before, roundTrip)];
    } finally {
      await database.close();
    }
  } catch (error) {
    const remedy = 'Make sure that DATABASE_URL is correct, the server is running, and this machine may connect to it.';
    return [wrong(messageOf(error), remedy)];
  }
}

async function checkEmbedded(dataDirectory: string): Promise<Finding> {
  const snapshot = await findSnapshot(dataDirectory);
  try {
    const folder = await resolveDatabaseFolder(dataDirectory);
    if (await isVacant(folder)) return emptyDatabaseFinding(folder, snapshot);
    await withDatabaseCopy(dataDirectory, (sql) => sql.query('select 1'));
    return fine('embedded; a copy of it opens and responds');
  } catch (error) {
    // A running service reports on its own database: /health.
    if (error instanceof FolderInUseError) return fine('embedded, in use by a running service');
    const summary = `the embedded database in ${dataDirectory} cannot be opened: ${messageOf(error)}`;
    if (!(error instanceof DamagedDatabaseError))
      return wrong(summary, 'There is no sign of damage: do not replace it.');
    return wrong(summary, damageRemedy(snapshot));
  }
}

function damageRemedy(snapshot: Snapshot | undefined): string {
  if (snapshot === undefined)
    return 'There is no snapshot of it, and the service does not start. Restore a backup (millrace restore).';
  return snapshot.outdated
    ? `Its snapshot is outdated, and the service does not start. Restore a backup, or run: millrace restore ${snapshot.snapshot}`
    : 'At the next start, the service restores its last snapshot. Restore a newer backup first, if you have one.';
}

function emptyDatabaseFinding(folder: string, snapshot: Snapshot | undefined): Finding {
  if (existsSync(replacementFolderOf(folder))) {
    const remedy = 'If you have a newer backup, restore it before the next start (docs/how-to/back-up-and-restore.md).';
    return note('a restore of the embedded database was interrupted; the next start completes it', remedy);
  }
  if (snapshot === undefined) return fine('embedded; it will be created at the first start');
  return wrong(
    `there is no embedded database in ${folder}, but there is a snapshot of it`,
    `If the folder belongs to a mount, mount it. If the database is lost, restore a backup or run: millrace restore ${snapshot.snapshot}`,
  );
}
