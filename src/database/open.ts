import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';

type DatabaseSettings = Pick<Config, 'DATABASE_URL' | 'DATABASE_LISTEN_URL' | 'DATA_DIR'>;

/** Opens the database of the settings: the one at an address, or the embedded one of the data directory. */
export async function openDatabase(
  { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl, DATA_DIR: dataDirectory }: DatabaseSettings,
  log: Logger,
): Promise<Database> {
  if (url === undefined) return await openEmbedded(dataDirectory, log);
  const { openPostgres } = await import('./postgres.ts');
  return await openPostgres(url, log, { listenUrl });
}
