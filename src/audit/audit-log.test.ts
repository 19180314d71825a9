import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { changedMembers, listAuditEntries, openAuditLog } from './audit-log.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('truncate audit_log');
});

const auditLog = openAuditLog(['a secret of the tests']);
const add = (actor: string, target: string) =>
  database.transaction((sql) => auditLog.by({ name: actor })(sql, { action: 'key.update', target }));

test('entries are listed newest first, in pages and with filters', async () => {
  for (const [actor, target] of [
    ['a', '1'],
    ['b', '2'],
    ['a', '2'],
  ] as const) {
    await add(actor, target);
  }
  const first = await listAuditEntries(database, {}, 2);
  expect(first.entries.map(({ actor, target }) => actor + target)).toEqual(['a2', 'b2']);
  const second = await listAuditEntries(database, { cursor: first.nextCursor ?? '' }, 2);
  expect([second.entries.map(({ actor, target }) => actor + target), second.nextCursor]).toEqual([['a1'], null]);
  const filtered = await listAuditEntries(database, { actor: 'a', target: '2', action: 'key.update' }, 2);
  expect(filtered.entries).toHaveLength(1);
});

test('entries are in the order of their numbers, and not of their digits', async () => {
  const targets = Array.from({ length: 11 }, (_, index) => `${index}`);
  for (const target of targets) await add('a', target);
  const { entries } = await listAuditEntries(database, {}, 20);
  expect(entries.map(({ target }) => target)).toEqual(targets.toReversed());
});

test('only members that differ are changes', () => {
  expect(changedMembers({ plan: 'PRO', name: 'a', old: 1 }, { plan: 'MEGA', name: 'a', new: true })).toEqual({
    plan: { before: 'PRO', after: 'MEGA' },
    old: { before: 1, after: null },
    new: { before: null, after: true },
  });
});

test('entries cannot be changed or deleted', async () => {
  await add('a', '1');
  for (const statement of [`update audit_log set actor = 'b'`, 'delete from audit_log']) {
    await expect(database.query(statement)).rejects.toThrow('the audit log is append-only');
  }
});

test('old entries are deleted, oldest first', async () => {
  await database.query(
    `insert into audit_log (at, actor, action, target, changes)
     select now() - days * interval '1 day', 'a', 'key.update', days::text, '{}'
     from unnest(array[20, 10, 5, 0]) as days`,
  );
  expect(await auditLog.deleteOld(database, 7, 1)).toBe(1);
  const targets = async () => (await listAuditEntries(database, {}, 10)).entries.map(({ target }) => target);
  expect(await targets()).toEqual(['0', '5', '10']);
  expect(await auditLog.deleteOld(database, 7, 10)).toBe(1);
  expect(await auditLog.deleteOld(database, 7, 10)).toBe(0);
  expect(await targets()).toEqual(['0', '5']);
});
