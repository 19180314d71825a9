import { expect, test } from 'vitest';
import { visitorIdOf } from '../../accounts/visitor.ts';
import type { Database } from '../../database/database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { jobWithId } from '../testing/job-store-implementations.ts';
import { openJobs } from './jobs.ts';

/** Creates jobs whose transactions wait until a test ends them, one after the other. */
function slowJobs() {
  const open: (() => void)[] = [];
  const database = {
    transaction: () => new Promise<undefined>((resolve) => open.push(() => resolve(undefined))),
  } as unknown as Database;
  return { jobs: openJobs(database, createSealer(['a secret for these tests']), 100), open };
}

const job = jobWithId('job');
const limits = { atOnce: 1, perDay: 1, storedSize: 1e9 };
type Call = (slow: ReturnType<typeof slowJobs>, owner: string, visitor?: string) => Promise<unknown>;

const inTurn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ['starting', ({ jobs }, owner, id) => jobs.start(job, owner, id === undefined ? {} : { visitor: { id, limits } })],
  ['attaching', ({ jobs }, owner, visitor) => jobs.attach('job', owner, visitor)],
  ['cancelling', ({ jobs }, owner, visitor) => jobs.cancel('job', owner, visitor)],
] satisfies [string, Call][])(
  'the database has a few transactions of one owner at once, and those of others do not wait: %s',
  async (_what, call: Call) => {
    const slow = slowJobs();
    const { open } = slow;
    const wide = ['2001:db8:1::/56', '2001:db8:1::/48'];
    const visitor = (subnet: number) => visitorIdOf([`${subnet}`, ...wide], 'secret');
    const calls = [
      ...Array.from({ length: 100 }, () => call(slow, 'busy')),
      ...Array.from({ length: 100 }, (_, subnet) => call(slow, 'page', visitor(subnet))),
    ];
    await inTurn();
    expect(open).toHaveLength(8);
    calls.push(call(slow, 'other'));
    await inTurn();
    expect(open).toHaveLength(9);
    for (let ended = 0; ended < calls.length; ended += 1) {
      open.shift()?.();
      await inTurn();
      expect(open.length).toBeLessThanOrEqual(9);
    }
    await Promise.all(calls);
  },
);
