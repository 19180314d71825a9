import { networksOfVisitor } from '../../accounts/visitor.ts';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Sql } from '../../database/database.ts';
import { tierLimit } from '../../http/connections/client-network.ts';
import type { CountedAs } from './start-rules.ts';
import {
  checkVisitorLimits,
  countedMs,
  limitsOfTier,
  maxFreeRestarts,
  type Visitor,
  type VisitorLoad,
} from './visitor-limits.ts';

const counted = `interval '${countedMs} milliseconds'`;

/**
 * Time by which each unfinished job of a visitor delays the turn of the next one among the jobs of all visitors. First
 * jobs of other visitors that start within that time come before it. In wider networks, several jobs count as one.
 */
const turnDelay = `interval '10 minutes'`;

/**
 * Serializes the starts of the visitor's widest network on all nodes, so that each one counts the jobs that earlier ones
 * have added.
 */
export async function lockVisitor(sql: Sql, { id }: Visitor): Promise<void> {
  const widest = networksOfVisitor(id).at(-1);
  await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.visitors, widest]);
}

/**
 * Counts a job that a visitor starts, and delays its turn, in the transaction that starts it.
 *
 * @throws MillraceError `rate_limited` for too many jobs. It must end the transaction.
 */
export async function countVisitorStart(sql: Sql, visitor: Visitor, jobId: string, as: CountedAs): Promise<void> {
  const networks = networksOfVisitor(visitor.id);
  const counts = as === 'start' || (as === 'restart' && !(await isFreeRestart(sql, visitor, jobId)));
  let delays = 0;
  for (const [tier, network] of networks.entries()) {
    const { perDay } = limitsOfTier(visitor.limits, tier);
    const load = await readLoad(sql, network, perDay, jobId);
    checkVisitorLimits(counts ? load : { ...load, wait: 0 }, visitor.limits, tier);
    delays = Math.max(delays, Math.floor(load.unfinished / tierLimit(1, tier)));
  }
  if (delays > 0) {
    const delayTurn = `update render_jobs set turn_at = created_at + $2::integer * ${turnDelay} where id = $1`;
    await sql.query(delayTurn, [jobId, delays]);
  }
  if (!counts) return;
  await sql.query('insert into visitor_starts (visitor, job_id) select unnest($1::text[]), $2', [networks, jobId]);
}

/** Counts a restart of a job. Returns whether it counts as no start. */
async function isFreeRestart(sql: Sql, visitor: Visitor, jobId: string): Promise<boolean> {
  const starts = await sql.query<{ restarts: number }>(
    `update visitor_starts set restarts = restarts + 1
     where visitor = $1 and job_id = $2 and started_at > now() - ${counted} returning restarts`,
    [visitor.id, jobId],
  );
  return starts.length > 0 && starts.every(({ restarts }) => restarts <= maxFreeRestarts);
}

async function readLoad(sql: Sql, network: string, perDay: number, jobId: string): Promise<VisitorLoad> {
  const [load] = await sql.query<VisitorLoad>(
    `with starts as (
       select job_id, started_at from visitor_starts where visitor = $1 and started_at > now() - ${counted}
     ), files as (
       select file_size, expires_at from render_jobs
       where id in (select job_id from starts) and state = 'done' and file_key is not null
     )
     select
       (select count(*) from render_jobs
         where id in (select job_id from starts) and id <> $2 and state not in ('done', 'failed'))::integer as unfinished,
       coalesce(ceil(extract(epoch from (
         -- The start that must no longer count before the next one.
         select started_at from starts order by started_at desc offset $3::integer - 1 limit 1
       ) + ${counted} - now()) * 1000), 0)::integer as wait,
       (select coalesce(sum(file_size), 0) from files)::float8 as "storedSize",
       (select coalesce(greatest(0, extract(epoch from min(expires_at) - now()) * 1000), 0) from files)::float8 as expiry`,
    [network, jobId, perDay],
  );
  return load ?? { unfinished: 0, wait: 0, storedSize: 0, expiry: 0 };
}
