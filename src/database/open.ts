import type { Logger } from 'pino';
import type { fileSettings } from '../files/settings.ts';
import type { SettingValues } from '../settings/setting.ts';
import type { Database } from './database.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded/embedded.ts';
import type { EngineOptions } from './embedded/engine.ts';
import type { databaseSettings } from './settings.ts';

/** An orderly stop takes no longer for its snapshot: less than the process has to put everything away (main.ts). */
const LAST_SNAPSHOT_MS = 4_000;

type DatabaseSettings = SettingValues<typeof databaseSettings> & SettingValues<typeof fileSettings>;

/** How the embedded database is opened. */
interface OpenOptions extends Pick<EngineOptions, 'restore'> {
  /** Aborted when a stop must not wait for its snapshot. */
  readonly hurry?: AbortSignal;
}

/** Opens the database of the settings: the one at an address, or the embedded one of the data directory. */
export async function openDatabase(
  { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl, DATA_DIR: dataDirectory }: DatabaseSettings,
  log: Logger,
  { hurry, ...options }: OpenOptions = {},
): Promise<Database> {
  if (url === undefined) return withLastSnapshot(await openEmbedded(dataDirectory, log, options), log, hurry);
  const { openPostgres } = await import('./server/postgres.ts');
  return await openPostgres(url, log, { listenUrl });
}

/** Has a database write a snapshot before it is closed. */
function withLastSnapshot(database: EmbeddedDatabase, log: Logger, hurry?: AbortSignal): Database {
  return {
    ...database,
    async close() {
      const inTime = AbortSignal.timeout(LAST_SNAPSHOT_MS);
      await database
        .snapshot(hurry === undefined ? inTime : AbortSignal.any([inTime, hurry]))
        .catch((error: unknown) => {
          log.error({ err: error }, 'the snapshot of the database at this stop failed; the former one stays');
        });
      await database.close();
    },
  };
}
