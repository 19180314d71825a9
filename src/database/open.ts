import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';

/** Time limit of the snapshot at an orderly stop. */
const LAST_SNAPSHOT_MS = 10_000;

type DatabaseSettings = Pick<Config, 'DATABASE_URL' | 'DATABASE_LISTEN_URL' | 'DATA_DIR'>;

/** Opens the database of the settings: the one at an address, or the embedded one of the data directory. */
export async function openDatabase(
  { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl, DATA_DIR: dataDirectory }: DatabaseSettings,
  log: Logger,
): Promise<Database> {
  if (url === undefined) return withLastSnapshot(await openEmbedded(dataDirectory, log), log);
  const { openPostgres } = await import('./postgres.ts');
  return await openPostgres(url, log, { listenUrl });
}

/** Makes a database write a snapshot before it closes. */
function withLastSnapshot(database: EmbeddedDatabase, log: Logger): Database {
  return {
    ...database,
    async close() {
      await database.snapshot(AbortSignal.timeout(LAST_SNAPSHOT_MS)).catch((error: unknown) => {
        log.error({ err: error }, 'the last snapshot of the database failed; the former one stays');
      });
      await database.close();
    },
  };
}
