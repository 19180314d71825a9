import { hash, randomUUID } from 'node:crypto';
import type { Plan, PlanName, Plans } from '../contract/plans.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { type Database, notify, type Sql } from '../database/database.ts';
import { createKeyCache } from './key-cache.ts';
import { createKeyHashes, type KeyKind, newKey } from './key-hashes.ts';
import type { SeedKey } from './settings.ts';

/** Who a caller is. */
export interface Account {
  /** Names the key without telling it; owns jobs. */
  readonly id: string;
  readonly plan: Plan;
  /** Whether its subscription ended. */
  readonly ended: boolean;
  /**
   * Which of many people it speaks for, where it does for many: each has relay connections of their own, and all links
   * of their answers, those of pictures too, are the relay's.
   */
  readonly visitor?: string;
}

/** What there is to tell of a key. */
export interface KeyFacts {
  readonly id: string;
  readonly kind: KeyKind;
  /** What the operator calls it. */
  readonly name: string;
  readonly plan: PlanName;
  readonly createdAt: Date;
  /** When it was revoked. */
  readonly endedAt: Date | null;
}

/** A key that was just made. It is told this once and never again. */
export interface IssuedKey {
  readonly key: string;
  readonly facts: KeyFacts;
}

/** The keys of callers. */
export interface Keys {
  /** Whose key it is; known for seconds without asking the database, but never after it was revoked. */
  find(kind: KeyKind, key: string): Promise<Account | undefined>;
  /** The account of an id, as jobs name their owner. */
  account(id: string): Promise<Account | undefined>;
  create(kind: KeyKind, plan: PlanName, name?: string): Promise<IssuedKey>;
  /** The newest first, as many as a list may hold. */
  list(): Promise<readonly KeyFacts[]>;
  get(id: string): Promise<KeyFacts | undefined>;
  /** Ends a key at once. Undefined where there is none with this id. */
  revoke(id: string): Promise<KeyFacts | undefined>;
  /**
   * Replaces a key: the account stays, with its jobs and what it has used. The old one works for so many seconds more.
   * Undefined where no key with this id works.
   */
  rotate(id: string, grace: number): Promise<IssuedKey | undefined>;
  /** Takes in keys that the operator brings along; known ones get the plan they stand with. */
  seed(extraction: readonly SeedKey[], render: readonly string[]): Promise<void>;
  /** Makes a key where there is none of its kind: one, however many nodes start together. */
  makeFirst(kind: KeyKind, plan: PlanName): Promise<IssuedKey | undefined>;
}

/** Keys, for as long as they are listened for. */
export interface OpenKeys extends Keys {
  close(): Promise<void>;
}

const MOST_LISTED = 10_000;
const channel = 'api_keys';
const facts = `id, kind, name, plan, created_at as "createdAt", ended_at as "endedAt"`;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The account that a key stands for. */
export function accountIdOf({ kind, id }: Pick<KeyFacts, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** Opens the key table. */
export async function openKeys(database: Database, secrets: readonly string[], plans: Plans): Promise<OpenKeys> {
  const hashesOf = createKeyHashes(secrets);
  const cache = createKeyCache<Account>();
  const stopListening = await database.listen(channel, () => cache.clear());

  const toAccount = (key: KeyFacts): Account => ({
    id: accountIdOf(key),
    plan: plans[key.plan],
    ended: key.endedAt !== null,
  });

  async function make(sql: Sql, kind: KeyKind, plan: PlanName, name: string): Promise<IssuedKey> {
    const key = newKey(kind);
    const [made] = await sql.query<KeyFacts>(
      `insert into api_keys (id, kind, plan, name, hash) values ($1, $2, $3, $4, $5) returning ${facts}`,
      [randomUUID(), kind, plan, name, hashesOf(kind, key)[0]],
    );
    if (made === undefined) throw new Error('the database kept no key');
    return { key, facts: made };
  }

  async function plant(kind: KeyKind, plan: PlanName, key: string): Promise<void> {
    const known = await database.query(
      `update api_keys set plan = $1
       where hash = any($2) or id in (select key_id from retired_key_hashes where hash = any($2)) returning 1`,
      [plan, hashesOf(kind, key)],
    );
    if (known.length > 0) return;
    // Nodes that start together plant the same keys.
    await database.query(
      'insert into api_keys (id, kind, plan, hash) values ($1, $2, $3, $4) on conflict (hash) do nothing',
      [randomUUID(), kind, plan, hashesOf(kind, key)[0]],
    );
  }

  /** Changes a key, and has every node forget what it knew. */
  async function change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await database.transaction(async (sql) => {
      const changed = await work(sql);
      await notify(sql, channel, '');
      return changed;
    });
    cache.clear();
    return result;
  }

  const get = async (id: string): Promise<KeyFacts | undefined> => {
    if (!uuid.test(id)) return undefined;
    const [key] = await database.query<KeyFacts>(`select ${facts} from api_keys where id = $1`, [id]);
    return key;
  };

  return {
    find(kind, key) {
      // A plain hash names it in memory: an HMAC for each request takes four times as long.
      return cache.get(hash('sha256', `${kind}\0${key}`, 'base64'), async () => {
        const [found] = await database.query<KeyFacts>(
          `select ${facts} from api_keys where hash = any($1) or id in (
             select key_id from retired_key_hashes where hash = any($1) and works_until > now()
           )`,
          [hashesOf(kind, key)],
        );
        return found === undefined ? undefined : toAccount(found);
      });
    },
    async account(id) {
      const key = await get(id.slice(id.indexOf(':') + 1));
      return key === undefined || accountIdOf(key) !== id ? undefined : toAccount(key);
    },
    create: (kind, plan, name = '') => make(database, kind, plan, name),
    list: () =>
      database.query<KeyFacts>(`select ${facts} from api_keys order by created_at desc, id limit $1`, [MOST_LISTED]),
    get,
    async revoke(id) {
      if (!uuid.test(id)) return undefined;
      return change(async (sql) => {
        const [key] = await sql.query<KeyFacts>(
          `update api_keys set ended_at = coalesce(ended_at, now()) where id = $1 returning ${facts}`,
          [id],
        );
        return key;
      });
    },
    async rotate(id, grace) {
      if (!uuid.test(id)) return undefined;
      return change(async (sql) => {
        const [old] = await sql.query<KeyFacts & { hash: string }>(
          `select ${facts}, hash from api_keys where id = $1 and ended_at is null for update`,
          [id],
        );
        if (old === undefined) return undefined;
        const { hash, ...rest } = old;
        const key = newKey(rest.kind);
        await sql.query(
          `insert into retired_key_hashes (hash, key_id, works_until)
           values ($1, $2, now() + $3::integer * interval '1 second')`,
          [hash, id, grace],
        );
        // Those that were replaced before end no later.
        await sql.query(
          `update retired_key_hashes set works_until = least(works_until, now() + $2::integer * interval '1 second')
           where key_id = $1`,
          [id, grace],
        );
        await sql.query('update api_keys set hash = $2 where id = $1', [id, hashesOf(rest.kind, key)[0]]);
        return { key, facts: rest };
      });
    },
    async seed(extraction, render) {
      for (const { plan, key } of extraction) await plant('extraction', plan, key);
      for (const key of render) await plant('render', 'MEGA', key);
    },
    makeFirst: (kind, plan) =>
      database.transaction(async (sql) => {
        await sql.query('select pg_advisory_xact_lock($1)', [advisoryLocks.keys]);
        const found = await sql.query('select 1 from api_keys where kind = $1 limit 1', [kind]);
        return found.length > 0 ? undefined : await make(sql, kind, plan, '');
      }),
    close: stopListening,
  };
}
