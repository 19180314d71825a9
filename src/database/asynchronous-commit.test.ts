import { afterAll, beforeAll, expect, test } from 'vitest';
import { asynchronousCommit } from './asynchronous-commit.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const setting = async () => (await database.query<{ synchronous_commit: string }>('show synchronous_commit'))[0];

test('asynchronousCommit applies to one statement and leaves later ones unchanged', async () => {
  const [row] = await database.query(
    `insert into service_facts (name, value) select 'a', 'b' from ${asynchronousCommit}
     returning current_setting('synchronous_commit') as setting`,
  );
  expect(row).toEqual({ setting: 'off' });
  expect(await setting()).toEqual({ synchronous_commit: 'on' });
});

test('an asynchronous commit is flushed soon afterwards without another commit', async () => {
  await database.query(`insert into service_facts (name, value) select 'c', 'd' from ${asynchronousCommit}`);
  const pending = () => database.query('select pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() as pending');
  await expect.poll(pending).toEqual([{ pending: false }]);
});
