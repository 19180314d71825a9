import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Actor, openAuditLog } from '../audit/audit-log.ts';
import type { KeyKind } from '../contract/key-kinds.ts';
import type { Plan, PlanName, Plans } from '../contract/subscription-plans.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { type Database, notify, type Sql } from '../database/database.ts';
import { isUuid } from '../database/is-uuid.ts';
import { type ApiKeyInfo, accountIdOf, type EndReason, endReasonOf, infoColumns } from './api-key.ts';
import { endKey, insertKey, type KeyChange, type NewKey, replaceKey, updateKey } from './change-key.ts';
import { type DisabledAccounts, openDisabledAccounts } from './disabled-accounts.ts';
import { findKey } from './find-key.ts';
import { createKeyCache } from './key-cache.ts';
import { createKeyHasher, generateKey, type KeySecrets } from './key-hasher.ts';
import type { SeedKey } from './settings.ts';

/** The account of a caller. */
export interface Account {
  /** Identifies the key without revealing it. Jobs store it as their owner. */
  readonly id: string;
  readonly plan: Plan;
  /** Whether its key is a test key: its requests go to the lab, a simulated internet, and are free of charge. */
  readonly test: boolean;
  /** Why its key no longer works; undefined while it works. */
  readonly endReason?: EndReason | undefined;
  /** Credits in a calendar month after which the operator is warned, if the operator has set them. */
  readonly spendWarning?: number | undefined;
  /**
   * The ID of the visitor, if the account serves many people. Each visitor has separate limits, and all links
   * in the responses, even those to images, are relay links.
   */
  readonly visitor?: string;
}

/** A new key. Its text is available only here. */
export interface IssuedKey {
  readonly key: string;
  readonly info: ApiKeyInfo;
}

/** The API keys. Every change is recorded in the audit log under the name of its actor. */
export interface Keys extends DisabledAccounts {
  /**
   * Returns the account of a key. The result is cached for a few seconds, but never after a change of the key. Its
   * expiry is exact.
   */
  find(kind: KeyKind, key: string): Promise<Account | undefined>;
  /** Returns an account by its ID, such as the owner of a job, with the same cache. */
  findAccount(id: string): Promise<Account | undefined>;
  create(key: NewKey, actor: Actor): Promise<IssuedKey>;
  /** Returns the keys, newest first, up to a limit. */
  list(): Promise<readonly ApiKeyInfo[]>;
  get(id: string): Promise<ApiKeyInfo | undefined>;
  /** Changes a key immediately on all nodes. Returns undefined if no active key has this ID. */
  update(id: string, change: KeyChange, actor: Actor): Promise<ApiKeyInfo | undefined>;
  /** Revokes a key immediately. Returns undefined if no key has this ID. */
  revoke(id: string, actor: Actor): Promise<ApiKeyInfo | undefined>;
  /**
   * Replaces a key. The account keeps its jobs and usage, and the old key works for `grace` seconds more. Returns
   * undefined if no active key has this ID.
   */
  rotate(id: string, grace: number, actor: Actor): Promise<IssuedKey | undefined>;
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

/** Opens the key table. */
export async function openKeys(database: Database, secrets: KeySecrets, plans: Plans, log: Logger): Promise<OpenKeys> {
  const hashesOf = createKeyHasher(secrets);
  const auditLog = openAuditLog(secrets.signing);
  const cache = createKeyCache<Account>();
  const disabledAccounts = await openDisabledAccounts(database, log);
  const stopListening = await database.listen(channel, () => {
    cache.clear();
    void disabledAccounts.refresh();
  });

  const toAccount = (key: ApiKeyInfo): Account => ({
    id: accountIdOf(key),
    plan: plans[key.plan],
    test: key.test,
    ...(key.spendWarning === null ? {} : { spendWarning: key.spendWarning }),
    // Computed at each use, because a cached key may expire.
    get endReason() {
      return endReasonOf(key, Date.now());
    },
  });

  async function create(sql: Sql, newKey: NewKey, actor: Actor): Promise<IssuedKey> {
    const key = generateKey(newKey.kind);
    const info = await insertKey(sql, newKey, hashesOf(newKey.kind, key), auditLog.by(actor));
    if (info === undefined) throw new Error('the database did not store the key');
    return { key, info };
  }

  async function seedKey(kind: KeyKind, plan: PlanName, key: string): Promise<void> {
    const record = auditLog.by({ name: 'settings' });
    const hashes = hashesOf(kind, key);
    const existing = await findKey(database, hashes, log, true);
    // Nodes that start concurrently seed the same keys.
    if (existing === undefined) await database.transaction((sql) => insertKey(sql, { kind, plan }, hashes, record));
    else if (existing.plan !== plan) await change(existing.id, (sql) => updateKey(sql, existing.id, { plan }, record));
  }

  /** Changes the key with an ID, and clears the cache of every node. Returns undefined for anything but an ID. */
  async function change<T>(id: string, work: (sql: Sql) => Promise<T>): Promise<T | undefined> {
    if (!isUuid(id)) return undefined;
    const result = await database.transaction(async (sql) => {
      const value = await work(sql);
      await notify(sql, channel, '');
      return value;
    });
    cache.clear();
    await disabledAccounts.refresh();
    return result;
  }

  const get = async (id: string): Promise<ApiKeyInfo | undefined> => {
    if (!isUuid(id)) return undefined;
    const [key] = await database.query<ApiKeyInfo>(`select ${infoColumns} from api_keys where id = $1`, [id]);
    return key;
  };

  return {
    find(kind, key) {
      // The cache uses a plain hash: an HMAC for each request takes four times as long.
      return cache.get(hash('sha256', `${kind}\0${key}`, 'base64'), async () => {
        const info = await findKey(database, hashesOf(kind, key), log);
        return info === undefined ? undefined : toAccount(info);
      });
    },
    findAccount: (id) =>
      cache.get(id, async () => {
        const key = await get(id.slice(id.indexOf(':') + 1));
        return key === undefined || accountIdOf(key) !== id ? undefined : toAccount(key);
      }),
    create: (newKey, actor) => database.transaction((sql) => create(sql, newKey, actor)),
    list: () =>
      database.query<ApiKeyInfo>(`select ${infoColumns} from api_keys order by created_at desc, id limit $1`, [
        MAX_LISTED_KEYS,
      ]),
    get,
    update: (id, keyChange, actor) => change(id, (sql) => updateKey(sql, id, keyChange, auditLog.by(actor))),
    revoke: (id, actor) => change(id, (sql) => endKey(sql, id, auditLog.by(actor))),
    rotate: (id, grace, actor) =>
      change(id, async (sql) => {
        let key = '';
        const hashesOfNewKey = (kind: KeyKind) => {
          key = generateKey(kind);
          return hashesOf(kind, key);
        };
        const info = await replaceKey(sql, id, hashesOfNewKey, grace, auditLog.by(actor));
        return info === undefined ? undefined : { key, info };
      }),
    async seed(extraction, render) {
      for (const { plan, key } of extraction) await seedKey('extraction', plan, key);
      for (const key of render) await seedKey('render', 'MEGA', key);
    },
    createFirst: (kind, plan) =>
      database.transaction(async (sql) => {
        await sql.query('select pg_advisory_xact_lock($1)', [advisoryLocks.keys]);
        const existing = await sql.query('select 1 from api_keys where kind = $1 limit 1', [kind]);
        return existing.length > 0 ? undefined : await create(sql, { kind, plan }, { name: 'first start' });
      }),
    isDisabled: disabledAccounts.isDisabled,
    async close() {
      await stopListening();
      await disabledAccounts.close();
    },
  };
}
