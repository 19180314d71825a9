import type { ReceiptKey } from '../contract/receipt.ts';
import type { Sql } from '../database/database.ts';
import { type ReceiptSigner, receiptKeyOf } from './receipt-signer.ts';

/** Maximum number of published keys, so that the response stays small: one rotation a week for 19 years. */
const MAX_KEYS = 1_000;

/** The public keys of a service, with those of secrets that were removed since. */
export interface KeyHistory {
  /** Records that the service uses the signing key now. */
  recordUse(): Promise<void>;
  /** Returns all keys, the signing one first. */
  read(): Promise<readonly ReceiptKey[]>;
}

/** Opens the history in a database. The keys of all present secrets belong to it, even if none has signed yet. */
export function openKeyHistory(sql: Sql, signer: ReceiptSigner): KeyHistory {
  return {
    async recordUse() {
      await sql.query(
        `insert into receipt_keys (key_id, public_key) values ($1, $2)
         on conflict (key_id) do update set last_used_at = now()`,
        [signer.key.kid, signer.key.x],
      );
    },
    async read() {
      const rows = await sql.query<KeyRow>(
        `select public_key, first_used_at, last_used_at from receipt_keys order by last_used_at desc limit ${MAX_KEYS}`,
      );
      const usedKeys = rows.map(usedKeyOf);
      const unused = signer.keys.filter(({ x }) => !usedKeys.some((key) => key.x === x));
      const all = [...unused, ...usedKeys];
      return [...all.filter(({ x }) => x === signer.key.x), ...all.filter(({ x }) => x !== signer.key.x)];
    },
  };
}

/** Returns the keys of a service without a database: those of its secrets. */
export function inMemoryKeyHistory(signer: ReceiptSigner): KeyHistory {
  return { recordUse: async () => undefined, read: async () => signer.keys };
}

interface KeyRow {
  readonly public_key: string;
  readonly first_used_at: Date;
  readonly last_used_at: Date;
}

function usedKeyOf({ public_key: x, first_used_at: first, last_used_at: last }: KeyRow): ReceiptKey {
  return { ...receiptKeyOf(x), firstUsedAt: first.toISOString(), lastUsedAt: last.toISOString() };
}
