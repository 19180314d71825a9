import { hash, randomUUID } from 'node:crypto';
import type { Plan, PlanName, Plans } from '../contract/subscription-plans.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { type Database, notify, type Sql } from '../database/database.ts';
import { createKeyCache } from './key-cache.ts';
import { createKeyHasher, generateKey, type KeyKind } from './key-hasher.ts';
import type { SeedKey } from './settings.ts';

/** The account of a caller. */
export interface Account {
  /** Identifies the key without revealing it. Jobs store it as their owner. */
  readonly id: string;
  readonly plan: Plan;
  /** Whether its subscription has ended. */
  readonly ended: boolean;
  /**
   * The visitor, if the account serves many people. Each visitor has a separate relay connection limit, and all links
   * in the responses, even those to images, are relay links.
   */
  readonly visitor?: string;
}

/** A key as administrators see it. */
export interface ApiKeyInfo {
  readonly id: string;
  readonly kind: KeyKind;
  /** Name that the operator gave the key. */
  readonly name: string;
  readonly plan: PlanName;
  readonly createdAt: Date;
  /** Time at which it was revoked. */
  readonly endedAt: Date | null;
}

/** A new key. Its text is available only here. */
export interface IssuedKey {
  readonly key: string;
  readonly info: ApiKeyInfo;
}

/** The API keys. */
export interface Keys {
  /** Returns the account of a key. The result is cached for a few seconds, but never after the key was revoked. */
  find(kind: KeyKind, key: string): Promise<Account | undefined>;
  /** Returns an account by its ID, such as the owner of a job. */
  findAccount(id: string): Promise<Account | undefined>;
  create(kind: KeyKind, plan: PlanName, name?: string): Promise<IssuedKey>;
  /** Returns the keys, newest first, up to a limit. */
  list(): Promise<readonly ApiKeyInfo[]>;
  get(id: string): Promise<ApiKeyInfo | undefined>;
  /** Revokes a key immediately. Returns undefined if no key has this ID. */
  revoke(id: string): Promise<ApiKeyInfo | undefined>;
  /**
   * Replaces a key. The account keeps its jobs and usage, and the old key works for `grace` seconds more. Returns
   * undefined if no active key has this ID.
   */
  rotate(id: string, grace: number): Promise<IssuedKey | undefined>;
  /** Adds the operator's own keys. Existing ones get the plan given here. */
  seed(extraction: readonly SeedKey[], render: readonly string[]): Promise<void>;
  /**
   * Creates the first key of a kind, exactly once even if several nodes start concurrently. Returns undefined if one
   * exists.
   */
  createFirst(kind: KeyKind, plan: PlanName): Promise<IssuedKey | undefined>;
}

/** Keys that are kept up to date until closed. */
export interface OpenKeys extends Keys {
  close(): Promise<void>;
}

const MAX_LISTED_KEYS = 10_000;
const channel = 'api_keys';
const infoColumns = `id, kind, name, plan, created_at as "createdAt", ended_at as "endedAt"`;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the account ID of a key. */
export function accountIdOf({ kind, id }: Pick<ApiKeyInfo, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** Opens the key table. */
export async function openKeys(database: Database, secrets: readonly string[], plans: Plans): Promise<OpenKeys> {
  const hashesOf = createKeyHasher(secrets);
  const cache = createKeyCache<Account>();
  const stopListening = await database.listen(channel, () => cache.clear());

  const toAccount = (key: ApiKeyInfo): Account => ({
    id: accountIdOf(key),
    plan: plans[key.plan],
    ended: key.endedAt !== null,
  });

  async function create(sql: Sql, kind: KeyKind, plan: PlanName, name: string): Promise<IssuedKey> {
    const key = generateKey(kind);
    const [created] = await sql.query<ApiKeyInfo>(
      `insert into api_keys (id, kind, plan, name, hash) values ($1, $2, $3, $4, $5) returning ${infoColumns}`,
      [randomUUID(), kind, plan, name, hashesOf(kind, key)[0]],
    );
    if (created === undefined) throw new Error('the database did not store the key');
    return { key, info: created };
  }

  async function seedKey(kind: KeyKind, plan: PlanName, key: string): Promise<void> {
    const existing = await database.query(
      `update api_keys set plan = $1
       where hash = any($2) or id in (select key_id from retired_key_hashes where hash = any($2)) returning 1`,
      [plan, hashesOf(kind, key)],
    );
    if (existing.length > 0) return;
    // Nodes that start concurrently seed the same keys.
    await database.query(
      'insert into api_keys (id, kind, plan, hash) values ($1, $2, $3, $4) on conflict (hash) do nothing',
      [randomUUID(), kind, plan, hashesOf(kind, key)[0]],
    );
  }

  /** Changes a key, and clears the cache of every node. */
  async function change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await database.transaction(async (sql) => {
      const value = await work(sql);
      await notify(sql, channel, '');
      return value;
    });
    cache.clear();
    return result;
  }

  const get = async (id: string): Promise<ApiKeyInfo | undefined> => {
    if (!uuid.test(id)) return undefined;
    const [key] = await database.query<ApiKeyInfo>(`select ${infoColumns} from api_keys where id = $1`, [id]);
    return key;
  };

  return {
    find(kind, key) {
      // The cache uses a plain hash: an HMAC for each request takes four times as long.
      return cache.get(hash('sha256', `${kind}\0${key}`, 'base64'), async () => {
        const [row] = await database.query<ApiKeyInfo>(
          `select ${infoColumns} from api_keys where hash = any($1) or id in (
             select key_id from retired_key_hashes where hash = any($1) and works_until > now()
           )`,
          [hashesOf(kind, key)],
        );
        return row === undefined ? undefined : toAccount(row);
      });
    },
    async findAccount(id) {
      const key = await get(id.slice(id.indexOf(':') + 1));
      return key === undefined || accountIdOf(key) !== id ? undefined : toAccount(key);
    },
    create: (kind, plan, name = '') => create(database, kind, plan, name),
    list: () =>
      database.query<ApiKeyInfo>(`select ${infoColumns} from api_keys order by created_at desc, id limit $1`, [
        MAX_LISTED_KEYS,
      ]),
    get,
    async revoke(id) {
      if (!uuid.test(id)) return undefined;
      return change(async (sql) => {
        const [key] = await sql.query<ApiKeyInfo>(
          `update api_keys set ended_at = coalesce(ended_at, now()) where id = $1 returning ${infoColumns}`,
          [id],
        );
        return key;
      });
    },
    async rotate(id, grace) {
      if (!uuid.test(id)) return undefined;
      return change(async (sql) => {
        const [old] = await sql.query<ApiKeyInfo & { hash: string }>(
          `select ${infoColumns}, hash from api_keys where id = $1 and ended_at is null for update`,
          [id],
        );
        if (old === undefined) return undefined;
        const { hash, ...info } = old;
        const key = generateKey(info.kind);
        await sql.query(
          `insert into retired_key_hashes (hash, key_id, works_until)
           values ($1, $2, now() + $3::integer * interval '1 second')`,
          [hash, id, grace],
        );
        // Keys that were replaced earlier must not work for longer than the one replaced now.
        await sql.query(
          `update retired_key_hashes set works_until = least(works_until, now() + $2::integer * interval '1 second')
           where key_id = $1`,
          [id, grace],
        );
        await sql.query('update api_keys set hash = $2 where id = $1', [id, hashesOf(info.kind, key)[0]]);
        return { key, info };
      });
    },
    async seed(extraction, render) {
      for (const { plan, key } of extraction) await seedKey('extraction', plan, key);
      for (const key of render) await seedKey('render', 'MEGA', key);
    },
    createFirst: (kind, plan) =>
      database.transaction(async (sql) => {
        await sql.query('select pg_advisory_xact_lock($1)', [advisoryLocks.keys]);
        const existing = await sql.query('select 1 from api_keys where kind = $1 limit 1', [kind]);
        return existing.length > 0 ? undefined : await create(sql, kind, plan, '');
      }),
    close: stopListening,
  };
}
