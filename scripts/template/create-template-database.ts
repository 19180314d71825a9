import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { databaseFolderOf } from '../../src/database/embedded/database-folder.ts';
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.ts';
import { migrate } from '../../src/database/migrate.ts';

/** Creates an empty database with all migrations in a data folder, and returns its folder. */
export async function createTemplateDatabase(dataDirectory: string): Promise<string> {
  const folder = databaseFolderOf(dataDirectory);
  await mkdir(folder);
  // The engine runs initdb if the folder is empty.
  const engine = new PGlite({ dataDir: folder });
  await engine.waitReady;
  await engine.close();

  const database = await openEmbeddedDatabase(dataDirectory, pino({ level: 'silent' }));
  await migrate(database);
  // The template databases are copies of an empty database. Only CREATE DATABASE would need them, and they contain two
  // thirds of all files.
  await database.query(`update pg_database set datistemplate = false where datname <> current_database()`);
  for (const name of ['template0', 'template1']) await database.query(`drop database ${name}`);
  await database.query('vacuum');
  // Starts a new segment of the log. Apart from the last checkpoint, it consists of zeros.
  await database.query('select pg_switch_wal()');
  await database.query('checkpoint');
  const [log] = await database.query<{ segment: string }>('select pg_walfile_name(pg_current_wal_lsn()) as segment');
  await database.close();
  if (log === undefined) throw new Error('the engine did not return the segment of its log');
  await keepOneSegment(join(folder, 'pg_wal'), log.segment);
  return folder;
}

/** Deletes all other segments. The engine reads its log from the last checkpoint, which it wrote when it was closed. */
async function keepOneSegment(log: string, last: string): Promise<void> {
  for (const name of await readdir(log)) {
    if (/^[0-9A-F]{24}$/.test(name) && name !== last) await rm(join(log, name));
  }
}
