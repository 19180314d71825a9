import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { type OpenKeys, openKeys } from './keys.ts';

const secrets = ['a secret of the tests'];

let database: TestDatabase;
let keys: OpenKeys;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['retired_key_hashes', 'api_keys']) await database.query(`delete from ${table}`);
  keys = await openKeys(database, secrets, plans);
  return () => keys.close();
});

describe('a key', () => {
  test('is found by its kind and identifies its account', async () => {
    const { key, info } = await keys.create('extraction', 'PRO', 'A name');
    expect(key).toMatch(/^mr_x_[\w-]{32}$/);
    expect(await keys.find('extraction', key)).toEqual({
      id: `extraction:${info.id}`,
      plan: plans.PRO,
      ended: false,
    });
    expect(await keys.find('render', key)).toBeUndefined();
    expect(await keys.find('extraction', `${key}x`)).toBeUndefined();
    expect(await keys.get(info.id)).toEqual(info);
    expect(await keys.list()).toEqual([info]);
    expect(await keys.findAccount(`extraction:${info.id}`)).toMatchObject({ plan: plans.PRO });
    expect(await keys.findAccount(`render:${info.id}`)).toBeUndefined();
    expect(await keys.findAccount('gateway:alice')).toBeUndefined();
  });

  test('is not stored in plain text in the database', async () => {
    const { key, info } = await keys.create('render', 'MEGA', 'A name');
    await keys.rotate(info.id, 60);
    const tables = [
      await database.query('select * from api_keys'),
      await database.query('select * from retired_key_hashes'),
    ];
    expect(JSON.stringify(tables)).not.toContain(key);
    expect(JSON.stringify(tables)).not.toContain(key.slice(5));
  });

  test('is cached for a while', async () => {
    const { key } = await keys.create('extraction', 'PRO');
    const first = await keys.find('extraction', key);
    await database.query('delete from api_keys');
    expect(await keys.find('extraction', key)).toEqual(first);
  });

  test('that is revoked on one node stops working on the others', async () => {
    const other = await openKeys(database, secrets, plans);
    const { key, info } = await keys.create('extraction', 'PRO');
    expect(await other.find('extraction', key)).toMatchObject({ ended: false });
    const notification = Promise.withResolvers<void>();
    const stop = await database.listen('api_keys', () => notification.resolve());
    expect((await keys.revoke(info.id))?.endedAt).toBeInstanceOf(Date);
    await notification.promise;
    expect(await other.find('extraction', key)).toMatchObject({ ended: true });
    expect(await keys.find('extraction', key)).toMatchObject({ ended: true });
    await stop();
    await other.close();
  });

  test('works with a replaced secret as long as that secret is configured', async () => {
    const { key } = await keys.create('extraction', 'PRO');
    const withBoth = await openKeys(database, ['a newer secret of the tests', ...secrets], plans);
    const withNew = await openKeys(database, ['a newer secret of the tests'], plans);
    expect(await withBoth.find('extraction', key)).toBeDefined();
    expect(await withNew.find('extraction', key)).toBeUndefined();
    await withBoth.close();
    await withNew.close();
  });
});

describe('key rotation', () => {
  test('creates another key for the account; the old one works until its grace period ends', async () => {
    const { key: first, info } = await keys.create('extraction', 'PRO');
    const newKey = await keys.rotate(info.id, 60);
    expect(newKey?.info).toEqual(info);
    const [before, after] = [await keys.find('extraction', first), await keys.find('extraction', newKey?.key ?? '')];
    expect(before).toMatchObject({ id: `extraction:${info.id}` });
    expect(after).toEqual(before);
    await database.query(`update retired_key_hashes set works_until = now()`);
    const fresh = await openKeys(database, secrets, plans);
    expect(await fresh.find('extraction', first)).toBeUndefined();
    await fresh.close();
  });

  test('returns nothing for an unknown or revoked key', async () => {
    const { info } = await keys.create('extraction', 'PRO');
    await keys.revoke(info.id);
    expect(await keys.rotate(info.id, 0)).toBeUndefined();
    expect(await keys.rotate('nothing', 0)).toBeUndefined();
    expect(await keys.revoke('nothing')).toBeUndefined();
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
    for (const { id } of await keys.list()) await keys.revoke(id);
    await seed('PRO');
    expect(await keys.find('extraction', 'my-own-key')).toMatchObject({ ended: true });
  });

  test('stay replaced when they are supplied again', async () => {
    await seed('PRO');
    for (const { id } of await keys.list()) await keys.rotate(id, 0);
    await seed('PRO');
    expect(await keys.find('extraction', 'my-own-key')).toBeUndefined();
    expect(await keys.list()).toHaveLength(2);
  });
});

test('the first key is created once, even if many nodes start together', async () => {
  const nodes = await Promise.all(Array.from({ length: 4 }, () => database.openAnother()));
  const opened = await Promise.all(nodes.map((node) => openKeys(node, secrets, plans)));
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
