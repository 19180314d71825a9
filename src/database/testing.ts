import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

/** A fresh database for a test, with the schema in place; `close` also deletes it. */
export async function openTestDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-database-'));
  const database = await openEmbedded(folder, pino({ level: 'silent' }));
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
