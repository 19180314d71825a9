import type { Logger } from 'pino';
import type { fileSettings } from '../files/settings.ts';
import type { SettingValues } from '../settings/setting.ts';
import type { Database } from './database.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-database.ts';
import type { EngineOptions } from './embedded/open-engine.ts';
import type { databaseSettings } from './settings.ts';

/** An orderly stop takes no longer for its snapshot: less than the process has to put everything away (main.ts). */
const LAST_SNAPSHOT_MS = 4_000;

type DatabaseSettings = SettingValues<typeof databaseSettings> & SettingValues<typeof fileSettings>;

/** How the embedded database is opened. */
interface OpenOptions extends Pick<EngineOptions, 'restore'> {
  /** Aborted when a stop must not wait for its snapshot. */
  readonly immediateStop?: AbortSignal;
}

/** Opens the database of the settings: the one at an address, or the embedded one of the data directory. */
export async function openDatabase(
  { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl, DATA_DIR: dataDirectory }: DatabaseSettings,
  log: Logger,
  { immediateStop, ...options }: OpenOptions = {},
): Promise<Database> {
  if (url === undefined)
    return withLastSnapshot(await openEmbeddedDatabase(dataDirectory, log, options), log, immediateStop);
  const { openPostgres } = await import('./server/postgres-database.ts');
  return await openPostgres(url, log, { listenUrl });
}

/** Has a database write a snapshot before it is closed. */
function withLastSnapshot(database: EmbeddedDatabase, log: Logger, immediateStop?: AbortSignal): Database {
  return {
    ...database,
    async close() {
      const timeout = AbortSignal.timeout(LAST_SNAPSHOT_MS);
      await database
        .snapshot(immediateStop === undefined ? timeout : AbortSignal.any([timeout, immediateStop]))
        .catch((error: unknown) => {
          log.error({ err: error }, 'the snapshot of the database at this stop failed; the former one stays');
        });
      await database.close();
    },
  };
}
