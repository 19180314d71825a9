import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import type { SeedKey } from '../config.ts';
import { type Plan, type PlanName, plans } from '../contract/plans.ts';
import type { Sql } from '../database/database.ts';

/** What a key opens: the extraction API, or the direct job API. */
export type KeyKind = 'extraction' | 'render';

/** Who a caller is. */
export interface Account {
  /** Names the key without telling it; owns jobs. */
  readonly id: string;
  readonly plan: Plan;
  /** Whether its subscription ended. */
  readonly ended: boolean;
}

/** The keys of callers. */
export interface Keys {
  find(kind: KeyKind, key: string): Promise<Account | undefined>;
  /** Makes a key. It is told this once and never again. */
  create(kind: KeyKind, plan: PlanName): Promise<string>;
  /** Takes in keys that the operator brings along; known ones get the plan they stand with. */
  seed(extraction: readonly SeedKey[], render: readonly string[]): Promise<void>;
  /** Whether there is any key of the kind. */
  exist(kind: KeyKind): Promise<boolean>;
}

interface KeyRow {
  id: string;
  plan: PlanName;
  ended_at: Date | null;
}

/** Opens the key table. Keys are found by their HMAC under any of the secrets, so that secrets can be replaced. */
export function openKeys(sql: Sql, secrets: readonly string[]): Keys {
  const hmacKeys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'millrace', 'api-key', 32)));
  const hashesOf = (kind: KeyKind, key: string) =>
    hmacKeys.map((hmacKey) => createHmac('sha256', hmacKey).update(`${kind}\0${key}`).digest('hex'));

  async function add(kind: KeyKind, plan: PlanName, key: string): Promise<void> {
    const hashes = hashesOf(kind, key);
    const known = await sql.query('update api_keys set plan = $1 where hash = any($2) returning id', [plan, hashes]);
    if (known.length > 0) return;
    await sql.query('insert into api_keys (id, kind, plan, hash) values ($1, $2, $3, $4)', [
      randomUUID(),
      kind,
      plan,
      hashes[0],
    ]);
  }

  return {
    async find(kind, key) {
      const [row] = await sql.query<KeyRow>(
        'select id, plan, ended_at from api_keys where kind = $1 and hash = any($2)',
        [kind, hashesOf(kind, key)],
      );
      if (row === undefined) return undefined;
      return { id: `${kind}:${row.id}`, plan: plans[row.plan], ended: row.ended_at !== null };
    },
    async create(kind, plan) {
      const key = `mr_${kind === 'render' ? 'r' : 'x'}_${randomBytes(24).toString('base64url')}`;
      await add(kind, plan, key);
      return key;
    },
    async seed(extraction, render) {
      for (const { plan, key } of extraction) await add('extraction', plan, key);
      for (const key of render) await add('render', 'MEGA', key);
    },
    async exist(kind) {
      const found = await sql.query('select 1 from api_keys where kind = $1 limit 1', [kind]);
      return found.length > 0;
    },
  };
}
