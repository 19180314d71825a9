import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { putEmptyDatabase } from '../../../test/support/empty-database.ts';
import { DurableFiles } from './durable-files.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts';
import { MAX_LOG_BYTES } from './maintenance.ts';

let folder: string;
let database: EmbeddedDatabase;
let engine: PGlite;
/** The maintenance statements, each with the number of the turn of the event loop in which it ran. */
let statements: { readonly text: string; readonly turn: number }[] = [];
/** A maintenance statement that fails. */
let failing: RegExp | undefined;
let turn = 0;
let nextTurn: NodeJS.Immediate;

beforeAll(() => {
  const original = PGlite.prototype.execProtocolRawSync;
  vi.spyOn(PGlite.prototype, 'execProtocolRawSync').mockImplementation(function (this: PGlite, message) {
    engine = this;
    const [text] = /(vacuum \(|checkpoint)[^\0]*/.exec(Buffer.from(message).toString('latin1')) ?? [];
    if (text !== undefined) statements.push({ text, turn });
    if (text !== undefined && failing?.test(text)) throw new Error('a damaged page');
    return original.call(this, message);
  });
  const countTurn = () => {
    turn += 1;
    nextTurn = setImmediate(countTurn);
  };
  countTurn();
});
afterAll(() => {
  clearImmediate(nextTurn);
  vi.restoreAllMocks();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-maintenance-'));
  await putEmptyDatabase(folder);
  database = await openEmbeddedDatabase(folder, pino({ level: 'silent' }));
  await database.query('create table numbers (number integer)');
  await database.query('create table texts (text text)');
  // Without compression, so that the log grows by the length of the texts.
  await database.query('alter table texts alter column text set storage external');
  [statements, failing] = [[], undefined];
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const TEXT_BYTES = 20_000;

const addTexts = (bytes: number) =>
  database.query(`insert into texts select repeat('x', ${TEXT_BYTES}) from generate_series(1, $1)`, [
    Math.ceil(bytes / TEXT_BYTES),
  ]);
/** Returns the names of the tables that maintenance has vacuumed. TOAST tables have numbers in their names. */
const vacuumed = () =>
  statements.flatMap(({ text }) => /^vacuum \(index_cleanup.+\) (.+)$/.exec(text)?.[1]?.replace(/\d+/, '…') ?? []);
const texts = () => statements.map(({ text }) => text);

test('each changed table is vacuumed in a turn without others, as soon as the log has grown', async () => {
  await addTexts(MAX_LOG_BYTES / 2);
  await database.query('insert into numbers select generate_series(1, 100)');
  expect(statements).toEqual([]);
  await addTexts(MAX_LOG_BYTES / 2);
  await database.query('select 1');
  expect(vacuumed().toSorted()).toEqual(['numbers', 'pg_toast.pg_toast_…', 'texts']);
  expect(texts().slice(-2)).toEqual(['vacuum (only_database_stats)', 'checkpoint']);
  expect(new Set(statements.map((statement) => statement.turn)).size).toBe(statements.length);
});

test('tables without changes are not visited again', async () => {
  await addTexts(MAX_LOG_BYTES);
  await database.query('select 1');
  statements = [];
  await database.query('insert into numbers select generate_series(1, $1)', [MAX_LOG_BYTES / 50]);
  await database.query('select 1');
  expect(vacuumed()).toEqual(['numbers']);
});

test('a table that cannot be vacuumed does not prevent the checkpoint, or other statements', async () => {
  failing = /texts$/;
  await addTexts(MAX_LOG_BYTES);
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(texts()).toContainEqual(expect.stringMatching(failing));
  expect(texts().at(-1)).toBe('checkpoint');
});

test('a stop during maintenance ends it after its statement', async () => {
  await addTexts(MAX_LOG_BYTES);
  await database.close();
  const count = statements.length;
  expect(texts()).not.toContain('checkpoint');
  database = await openEmbeddedDatabase(folder, pino({ level: 'silent' }));
  expect(statements).toHaveLength(count);
});

test('a large table that has become almost empty is rewritten', { tags: ['long'] }, async () => {
  const bytes = async (of: string) =>
    (await database.query<{ bytes: number }>(`select (${of})::float8 as bytes`))[0]?.bytes;
  const position = () => bytes(`pg_current_wal_insert_lsn() - '0/0'`);
  const size = () => bytes(`pg_table_size('texts')`);
  await addTexts(MAX_LOG_BYTES);
  const files = DurableFiles.of(engine);
  const unread = ((await position()) ?? 0) - files.logBytes;
  for (let count = 0; count < 7; count += 1) await addTexts(MAX_LOG_BYTES * 1.2);
  // The log is in several segments by now.
  expect(Math.abs(((await position()) ?? 0) - files.logBytes - unread)).toBeLessThan(300_000);
  await database.query('delete from texts where ctid not in (select ctid from texts limit 10)');
  await database.query('select 1');
  expect(texts()).toContain('vacuum (full) texts');
  expect(await size()).toBeLessThan(1_000_000);
  expect(await database.query('select count(*)::integer as count from texts')).toEqual([{ count: 10 }]);
});
