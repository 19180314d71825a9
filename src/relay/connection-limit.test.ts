import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConcurrencyLeases } from '../accounts/concurrency-leases.ts';
import { type ConnectionLimit, createConnectionLimit } from './connection-limit.ts';

const log = pino({ level: 'silent' });
const rateLimited = { code: 'rate_limited', status: 429 };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Acquires connections concurrently; returns the functions that release those that were granted. */
async function takeAll(limit: ConnectionLimit, count: number, owner = 'me') {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => limit.acquire(owner)));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(rateLimited);
  }
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

describe('a connection limit on a single node', () => {
  test('grants each owner up to the limit', async () => {
    const limit = createConnectionLimit(2);
    const [free] = await takeAll(limit, 3);
    await expect(limit.acquire('me')).rejects.toMatchObject(rateLimited);
    expect(await takeAll(limit, 3, 'you')).toHaveLength(2);
    free?.();
    expect(await takeAll(limit, 2)).toHaveLength(1);
    await limit.close();
  });
});

describe('a connection limit shared by nodes', () => {
  /** Creates in-memory leases like those that a database grants: `most` for all nodes together. */
  function sharedBy(most: number) {
    const leaseCounts = new Map<string, number>();
    const leases = (node: string): ConcurrencyLeases => ({
      async renew(requests) {
        return new Map(
          requests.map(({ owner, held: ownCount, requested }) => {
            const others = [...leaseCounts]
              .filter(([name]) => name !== node)
              .reduce((sum, [, places]) => sum + places, 0);
            const granted = ownCount + Math.max(0, Math.min(requested, most - ownCount - others));
            leaseCounts.set(node, granted);
            return [owner, granted];
          }),
        );
      },
      async release() {
        leaseCounts.delete(node);
      },
    });
    const node = (name: string) => {
      const limit = createConnectionLimit(most, { leases: leases(name), log });
      closing.push(() => limit.close());
      return limit;
    };
    return { leaseCounts, node };
  }

  test('grants an owner up to the limit on all nodes together', async () => {
    const { node } = sharedBy(4);
    const [one, two] = [node('one'), node('two')];
    const releases = (await Promise.all([takeAll(one, 50), takeAll(two, 50)])).flat();
    expect(releases).toHaveLength(4);
    for (const limit of [one, two]) await expect(limit.acquire('me')).rejects.toMatchObject(rateLimited);
  });

  test('releases closed connections and keeps open ones', async () => {
    const { leaseCounts, node } = sharedBy(4);
    const [one, two] = [node('one'), node('two')];
    const releases = await takeAll(one, 4);
    await expect(two.acquire('me')).rejects.toMatchObject(rateLimited);
    for (const free of releases.splice(0, 3)) free();
    await expect.poll(() => leaseCounts.get('one')).toBe(1);
    expect(await takeAll(two, 5)).toHaveLength(3);
    releases[0]?.();
    await expect.poll(() => leaseCounts.get('one')).toBe(0);
  });
});

describe('a connection limit with a database', () => {
  /** Creates leases that are always granted, until they break. */
  function breakable() {
    const state = { calls: 0, answer: async () => undefined as unknown };
    const leases: ConcurrencyLeases = {
      async renew(requests) {
        state.calls += 1;
        await state.answer();
        return new Map(requests.map(({ owner, held, requested }) => [owner, held + requested]));
      },
      release: async () => undefined,
    };
    return { state, leases };
  }

  test('requests leases once for concurrent connections and reuses those of closed ones', async () => {
    const { state, leases } = breakable();
    const limit = createConnectionLimit(10, { leases, log });
    const releases = await takeAll(limit, 10);
    expect(state.calls).toBe(1);
    for (const free of releases.splice(0, 5)) free();
    expect(await takeAll(limit, 10)).toHaveLength(5);
    expect(state.calls).toBe(1);
    await limit.close();
  });

  test('counts locally while the database fails, and returns to the database later', async () => {
    const { state, leases } = breakable();
    const limit = createConnectionLimit(3, { leases, log });
    state.answer = () => Promise.reject(new Error('gone'));
    expect(await takeAll(limit, 5)).toHaveLength(3);
    const { calls } = state;
    const [free] = await takeAll(limit, 1, 'you');
    expect(state.calls).toBe(calls);
    free?.();
    state.answer = async () => undefined;
    await expect.poll(() => state.calls).toBeGreaterThan(calls);
    expect(await takeAll(limit, 5, 'you')).toHaveLength(3);
    expect(state.calls).toBe(calls + 2);
    await limit.close();
  });

  test('counts locally when the database does not respond within the timeout', async () => {
    const { state, leases } = breakable();
    const silence = Promise.withResolvers<void>();
    state.answer = () => silence.promise;
    const limit = createConnectionLimit(3, { leases, log, timeout: 20 });
    expect(await takeAll(limit, 5)).toHaveLength(3);
    expect(state.calls).toBe(1);
    expect(await takeAll(limit, 5, 'you')).toHaveLength(3);
    silence.resolve();
    await limit.close();
  });
});
