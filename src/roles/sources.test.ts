import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountIdOf } from '../accounts/api-key.ts';
import { openKeys } from '../accounts/keys.ts';
import { noBlocks } from '../blocks/block-index.ts';
import { readConfig } from '../config.ts';
import { plans } from '../contract/subscription-plans.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { openExits } from '../egress/exits.ts';
import type { HealRequest } from '../link-healing/link-healer.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createSealer } from '../sealing/sealer.ts';
import { openSources } from './sources.ts';

const secret = 'a secret of the tests';

let database: TestDatabase;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await database.close();
});

/** Opens the sources of a process with a key that owns links. */
async function open(settings: Record<string, string>) {
  const config = readConfig(settings);
  const exits = openExits(config);
  const keys = await openKeys(database, { hashing: [secret], signing: [secret] }, plans, pino({ level: 'silent' }));
  closers.push(() => exits.close(), keys.close);
  const { info } = await keys.create({ kind: 'extraction', plan: 'PRO' }, { name: 'a test' });
  const { healer } = openSources({
    config,
    log: pino({ level: 'silent' }),
    exits,
    metrics: createMetrics(),
    keys,
    blocks: noBlocks,
    sealer: createSealer([secret]),
    database,
    own(resource) {
      closers.push(() => resource.close());
      return resource;
    },
  });
  /** Requests new links of an item that no platform knows, which therefore fails before any request is sent. */
  const heal = (subject: string) => {
    const request: HealRequest = {
      subject,
      owner: accountIdOf(info),
      input: 0,
      exit: 'direct',
      failedProfiles: [],
      item: { platform: 'p99', endpoint: '/video/details', parameters: {}, content: 0 },
      representations: [],
    };
    return healer?.heal(request, new AbortController().signal);
  };
  return { healer, heal, revoke: () => keys.revoke(info.id, { name: 'a test' }) };
}

describe('the link healer of a process', () => {
  test('is on by default, and off with HEAL_LINKS=off', async () => {
    expect((await open({})).healer).toBeDefined();
    expect((await open({ HEAL_LINKS: 'off' })).healer).toBeUndefined();
  });

  test('asks the platforms of the process, and counts the requests of all processes in the database', async () => {
    const [first, second] = [await open({}), await open({})];
    for (const { heal } of [first, second, first, second]) {
      await expect(heal('p99-job')).rejects.toMatchObject({ code: 'token_expired' });
    }
    expect(await first.heal('p99-job')).toBeUndefined();
    expect(await second.heal('p99-job')).toBeUndefined();
  });

  test('replaces no link whose owner has a revoked key', async () => {
    const { heal, revoke } = await open({});
    await expect(heal('p99-other')).rejects.toMatchObject({ code: 'token_expired' });
    await revoke();
    expect(await heal('p99-other')).toBeUndefined();
  });
});
