import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runStatement, StatementTimeoutError } from './run-statement.ts';

const server = process.env.TEST_DATABASE_URL;
const limit = 10_000;

/** Runs a collection of the young generation only. */
function collectYoung(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'minor' });
}

describe.skipIf(server === undefined)('runStatement', () => {
  const client = new pg.Client({ connectionString: server });
  beforeAll(async () => {
    await client.connect();
  });
  afterAll(() => client.end());

  test('returns rows, but none for several statements', async () => {
    expect(await runStatement(client, { text: 'select $1::int as one', parameters: [1], limit })).toEqual([{ one: 1 }]);
    expect(await runStatement(client, { text: 'select 1; select 2', parameters: [], limit })).toEqual([]);
  });

  test('fails for an invalid statement and for one that cannot be sent', async () => {
    await expect(runStatement(client, { text: 'select', parameters: [1], limit })).rejects.toBeInstanceOf(
      pg.DatabaseError,
    );
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(runStatement(client, { text: 'select $1::json', parameters: [circular], limit })).rejects.toThrow(
      /circular/,
    );
  });

  test('fails with a timeout if the server does not respond', async () => {
    const slow = runStatement(client, { text: 'select pg_sleep(0.2)', parameters: [], limit: 50 });
    await expect(slow).rejects.toBeInstanceOf(StatementTimeoutError);
    expect(await runStatement(client, { text: 'select 3 as three', parameters: [], limit })).toEqual([{ three: 3 }]);
  });

  test('returns a result that a collection of the young generation can free', async () => {
    async function areFreed(): Promise<boolean> {
      const results: WeakRef<unknown[]>[] = [];
      for (let count = 0; count < 5; count += 1) {
        results.push(new WeakRef(await runStatement(client, { text: 'select 1 as one', parameters: [], limit })));
      }
      // A new weak reference counts as strong until the next turn of the event loop.
      await new Promise(setImmediate);
      for (let count = 0; count < 3; count += 1) collectYoung();
      return results.every((result) => result.deref() === undefined);
    }
    // A collection that happens to run during the statements moves their results to the old generation.
    await expect.poll(areFreed).toBe(true);
  });
});
