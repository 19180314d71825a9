import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a prepared statement runs again with other parameters of any type', async () => {
  const statement = 'select $1::text as text, $2::integer[] as list, $3::timestamptz as time, $4::jsonb as json';
  const time = new Date('2026-11-23T10:00:00Z');
  const first = await database.query(statement, ["it's", [1, 2], time, { a: [null] }]);
  expect(first).toEqual([{ text: "it's", list: [1, 2], time, json: { a: [null] } }]);
  const second = await database.query(statement, [null, [], undefined, '"text"']);
  expect(second).toEqual([{ text: null, list: [], time: null, json: 'text' }]);
});

test('a statement without rows or without results returns an empty list', async () => {
  expect(await database.query('select 1 as one where false')).toEqual([]);
  expect(await database.query("delete from service_facts where name = 'none'")).toEqual([]);
});

test('a failed statement runs again, and other statements run after it', async () => {
  const divide = (by: number) => database.query('select 6 / $1::integer as result', [by]);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    await expect(database.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    expect(await divide(2)).toEqual([{ result: 3 }]);
  }
});

test('a prepared statement stays outside of a concurrent transaction', async () => {
  const count = () => database.query("select count(*)::integer as count from service_facts where name = 'beside'");
  await count();
  let beside: Promise<unknown> | undefined;
  const failed = database.transaction(async (sql) => {
    await sql.query("insert into service_facts (name, value) values ('beside', '')");
    beside = count();
    await sql.query('select nonsense');
  });
  await expect(failed).rejects.toMatchObject({ code: '42703' });
  expect(await beside).toEqual([{ count: 0 }]);
});

test('the engine runs more statements than can be kept prepared', async () => {
  for (let number = 0; number < 300; number += 1) {
    expect(await database.query(`select ${number} as number`)).toEqual([{ number }]);
  }
});
