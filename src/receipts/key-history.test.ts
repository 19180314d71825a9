import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { inMemoryKeyHistory, openKeyHistory } from './key-history.ts';
import { createReceiptSigner } from './receipt-signer.ts';
import { exampleStatement } from './testing/example-statement.ts';
import { verifyReceipt } from './verify-receipt.ts';

const oldSecret = 'the old secret of these tests';
const newSecret = 'the new secret of these tests';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('keys of removed secrets stay published, with the times of their use', async () => {
  const old = createReceiptSigner([oldSecret]);
  await openKeyHistory(database, old).recordUse();
  const both = createReceiptSigner([newSecret, oldSecret]);
  const rotating = openKeyHistory(database, both);
  // Before the new key has signed, it is already published.
  expect((await rotating.read()).map(({ kid }) => kid)).toEqual([both.key.kid, old.key.kid]);
  await rotating.recordUse();
  const keys = await openKeyHistory(database, createReceiptSigner([newSecret])).read();
  expect(keys.map(({ x }) => x)).toEqual([both.key.x, old.key.x]);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(keys[1]).toEqual({ ...old.key, firstUsedAt: time, lastUsedAt: time });
});

test('recording the use of a key again keeps the time of its first use', async () => {
  const history = openKeyHistory(database, createReceiptSigner([newSecret]));
  await database.query(`update receipt_keys set first_used_at = '2020-01-01', last_used_at = '2020-01-02'`);
  await history.recordUse();
  const [key] = await history.read();
  expect(key?.firstUsedAt).toBe('2020-01-01T00:00:00.000Z');
  expect(key?.lastUsedAt).not.toBe('2020-01-02T00:00:00.000Z');
});

test('a key whose row and secret are removed is no longer published, and its receipts are no longer verifiable', async () => {
  const leaked = createReceiptSigner(['a leaked secret of these tests']);
  const signer = createReceiptSigner([newSecret]);
  await openKeyHistory(database, leaked).recordUse();
  const history = openKeyHistory(database, signer);
  const receipt = leaked.sign(exampleStatement({ bytes: 1, sha256: 'a'.repeat(64) }));
  expect(verifyReceipt(receipt, await history.read()).keyId).toBe(leaked.key.kid);
  await database.query('delete from receipt_keys where key_id = $1', [leaked.key.kid]);
  const keys = await history.read();
  expect(() => verifyReceipt(receipt, keys)).toThrow('which is not among the trusted keys');
  expect(() => verifyReceipt(signer.sign(exampleStatement({ bytes: 1, sha256: 'a'.repeat(64) })), keys)).not.toThrow();
});

test('a process without a database publishes the keys of its secrets', async () => {
  const signer = createReceiptSigner([newSecret]);
  const history = inMemoryKeyHistory(signer);
  await history.recordUse();
  expect(await history.read()).toEqual([signer.key]);
});
