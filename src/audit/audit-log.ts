import type { AuditAction, AuditEntry, Changes, MemberValue } from '../contract/admin-api/audit-entry.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import type { Database, Sql } from '../database/database.ts';
import {
  type AuditSealer,
  afterUnsealed,
  createAuditSealer,
  createChainChecker,
  hashOfEntry,
  readStartSeal,
} from './audit-chain.ts';
import { beginChain, readStart, writeStart } from './chain-start.ts';
import { type AuditQuery, listedEntry, readEntries } from './stored-entries.ts';
import { type AuditVerification, verifyChain } from './verify-chain.ts';

/** Who makes a change. */
export interface Actor {
  readonly name: string;
  /** ID of the request that makes the change. */
  readonly requestId?: string;
}

/** A change to record. It must contain no secrets. */
interface AuditedChange {
  readonly action: AuditAction;
  /** ID of the changed object. */
  readonly target: string;
  /** The changed members; see {@link changedMembers}. Default: none. */
  readonly changes?: Changes;
  readonly reason?: string | undefined;
}

/** A page of the audit log, newest first. */
interface AuditPage {
  readonly entries: AuditEntry[];
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Adds an entry about a change. Pass the transaction of the change, so that neither is stored without the other. */
export type RecordChange = (sql: Sql, change: AuditedChange) => Promise<void>;

/** The audit log of a service. */
export interface AuditLog {
  /** Returns the function that records the changes of an actor. */
  by(actor: Actor): RecordChange;
  /**
   * Begins the chain at the first start, with the entries of earlier versions, and returns how many there are. Later, it
   * seals the log with the first secret if that is new, so that the older one can be removed, and returns 0.
   */
  start(database: Database): Promise<number>;
  /**
   * Deletes the oldest entries, up to a limit, if they are older than a number of days. Returns how many it deleted.
   */
  deleteOld(database: Database, days: number, limit: number): Promise<number>;
  /**
   * Accepts, for an operator, that the chain began at a time, and records that. Returns false if it did not begin then.
   *
   * @param since As a verification states it.
   */
  accept(database: Database, since: string, actor: Actor): Promise<boolean>;
  /**
   * Checks the chain of all entries.
   *
   * @param anchor Hash of an entry that must exist.
   */
  verify(database: Database, anchor?: string): Promise<AuditVerification>;
}

/** Opens the audit log of a service with its signing secrets, newest first. */
export function openAuditLog(secrets: readonly string[]): AuditLog {
  const sealer = createAuditSealer(secrets);
  return {
    by: (actor) => (sql, change) => addEntry(sql, sealer, actor, change),
    start: (database) => database.transaction((sql) => startChain(sql, sealer)),
    deleteOld: (database, days, limit) => deleteOldEntries(database, sealer, days, limit),
    accept: (database, since, actor) => database.transaction((sql) => acceptStart(sql, sealer, since, actor)),
    verify: (database, anchor) => verifyChain(database, sealer, anchor),
  };
}

/** See {@link AuditLog.start}. A log with a hash but without its start was changed, and stays so. */
async function startChain(sql: Sql, sealer: AuditSealer): Promise<number> {
  await lockChain(sql);
  const start = await readStart(sql);
  const last = await readLast(sql);
  if (start === undefined && last === undefined) return beginChain(sql, sealer);
  const seal = start === undefined ? undefined : readStartSeal(sealer, start);
  if (start !== undefined && seal !== undefined && isOlder(seal.secret))
    await writeStart(sql, sealer, start, seal.isAccepted);
  if (last !== undefined && isOlder(sealer.secretOf('entry', last.hash, last.seal)))
    await addEntry(sql, sealer, { name: 'settings' }, { action: 'secret.rotate', target: 'signing_secret' });
  return 0;
}

/** See {@link AuditLog.accept}. */
async function acceptStart(sql: Sql, sealer: AuditSealer, since: string, actor: Actor): Promise<boolean> {
  await lockChain(sql);
  const start = await readStart(sql);
  const seal = start === undefined ? undefined : readStartSeal(sealer, start);
  if (start === undefined || seal === undefined || start.since !== since) return false;
  if (seal.isAccepted) return true;
  await writeStart(sql, sealer, start, true);
  await addEntry(sql, sealer, actor, { action: 'audit.accept', target: since });
  return true;
}

/** An entry with a hash. */
interface Chained {
  readonly hash: string;
  readonly seal: string | null;
}

async function readLast(sql: Sql): Promise<Chained | undefined> {
  const [last] = await sql.query<Chained>(
    'select hash, seal from audit_log where hash is not null order by audit_log.id desc limit 1',
  );
  return last;
}

/** Returns whether a secret is known and not the first. */
function isOlder(secret: number | undefined): boolean {
  return secret !== undefined && secret > 0;
}

/** Waits until no other transaction adds or deletes entries. Statements after this one see what the others committed. */
async function lockChain(sql: Sql): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [advisoryLocks.audit]);
}

async function addEntry(sql: Sql, sealer: AuditSealer, actor: Actor, change: AuditedChange) {
  const { name, requestId = null } = actor;
  const { action, target, changes = {}, reason = null } = change;
  await lockChain(sql);
  const [clock] = await sql.query<{ at: Date }>('select now() as at');
  if (clock === undefined) throw new Error('the database did not return its time');
  // Milliseconds, as they are listed.
  const at = clock.at.toISOString();
  const previous = await hashToContinue(sql, sealer);
  const hash = hashOfEntry(previous, { at, actor: name, action, target, changes, reason, requestId });
  await sql.query(
    `insert into audit_log (at, actor, action, target, changes, reason, request_id, hash, seal)
     values ($1::text::timestamptz, $2, $3, $4, $5::text::jsonb, $6, $7, $8, $9)`,
    [at, name, action, target, JSON.stringify(changes), reason, requestId, hash, sealer.seal('entry', hash)],
  );
}

async function hashToContinue(sql: Sql, sealer: AuditSealer): Promise<string> {
  const last = await readLast(sql);
  if (last === undefined) return (await readStart(sql))?.hash ?? '';
  return sealer.secretOf('entry', last.hash, last.seal) === undefined ? afterUnsealed(last.hash) : last.hash;
}

/** Returns the members whose values differ, each with both values. Absent members count as null. */
export function changedMembers(
  before: Readonly<Record<string, MemberValue>>,
  after: Readonly<Record<string, MemberValue>>,
): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = { before: before[name] ?? null, after: after[name] ?? null };
      return change.before === change.after ? [] : [[name, change]];
    }),
  );
}

/** Returns the entries that match all given members of a query. */
export async function listAuditEntries(sql: Sql, query: AuditQuery, limit: number): Promise<AuditPage> {
  const found = await readEntries(sql, query, limit + 1);
  const entries = found.slice(0, limit).map(listedEntry);
  return { entries, nextCursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/**
 * Deletes the oldest entries, without gaps: the first entry that is not old enough ends it. The start of the chain moves
 * on only if the deleted part is unaltered, so that retention hides no fault.
 */
async function deleteOldEntries(database: Database, sealer: AuditSealer, days: number, limit: number): Promise<number> {
  const old = `at <= now() - $1::integer * interval '1 day'`;
  const [first] = await database.query(`select 1 from audit_log where ${old} order by at limit 1`, [days]);
  if (first === undefined) return 0;
  return database.transaction(async (sql) => {
    await lockChain(sql);
    const ids = await sql.query<{ id: string; after: string }>(
      `select id::text, (id + 1)::text as after from audit_log
       where id < coalesce((select min(id) from audit_log where not (${old})), id + 1)
       order by audit_log.id limit $2`,
      [days, limit],
    );
    const cursor = ids.at(-1)?.after;
    if (cursor === undefined) return 0;
    const start = await readStart(sql);
    const checker = createChainChecker(sealer, start);
    for (const entry of await readEntries(sql, { cursor }, ids.length)) checker.add(entry);
    const { faults, head } = checker.end();
    const isUnaltered = faults.every(({ kind }) => !['altered', 'wrong_start', 'missing'].includes(kind));
    if (start !== undefined && head !== null && isUnaltered) {
      const isAccepted = readStartSeal(sealer, start)?.isAccepted === true;
      await writeStart(sql, sealer, { ...start, hash: head }, isAccepted);
    }
    // The trigger of the table refuses all other deletions.
    await sql.query(`select set_config('millrace.audit_retention', 'on', true)`);
    await sql.query('delete from audit_log where id = any($1::text[]::bigint[])', [ids.map(({ id }) => id)]);
    return ids.length;
  });
}
