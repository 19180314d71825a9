import type { Logger } from 'pino';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';

/** Opens the database at an address, or the embedded one of the data directory. */
export async function openDatabase(url: string | undefined, dataDirectory: string, log: Logger): Promise<Database> {
  if (url === undefined) return await openEmbedded(dataDirectory, log);
  const { openPostgres } = await import('./postgres.ts');
  return await openPostgres(url, log);
}
