import { randomUUID } from 'node:crypto';
import { changedMembers, type RecordChange } from '../audit/audit-log.ts';
import type { MemberValue } from '../contract/admin-api/audit-entry.ts';
import type { KeyKind } from '../contract/key-kinds.ts';
import type { PlanName } from '../contract/subscription-plans.ts';
import type { Sql } from '../database/database.ts';
import { type ApiKeyInfo, infoColumns } from './api-key.ts';
import type { KeyHashes } from './key-hasher.ts';

/** A key to store. */
export interface NewKey {
  readonly kind: KeyKind;
  readonly plan: PlanName;
  /** Whether it is a test key. Default: false. */
  readonly test?: boolean | undefined;
  readonly name?: string | undefined;
  readonly expiresAt?: Date | undefined;
  /** Credits in a calendar month. */
  readonly spendWarning?: number | undefined;
}

/** Changes of a key. Absent members are left unchanged. */
export interface KeyChange {
  readonly plan?: PlanName;
  readonly name?: string;
  readonly expiresAt?: Date | null;
  /** Credits in a calendar month. */
  readonly spendWarning?: number | null;
  readonly disabled?: boolean;
  /** Why the operator makes the change. */
  readonly reason?: string;
}

/** Stores a key. Returns undefined if the key exists, because another node has stored it. */
export async function insertKey(
  sql: Sql,
  { kind, plan, test = false, name = '', expiresAt, spendWarning }: NewKey,
  { own, signing }: KeyHashes,
  record: RecordChange,
): Promise<ApiKeyInfo | undefined> {
  const [info] = await sql.query<ApiKeyInfo>(
    `insert into api_keys (id, kind, plan, name, hash, key_hash, expires_at, spend_warning, test)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning ${infoColumns}`,
    [randomUUID(), kind, plan, name, signing[0], own[0], expiresAt ?? null, spendWarning ?? null, test],
  );
  if (info === undefined) return undefined;
  const changes = changedMembers(
    {},
    {
      ...{ kind, plan, name },
      ...(test ? { test } : {}),
      ...{ expiresAt: expiresAt?.toISOString() ?? null, spendWarning: spendWarning ?? null },
    },
  );
  await record(sql, { action: 'key.create', target: info.id, changes });
  return info;
}

/** Changes a key. Returns undefined if no active key has this ID. Repeating a change has no effect. */
export async function updateKey(
  sql: Sql,
  id: string,
  { disabled, reason, ...change }: KeyChange,
  record: RecordChange,
): Promise<ApiKeyInfo | undefined> {
  const old = await lockKey(sql, id);
  if (old === undefined) return undefined;
  const { plan, name, expiresAt, spendWarning } = { ...old, ...change };
  const wasDisabled = old.disabledAt !== null;
  const isDisabled = disabled ?? wasDisabled;
  const changes = changedMembers(auditedMembers(old, wasDisabled), auditedMembers({ ...old, ...change }, isDisabled));
  if (Object.keys(changes).length === 0) return old;
  const [updated] = await sql.query<ApiKeyInfo>(
    `update api_keys set plan = $2, name = $3, expires_at = $4::timestamptz, spend_warning = $5::integer,
       spend_warned_month = case when spend_warning is not distinct from $5::integer then spend_warned_month end,
       disabled_at = case when $6 then coalesce(disabled_at, now()) end,
       disabled_reason = case when not $6 then null when disabled_at is null then $7 else disabled_reason end
     where id = $1 returning ${infoColumns}`,
    [id, plan, name, expiresAt, spendWarning, isDisabled, reason ?? null],
  );
  const switched = isDisabled ? 'key.disable' : 'key.enable';
  await record(sql, {
    action: isDisabled === wasDisabled ? 'key.update' : switched,
    target: id,
    changes,
    reason,
  });
  return updated;
}

/** Revokes a key. Returns undefined if no key has this ID. */
export async function endKey(sql: Sql, id: string, record: RecordChange): Promise<ApiKeyInfo | undefined> {
  if ((await lockKey(sql, id)) !== undefined) await record(sql, { action: 'key.revoke', target: id });
  const [key] = await sql.query<ApiKeyInfo>(
    `update api_keys set ended_at = coalesce(ended_at, now()) where id = $1 returning ${infoColumns}`,
    [id],
  );
  return key;
}

/**
 * Replaces a key. Returns undefined if no active key has this ID.
 *
 * @param hashesOf Returns the hashes of the new key.
 * @param grace Seconds for which the old key still works.
 */
export async function replaceKey(
  sql: Sql,
  id: string,
  hashesOf: (kind: KeyKind) => KeyHashes,
  grace: number,
  record: RecordChange,
): Promise<ApiKeyInfo | undefined> {
  const old = await lockKey(sql, id);
  if (old === undefined) return undefined;
  await sql.query(
    `insert into retired_key_hashes (hash, key_hash, key_id, works_until)
     select hash, key_hash, id, now() + $2::integer * interval '1 second' from api_keys where id = $1`,
    [id, grace],
  );
  // Keys that were replaced earlier must not work for longer than the one replaced now.
  await sql.query(
    `update retired_key_hashes set works_until = least(works_until, now() + $2::integer * interval '1 second')
     where key_id = $1`,
    [id, grace],
  );
  const { own, signing } = hashesOf(old.kind);
  const [replaced] = await sql.query<ApiKeyInfo>(
    `update api_keys set hash = $2, key_hash = $3 where id = $1 returning ${infoColumns}`,
    [id, signing[0], own[0]],
  );
  await record(sql, {
    action: 'key.rotate',
    target: id,
    changes: changedMembers({}, { graceSeconds: grace }),
  });
  return replaced;
}

/** Returns an active key, which no one else changes until the end of the transaction. */
async function lockKey(sql: Sql, id: string): Promise<ApiKeyInfo | undefined> {
  const [key] = await sql.query<ApiKeyInfo>(
    `select ${infoColumns} from api_keys where id = $1 and ended_at is null for update`,
    [id],
  );
  return key;
}

function auditedMembers(
  { plan, name, expiresAt, spendWarning }: Pick<ApiKeyInfo, 'plan' | 'name' | 'expiresAt' | 'spendWarning'>,
  disabled: boolean,
): Record<string, MemberValue> {
  return { plan, name, expiresAt: expiresAt?.toISOString() ?? null, spendWarning, disabled };
}
