import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openStoredQuota, StoredSizeExceeded } from './stored-quota.ts';

const call = { log: pino({ level: 'silent' }) };
const claimOf = (run: string, owner = 'me', storedQuota = 100) => ({ run, owner, visitor: false, storedQuota });

/** Opens a quota whose tenants store these bytes on a disk with so much space left. */
function open(stored: Record<string, number>, free?: number) {
  const sizes = async (tenant: string) => ({
    own: stored[tenant] ?? 0,
    all: Object.values(stored).reduce((sum, bytes) => sum + bytes, 0),
  });
  return openStoredQuota({ sizes, disk: async () => (free === undefined ? undefined : { free, reserve: 10 }) });
}

test('a file is refused if its owner has reached the quota, and not the fault of the service', async () => {
  const stored = { me: 90 };
  const quota = open(stored);
  await quota.reserve(claimOf('one'), 11, call);
  quota.release('one');
  stored.me = 101;
  const refused = quota.reserve(claimOf('two'), 11, call);
  await expect(refused).rejects.toThrow(StoredSizeExceeded);
  await expect(refused).rejects.toMatchObject({ code: 'storage_failed', retryable: true });
  await expect(refused).rejects.toThrow(
    'There is no space for the file of 11.00 B: your key stores 101.00 B of finished files and may store 100.00 B. ' +
      'Delete files that you no longer need, and start the same job again.',
  );
  await quota.reserve({ run: 'three', owner: 'other', visitor: false }, 1_000, call);
});

test('files of other visitors count for a visitor of the page', async () => {
  const quota = open({ '': 99, page: 1_000 });
  await quota.reserve({ ...claimOf('one', 'page'), visitor: true }, 10, call);
  await expect(quota.reserve({ ...claimOf('two', 'page'), visitor: true }, 1, call)).rejects.toThrow(
    'the visitors of this service',
  );
});

test('concurrent files count for their owner until they are stored or given up', async () => {
  const stored: Record<string, number> = { me: 50 };
  const quota = open(stored);
  await quota.reserve(claimOf('one'), 50, call);
  await quota.reserve(claimOf('other', 'other'), 90, call);
  await expect(quota.reserve(claimOf('two'), 30, call)).rejects.toThrow(StoredSizeExceeded);
  quota.release('one');
  await quota.reserve(claimOf('two'), 30, call);
});

test('a file that is stored while another is measured is neither missed nor counted twice', async () => {
  const stored = { me: 0 };
  const reads: (() => void)[] = [];
  const quota = openStoredQuota({
    disk: async () => undefined,
    sizes: async () => {
      const sizes = { own: stored.me, all: stored.me };
      await new Promise<void>((resolve) => reads.push(resolve));
      return sizes;
    },
  });
  const proceed = async () => {
    while (reads.length === 0) await Promise.resolve();
    reads.shift()?.();
  };
  const first = quota.reserve(claimOf('one'), 100, call);
  await proceed();
  await first;
  const second = quota.reserve(claimOf('two'), 60, call);
  while (reads.length === 0) await Promise.resolve();
  stored.me = 100;
  quota.release('one');
  await proceed();
  await proceed();
  await expect(second).rejects.toThrow('stores 100.00 B');
  stored.me = 99;
  const third = quota.reserve(claimOf('three'), 40, call);
  await proceed();
  await third;
});

test('the files of an owner take at most half of the space for files, counting those that are about to be stored', async () => {
  const quota = open({ me: 200, other: 100 }, 105);
  const mine = { run: 'one', owner: 'me', visitor: false };
  await expect(quota.reserve(mine, 10, call)).rejects.toThrow('may store 202.00 B');
  await quota.reserve({ run: 'theirs', owner: 'other', visitor: false }, 20, call);
  await quota.reserve(mine, 10, call);
});
