import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listAuditEntries } from '../audit/audit-log.ts';
import { plans } from '../contract/subscription-plans.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { type OpenKeys, openKeys } from './keys.ts';

const log = pino({ level: 'silent' });

const secrets = { hashing: ['the hash secret of the tests'], signing: ['a secret of the tests'] };
const actor = { name: 'the tests' };

let database: TestDatabase;
let keys: OpenKeys;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('truncate retired_key_hashes, api_keys, audit_log');
  keys = await openKeys(database, secrets, plans, log);
  return () => keys.close();
});

describe('a key', () => {
  test('is found by its kind and identifies its account', async () => {
    const { key, info } = await keys.create({ kind: 'extraction', plan: 'PRO', name: 'A name' }, actor);
    expect(key).toMatch(/^mr_x_[\w-]{32}$/);
    expect(await keys.find('extraction', key)).toEqual({
      id: `extraction:${info.id}`,
      plan: plans.PRO,
      test: false,
      endReason: undefined,
    });
    expect(await keys.find('render', key)).toBeUndefined();
    expect(await keys.find('extraction', `${key}x`)).toBeUndefined();
    expect(await keys.get(info.id)).toEqual(info);
    expect(await keys.list()).toEqual([info]);
    expect(await keys.findAccount(`extraction:${info.id}`)).toMatchObject({ plan: plans.PRO });
    expect(await keys.findAccount(`render:${info.id}`)).toBeUndefined();
    expect(await keys.findAccount('gateway:alice')).toBeUndefined();
  });

  test.each(['extraction', 'render'] as const)('of the kind %s is a test key by its record alone', async (kind) => {
    const { key, info } = await keys.create({ kind, plan: 'PRO', test: true }, actor);
    expect(key).toMatch(/^mr_[xr]_[\w-]{32}$/);
    expect(info.test).toBe(true);
    expect(await keys.find(kind, key)).toMatchObject({ test: true });
    const rotated = await keys.rotate(info.id, 0, actor);
    expect(rotated?.info.test).toBe(true);
    expect(await keys.find(kind, rotated?.key ?? '')).toMatchObject({ test: true });
    expect(await keys.findAccount(`${kind}:${info.id}`)).toMatchObject({ test: true });
  });

  test('is not stored in plain text in the database', async () => {
    const { key, info } = await keys.create({ kind: 'render', plan: 'MEGA', name: 'A name' }, actor);
    await keys.rotate(info.id, 60, actor);
    const tables = [
      await database.query('select * from api_keys'),
      await database.query('select * from retired_key_hashes'),
    ];
    expect(JSON.stringify(tables)).not.toContain(key);
    expect(JSON.stringify(tables)).not.toContain(key.slice(5));
  });

  test('is cached for a while', async () => {
    const { key } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    const first = await keys.find('extraction', key);
    await database.query('delete from api_keys');
    expect(await keys.find('extraction', key)).toEqual(first);
  });

  test('that is revoked on one node stops working on the others', async () => {
    const other = await openKeys(database, secrets, plans, log);
    const { key, info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    expect(await other.find('extraction', key)).toMatchObject({ endReason: undefined });
    const notification = Promise.withResolvers<void>();
    const stop = await database.listen('api_keys', () => notification.resolve());
    expect((await keys.revoke(info.id, actor))?.endedAt).toBeInstanceOf(Date);
    await notification.promise;
    expect(await other.find('extraction', key)).toMatchObject({ endReason: 'revoked' });
    expect(await keys.find('extraction', key)).toMatchObject({ endReason: 'revoked' });
    await stop();
    await other.close();
  });

  test('works without the signing secret under which it was created', async () => {
    const { key, info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    const later = await openKeys(database, { ...secrets, signing: ['a newer secret of the tests'] }, plans, log);
    expect(await later.find('extraction', key)).toMatchObject({ id: `extraction:${info.id}` });
    await later.close();
  });

  test('moves to the newest key hash secret when it is used', async () => {
    const { key } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    const newer = 'a newer hash secret of the tests';
    const withNew = await openKeys(database, { ...secrets, hashing: [newer] }, plans, log);
    expect(await withNew.find('extraction', key)).toBeUndefined();
    const withBoth = await openKeys(database, { ...secrets, hashing: [newer, ...secrets.hashing] }, plans, log);
    expect(await withBoth.find('extraction', key)).toBeDefined();
    expect(await withNew.find('extraction', key)).toBeDefined();
    await withBoth.close();
    await withNew.close();
  });

  test('is found by all nodes during a rotation of the key hash secret that adds the new one behind the old one', async () => {
    const { key } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    const [older, newer] = [...secrets.hashing, 'a newer hash secret of the tests'];
    // The present node and the next one run side by side during each of the three restarts.
    for (const [present, next] of [
      [[older], [older, newer]],
      [
        [older, newer],
        [newer, older],
      ],
      [[newer, older], [newer]],
    ]) {
      for (const hashing of [next, present, next]) {
        const node = await openKeys(database, { ...secrets, hashing: hashing as string[] }, plans, log);
        expect(await node.find('extraction', key)).toBeDefined();
        await node.close();
      }
    }
  });
});

describe('key rotation', () => {
  test('creates another key for the account; the old one works until its grace period ends', async () => {
    const { key: first, info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    const newKey = await keys.rotate(info.id, 60, actor);
    expect(newKey?.info).toEqual(info);
    const [before, after] = [await keys.find('extraction', first), await keys.find('extraction', newKey?.key ?? '')];
    expect(before).toMatchObject({ id: `extraction:${info.id}` });
    expect(after).toEqual(before);
    await database.query(`update retired_key_hashes set works_until = now()`);
    const fresh = await openKeys(database, secrets, plans, log);
    expect(await fresh.find('extraction', first)).toBeUndefined();
    await fresh.close();
  });

  test('returns nothing for an unknown or revoked key', async () => {
    const { info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    await keys.revoke(info.id, actor);
    expect(await keys.rotate(info.id, 0, actor)).toBeUndefined();
    expect(await keys.rotate('nothing', 0, actor)).toBeUndefined();
    expect(await keys.revoke('nothing', actor)).toBeUndefined();
  });
});

describe('a key of an earlier version', () => {
  const signedOnly = async () => {
    const { key, info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    await database.query('update api_keys set key_hash = null');
    await database.query('update retired_key_hashes set key_hash = null');
    return { key, info };
  };
  const withNewSigningSecret = () =>
    openKeys(database, { ...secrets, signing: ['a newer secret of the tests'] }, plans, log);

  test('works under its signing secret, and without it after its first use', async () => {
    const { key, info } = await signedOnly();
    const later = await withNewSigningSecret();
    expect(await later.find('extraction', key)).toBeUndefined();
    expect(await keys.get(info.id)).toMatchObject({ needsSigningSecret: true });
    expect(await keys.find('extraction', key)).toBeDefined();
    expect(await later.find('extraction', key)).toMatchObject({ id: `extraction:${info.id}` });
    expect(await keys.get(info.id)).toMatchObject({ needsSigningSecret: false });
    await later.close();
  });

  test('is moved in its grace period after it was replaced, too', async () => {
    const { key, info } = await signedOnly();
    await keys.rotate(info.id, 60, actor);
    await database.query('update retired_key_hashes set key_hash = null');
    const later = await withNewSigningSecret();
    expect(await later.find('extraction', key)).toBeUndefined();
    expect(await keys.find('extraction', key)).toBeDefined();
    expect(await later.find('extraction', key)).toBeDefined();
    await later.close();
  });

  test('is moved when it is supplied in a setting', async () => {
    await keys.seed([{ plan: 'PRO', key: 'my-own-key' }], []);
    await database.query('update api_keys set key_hash = null');
    await keys.seed([{ plan: 'PRO', key: 'my-own-key' }], []);
    const later = await withNewSigningSecret();
    await later.seed([{ plan: 'PRO', key: 'my-own-key' }], []);
    expect(await later.list()).toMatchObject([{ needsSigningSecret: false }]);
    await later.close();
  });

  test('no longer works when a node of an earlier version replaces it', async () => {
    const { key } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    await database.query(`update api_keys set hash = 'the hash of the new key'`);
    expect(await keys.find('extraction', key)).toBeUndefined();
  });
});

describe('a change of a key', () => {
  const auditLog = async () => (await listAuditEntries(database, {}, 100)).entries;
  const make = async () => (await keys.create({ kind: 'extraction', plan: 'PRO' }, actor)).info;

  test('takes effect on every node, and is recorded with the values before and after it', async () => {
    const { key, info } = await keys.create({ kind: 'extraction', plan: 'PRO', name: 'A name' }, actor);
    expect(await keys.find('extraction', key)).toMatchObject({ plan: plans.PRO });
    const change = { plan: 'ULTRA', spendWarning: 50, expiresAt: new Date('2100-01-01T00:00:00Z') } as const;
    const changed = await keys.update(info.id, change, { name: 'alice', requestId: 'r1' });
    expect(changed).toEqual({ ...info, ...change });
    expect(await keys.find('extraction', key)).toMatchObject({ plan: plans.ULTRA });
    const [last] = await auditLog();
    expect(last).toMatchObject({
      actor: 'alice',
      action: 'key.update',
      target: info.id,
      reason: null,
      requestId: 'r1',
      changes: {
        plan: { before: 'PRO', after: 'ULTRA' },
        spendWarning: { before: null, after: 50 },
        expiresAt: { before: null, after: '2100-01-01T00:00:00.000Z' },
      },
    });
    expect(Object.keys(last?.changes ?? {})).toHaveLength(3);
  });

  test('is not recorded if it changes nothing', async () => {
    const info = await make();
    expect(await keys.update(info.id, { plan: 'PRO' }, actor)).toEqual(info);
    expect(await auditLog()).toMatchObject([{ action: 'key.create', target: info.id }]);
  });

  test('disables and enables the key, with a reason', async () => {
    const { key, info } = await keys.create({ kind: 'render', plan: 'PRO' }, actor);
    await keys.update(info.id, { disabled: true, reason: 'Abuse' }, actor);
    expect(await keys.find('render', key)).toMatchObject({ endReason: 'disabled' });
    const disabled = await keys.update(info.id, { disabled: true, reason: 'Another' }, actor);
    expect(disabled).toMatchObject({ disabledAt: expect.any(Date), disabledReason: 'Abuse' });
    expect(await keys.update(info.id, { disabled: false }, actor)).toEqual(info);
    expect(await keys.findAccount(`render:${info.id}`)).toMatchObject({ endReason: undefined });
    expect(await auditLog()).toMatchObject([
      { action: 'key.enable', changes: { disabled: { before: true, after: false } }, reason: null },
      { action: 'key.disable', changes: { disabled: { before: false, after: true } }, reason: 'Abuse' },
      { action: 'key.create' },
    ]);
  });

  test('ends the key at its expiry, even if it is cached', async () => {
    const { key, info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, actor);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await keys.update(info.id, { expiresAt }, actor);
    const account = await keys.find('extraction', key);
    expect(account).toMatchObject({ endReason: undefined });
    vi.useFakeTimers({ now: expiresAt, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await keys.find('extraction', key)).toMatchObject({ endReason: 'expired' });
    expect(account?.endReason).toBe('expired');
  });

  test('does nothing to an unknown or revoked key', async () => {
    const info = await make();
    await keys.revoke(info.id, actor);
    await keys.revoke(info.id, actor);
    expect(await keys.update(info.id, { plan: 'MEGA' }, actor)).toBeUndefined();
    expect(await keys.update('nothing', { plan: 'MEGA' }, actor)).toBeUndefined();
    expect((await auditLog()).map(({ action }) => action)).toEqual(['key.revoke', 'key.create']);
  });
});

describe('keys that the operator supplies', () => {
  const seed = (plan: 'PRO' | 'ULTRA') => keys.seed([{ plan, key: 'my-own-key' }], ['my-render-key']);

  test('are added once and get the configured plan', async () => {
    await seed('PRO');
    await seed('ULTRA');
    expect(await keys.list()).toHaveLength(2);
    expect(await keys.find('extraction', 'my-own-key')).toMatchObject({ plan: plans.ULTRA });
    expect(await keys.find('render', 'my-render-key')).toMatchObject({ plan: plans.MEGA });
    expect([await keys.createFirst('extraction', 'PRO'), await keys.createFirst('render', 'PRO')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('stay revoked when they are supplied again', async () => {
    await seed('PRO');
    for (const { id } of await keys.list()) await keys.revoke(id, actor);
    await seed('PRO');
    expect(await keys.find('extraction', 'my-own-key')).toMatchObject({ endReason: 'revoked' });
  });

  test('stay replaced when they are supplied again', async () => {
    await seed('PRO');
    for (const { id } of await keys.list()) await keys.rotate(id, 0, actor);
    await seed('PRO');
    expect(await keys.find('extraction', 'my-own-key')).toBeUndefined();
    expect(await keys.list()).toHaveLength(2);
  });
});

test('the first key is created once, even if many nodes start together', async () => {
  const nodes = await Promise.all(Array.from({ length: 4 }, () => database.openAnother()));
  const opened = await Promise.all(nodes.map((node) => openKeys(node, secrets, plans, log)));
  try {
    const firstKeys = await Promise.all(opened.map((each) => each.createFirst('render', 'MEGA')));
    const [first, ...others] = firstKeys.filter((key) => key !== undefined);
    expect(others).toEqual([]);
    expect(await keys.find('render', first?.key ?? '')).toMatchObject({ plan: plans.MEGA });
  } finally {
    for (const each of opened) await each.close();
    for (const node of nodes) await node.close();
  }
});
