import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createAuditSealer, hashOfEntry } from './audit-chain.ts';
import { listAuditEntries, openAuditLog } from './audit-log.ts';
import { readStart } from './chain-start.ts';
import { readEntries } from './stored-entries.ts';
import { createHeadWatch } from './watch-head.ts';

const secret = 'the secret of these tests';
const auditLog = openAuditLog([secret]);
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('alter table audit_log enable trigger audit_log_kept');
  await database.query('truncate audit_log restart identity');
  await database.query('truncate audit_start');
  await database.query('delete from api_keys');
  await auditLog.start(database);
});

const add = (target: string, log = auditLog, to: Pick<TestDatabase, 'transaction'> = database) =>
  to.transaction((sql) => {
    const changes = { plan: { before: 'PRO', after: target }, 'a "name"': { before: null, after: 1e21 } };
    return log.by({ name: 'bob', requestId: 'one' })(sql, { action: 'key.update', target, changes, reason: 'é\n' });
  });
const addAll = async (count: number) => {
  for (let index = 1; index <= count; index += 1) await add(`${index}`);
};
const kinds = async (anchor?: string) => (await auditLog.verify(database, anchor)).faults.map(({ kind }) => kind);
const notAccepted = [{ kind: 'not_accepted', entry: null }];
const accept = async (log = auditLog) => {
  const { since } = await log.verify(database);
  return await log.accept(database, since ?? '', { name: 'alice' });
};
const headOf = async () => (await auditLog.verify(database)).head ?? expect.unreachable();

/** Runs statements as somebody who owns the database, and whom no trigger stops. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await database.query('alter table audit_log disable trigger audit_log_kept');
  for (const statement of statements.flatMap((text) => text.split('; '))) await database.query(statement);
}

/** Computes all hashes again, as somebody could who knows how the service computes them but not its secret. */
async function rehash(seal: (hash: string) => string): Promise<void> {
  let previous = (await readStart(database))?.hash ?? '';
  for (const entry of (await readEntries(database, {}, 100)).toReversed()) {
    previous = hashOfEntry(previous, entry);
    await tamper(`update audit_log set hash = '${previous}', seal = '${seal(previous)}' where id = ${entry.id}`);
  }
}

const columns = 'at, actor, action, target, changes, reason, request_id, hash, seal';

/** Returns a statement that gives entries another ID, which no update can change. */
function move(id: string, which: string): string {
  return `with gone as (delete from audit_log ${which} returning *)
    insert into audit_log (id, ${columns}) overriding system value select ${id}, ${columns} from gone`;
}

describe('a changed audit log', () => {
  test('is intact without changes, when it is empty, and with every kind of value', async () => {
    const empty = { entries: 0, adopted: 0, unchained: 0, since: expect.any(String), faults: [], head: null };
    expect(await auditLog.verify(database)).toEqual(empty);
    await addAll(3);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await auditLog.verify(database)).toEqual({ ...empty, entries: 3, head: hash });
  });

  test.each([
    ['an actor', `update audit_log set actor = 'eve' where id = 2`],
    ['an action', `update audit_log set action = 'key.create' where id = 2`],
    ['a target', `update audit_log set target = '7' where id = 2`],
    ['changed members', `update audit_log set changes = '{}' where id = 2`],
    ['a reason', `update audit_log set reason = null where id = 2`],
    ['a request ID', `update audit_log set request_id = 'two' where id = 2`],
    ['a time, by a millisecond', `update audit_log set at = at + interval '1 millisecond' where id = 2`],
    ['a time, to infinity', `update audit_log set at = 'infinity' where id = 2`],
    ['all times, by a day', `update audit_log set at = at - interval '1 day'`],
    ['a hash', `update audit_log set hash = repeat('0', 64) where id = 2`],
    ['the last entry', `update audit_log set actor = 'eve' where id = 4`],
    ['a part moved to the next member', `update audit_log set actor = 'bobkey', action = '.update' where id = 2`],
    ['an order', move('9', 'where id = 2')],
    ['an order of IDs below zero', move('-id', '')],
    ['a missing entry', 'delete from audit_log where id = 2'],
    ['a missing first entry', 'delete from audit_log where id = 1'],
    ['a missing hash', 'update audit_log set hash = null where id = 3'],
    ['missing hashes of all but the last', 'update audit_log set hash = null where id < 4'],
    ['a copied entry at the end', `insert into audit_log (${columns}) select ${columns} from audit_log where id = 2`],
    ['a copied last entry', `insert into audit_log (${columns}) select ${columns} from audit_log where id = 4`],
    [
      'an inserted entry',
      `insert into audit_log (actor, action, target, changes) values ('eve', 'key.create', '1', '{}')`,
    ],
    ['all hashes', 'update audit_log set hash = null, seal = null'],
    ['all hashes and the start', 'update audit_log set hash = null, seal = null; delete from audit_start'],
    ['a missing start', 'delete from audit_start'],
    ['a later start', `update audit_start set since = '2100-01-01T00:00:00.000Z'`],
    ['a start that has no ID', `update audit_start set adopted = 'x'`],
    ['more entries of earlier versions', `update audit_start set adopted = '3'`],
    [
      'another start of the chain',
      'update audit_start set (hash, seal) = (select hash, seal from audit_log where id = 1)',
    ],
    [
      'a start instead of the first entry',
      `with gone as (delete from audit_log where id = 1 returning hash, seal)
       update audit_start set hash = gone.hash, seal = gone.seal from gone`,
    ],
  ])('is detected: %s', async (_, statement) => {
    await addAll(4);
    await tamper(statement);
    expect(await kinds()).not.toEqual([]);
    // Later entries do not hide it.
    await add('later');
    expect(await kinds()).not.toEqual([]);
  });

  test.each([
    ['no seal', () => ''],
    ['the seals of another secret', (hash: string) => createAuditSealer(['a guess']).seal('entry', hash)],
    ['seals for another purpose', (hash: string) => createAuditSealer([secret]).seal('start', hash)],
  ])('is detected if all hashes fit and have %s', async (_, seal) => {
    await addAll(3);
    await tamper(`update audit_log set actor = 'eve' where id = 2`);
    await rehash(seal);
    expect(await auditLog.verify(database)).toMatchObject({ faults: [{ kind: 'unsealed', entry: '1' }] });
    // The seal of a later entry does not confirm them.
    await add('later');
    await add('last');
    expect(await auditLog.verify(database)).toMatchObject({ faults: [{ kind: 'unsealed', entry: '1' }] });
    await tamper('update audit_log set seal = null where id = 4');
    expect(await kinds()).toEqual(['unsealed']);
  });

  test('is detected whatever functions and operators the database has', async () => {
    await addAll(3);
    const values = 'at timestamptz, actor text, action text, target text, changes jsonb, reason text, request_id text';
    await tamper(
      `create function public.audit_content(${values}) returns text language sql as $$ select 'as before' $$`,
      `create function public.never(bigint, bigint) returns boolean language sql as 'select false'`,
      'create operator public.< (leftarg = bigint, rightarg = bigint, function = public.never)',
      'set search_path = public, pg_catalog',
      `update audit_log set actor = 'eve' where id = 2`,
    );
    expect(await kinds()).toEqual(['altered']);
    // A verification reads its pages with the same statement.
    expect((await listAuditEntries(database, { cursor: '3' }, 10)).entries).toHaveLength(2);
    await tamper('reset search_path', 'drop function public.never cascade', 'drop function public.audit_content');
  });

  test('is detected if the end is missing, and an anchor or a running node knows it', async () => {
    await addAll(3);
    const anchor = await headOf();
    const lines: [string, string][] = [];
    const watched = {
      info: (_: object, text: string) => lines.push(['info', text]),
      error: () => lines.push(['error', '']),
    };
    // The cast is safe: the watch only calls these two.
    const watch = createHeadWatch(database, 400, watched as never);
    await watch();
    await add('4');
    await watch();
    expect(lines.map(([level]) => level)).toEqual(['info', 'info']);
    await watch();
    expect(lines).toHaveLength(2);
    await tamper('delete from audit_log where id > 2');
    // The rest of the chain is intact, so that nothing in the database shows what is missing.
    expect([await kinds(), await kinds(anchor)]).toEqual([[], ['missing']]);
    await watch();
    expect(lines.map(([level]) => level)).toEqual(['info', 'info', 'info', 'error']);
    await tamper('truncate audit_log');
    expect([await kinds(), await kinds(anchor)]).toEqual([[], ['missing']]);
  });
});

describe('the chain', () => {
  test('has no forks if several nodes add entries at the same time', async () => {
    const others = [await database.openAnother(), await database.openAnother()];
    const nodes = [database, ...others];
    await Promise.all(Array.from({ length: 30 }, (_, index) => add(`${index}`, auditLog, nodes[index % 3])));
    expect(await auditLog.verify(database)).toMatchObject({ entries: 30, faults: [] });
    await Promise.all(others.map((other) => other.close()));
  });

  test('continues after a change that was rolled back', async () => {
    await add('1');
    const failed = database.transaction(async (sql) => {
      await auditLog.by({ name: 'bob' })(sql, { action: 'key.update', target: '2' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await add('3');
    expect(await auditLog.verify(database)).toMatchObject({ entries: 2, faults: [] });
  });

  test('confirms the entries of a removed secret by a later one', async () => {
    const [old, both, now] = [[secret], ['new', secret], ['new']].map(openAuditLog);
    if (old === undefined || both === undefined || now === undefined) throw new Error('unreachable');
    await add('1', old);
    await add('2', old);
    const unsealed = [{ kind: 'wrong_start' }, { kind: 'unsealed', entry: '1' }];
    expect(await now.verify(database)).toMatchObject({ faults: unsealed });
    await both.start(database);
    await both.start(database);
    expect(await now.verify(database)).toMatchObject({ entries: 3, faults: [] });
    await tamper(`update audit_log set actor = 'eve' where id = 1`);
    expect(await now.verify(database)).toMatchObject({ faults: [{ kind: 'altered', entry: '1' }] });
  });

  test('begins with the entries of earlier versions unchanged, and reports those that come later', async () => {
    const old = `insert into audit_log (actor, action, target, changes) values ('bob', 'key.update', '1', '{}')`;
    await database.query('truncate audit_start');
    await database.query(old);
    await database.query(old);
    expect(await kinds()).toEqual(['wrong_start', 'unchained', 'unchained']);
    expect([await auditLog.start(database), await auditLog.start(database)]).toEqual([2, 0]);
    await add('2');
    expect(await auditLog.verify(database)).toMatchObject({
      entries: 3,
      adopted: 2,
      unchained: 0,
      faults: notAccepted,
    });
    await accept();
    await database.query(old);
    await add('3');
    const late = { entries: 6, adopted: 2, unchained: 1, faults: [{ kind: 'unchained', entry: '5' }] };
    expect(await auditLog.verify(database)).toMatchObject(late);
    await tamper(`update audit_log set actor = 'eve' where id = 1`);
    expect(await kinds()).toEqual(['unchained', 'altered']);
  });

  test('does not begin again if its start or its hashes are gone', async () => {
    await addAll(3);
    await tamper('update audit_log set hash = null, seal = null');
    expect([await auditLog.start(database), await kinds()]).toEqual([0, Array(3).fill('unchained')]);
    await add('4');
    await tamper('delete from audit_start');
    expect(await auditLog.start(database)).toBe(0);
    expect(await kinds()).toContain('wrong_start');
  });

  test('that begins again shows since when, and lacks the anchor', async () => {
    await addAll(3);
    const { head, since } = await auditLog.verify(database);
    await tamper(
      'update audit_log set hash = null, seal = null',
      'delete from audit_start',
      'delete from audit_log where id = 2',
    );
    expect(await auditLog.start(database)).toBe(2);
    const again = await auditLog.verify(database, head ?? '');
    expect(again).toMatchObject({ adopted: 2, faults: [...notAccepted, { kind: 'missing' }] });
    expect(Date.parse(again.since ?? '')).toBeGreaterThanOrEqual(Date.parse(since ?? ''));
  });

  /** Removes the chain, and has a node begin it again. */
  async function beginAgain(...statements: readonly string[]): Promise<void> {
    await tamper('update audit_log set hash = null, seal = null', 'delete from audit_start', ...statements);
    await auditLog.start(database);
  }

  test.each([
    ['changed entries', `update audit_log set actor = 'eve' where id = 2`],
    ['no entries', 'delete from audit_log'],
  ])('that begins again with %s fails until an operator accepts that', async (_, statement) => {
    await addAll(3);
    await database.query(
      `insert into api_keys (id, kind, plan, hash) values (gen_random_uuid(), 'render', 'PRO', 'h')`,
    );
    await beginAgain(statement);
    await add('later');
    expect(await kinds()).toEqual(['not_accepted']);
    // Neither a start of a node nor its retention accepts it.
    await auditLog.start(database);
    const next = openAuditLog(['new', secret]);
    await next.start(database);
    expect((await next.verify(database)).faults).toEqual(notAccepted);
    expect(await accept(next)).toBe(true);
    expect((await next.verify(database)).faults).toEqual([]);
    const [entry] = await readEntries(database, {}, 1);
    expect(entry).toMatchObject({ actor: 'alice', action: 'audit.accept' });
  });

  test('that begins again is not accepted by the record of an earlier start', async () => {
    await addAll(3);
    const [earlier] = await database.query<{ hash: string; adopted: string; since: string; seal: string }>(
      'select hash, adopted, since, seal from audit_start',
    );
    if (earlier === undefined) expect.unreachable();
    await beginAgain();
    const replay = [earlier.hash, earlier.adopted, earlier.since, earlier.seal].map((value) => `'${value}'`).join();
    await tamper(`update audit_start set seal = '${earlier.seal}'`);
    expect(await kinds()).toEqual(['wrong_start']);
    expect(await accept()).toBe(false);
    await tamper('delete from audit_start', `insert into audit_start (hash, adopted, since, seal) values (${replay})`);
    expect(await kinds()).toEqual(['altered']);
  });

  test('keeps an accepted start through retention and a new secret', async () => {
    await database.query('truncate audit_start');
    await database.query(
      `insert into audit_log (at, actor, action, target, changes)
       select now() - interval '10 days', 'bob', 'a', 'b', '{}' from generate_series(1, 3)`,
    );
    await auditLog.start(database);
    await add('later');
    expect([await auditLog.deleteOld(database, 7, 1), await kinds()]).toEqual([1, ['not_accepted']]);
    expect([await accept(), await kinds()]).toEqual([true, []]);
    expect([await auditLog.deleteOld(database, 7, 1), await kinds()]).toEqual([1, []]);
    const next = openAuditLog(['new', secret]);
    await next.start(database);
    expect((await next.verify(database)).faults).toEqual([]);
  });

  test('is checked in several pages, with a bounded list of faults', async () => {
    await database.query('truncate audit_start');
    await database.query(
      `insert into audit_log (actor, action, target, changes) select 'bob', 'a', 'b', '{}' from generate_series(1, 1000)`,
    );
    expect(await auditLog.start(database)).toBe(1_000);
    await add('1');
    expect(await auditLog.verify(database)).toMatchObject({ entries: 1_001, adopted: 1_000, faults: notAccepted });
    await accept();
    await tamper(`update audit_log set hash = 'x' where id < 1001`);
    expect(await kinds()).toHaveLength(100);
  });
});

describe('retention', () => {
  /** Makes entries old whose hashes and seals are right, as if the clock had been different. */
  async function makeOld(count: number): Promise<void> {
    await tamper(`update audit_log set at = now() - interval '10 days' where id <= ${count}`);
    await rehash((hash) => createAuditSealer([secret]).seal('entry', hash));
    await database.query('alter table audit_log enable trigger audit_log_kept');
  }

  test('moves the start of the chain, so that entries missing after it are detected', async () => {
    await addAll(5);
    await makeOld(3);
    const anchor = await headOf();
    expect([await auditLog.deleteOld(database, 7, 2), await kinds(anchor)]).toEqual([2, []]);
    expect([await auditLog.deleteOld(database, 7, 10), await kinds(anchor)]).toEqual([1, []]);
    expect(await auditLog.deleteOld(database, 7, 10)).toBe(0);
    await tamper('delete from audit_log where id = 4');
    expect(await kinds()).toEqual(['altered']);
  });

  test('of the whole log keeps its chain', async () => {
    await addAll(2);
    await makeOld(2);
    const anchor = await headOf();
    await auditLog.deleteOld(database, 7, 10);
    await add('3');
    expect(await auditLog.verify(database, anchor)).toMatchObject({ entries: 1, faults: [] });
    await tamper('truncate audit_start');
    expect(await kinds()).toEqual(['wrong_start', 'altered']);
  });

  test('removes entries of nodes of earlier versions', async () => {
    const old = `insert into audit_log (at, actor, action, target, changes)
      values (now() - interval '10 days', 'bob', 'key.update', '1', '{}')`;
    await database.query(old);
    await add('2');
    expect([await auditLog.deleteOld(database, 7, 10), await kinds()]).toEqual([1, []]);
  });

  test('hides no fault', async () => {
    await addAll(5);
    await makeOld(3);
    await tamper('delete from audit_log where id = 1');
    await database.query('alter table audit_log enable trigger audit_log_kept');
    expect(await auditLog.deleteOld(database, 7, 10)).toBe(2);
    expect(await kinds()).toEqual(['altered']);
  });
});
