import { MillraceError } from '../../../contract/errors.ts';
import type { Sql } from '../../../database/database.ts';
import { hasOtherWorker, stalledAfter, waitingStates } from '../job-states.ts';
import { isDiskBackoffOver } from './full-disk.ts';
import { isRunnable, type WorkerAbilities } from './worker-abilities.ts';

/**
 * Number of deaths of its node after which a job is a suspect. The index of 0014_fault_attribution.sql contains the
 * same number.
 */
const DEATHS_OF_SUSPECT = 2;

/** Number of deaths of its node, while it ran alone, after which a suspect fails. */
export const MAX_LONE_DEATHS = 3;

/** Time for which a suspect waits for an idle worker before a busy one drains for it. */
const drainAfter = `interval '10 seconds'`;

/** Time for which a suspect that was alone on a dead node is left to other nodes, if there are any. */
const otherNodesFirst = `interval '5 minutes'`;

/**
 * Maximum time for which one worker drains for a suspect: as long as the suspect has waited, so that each turn is
 * longer until one outlasts the running jobs.
 */
const longestDrain = `greatest(interval '10 minutes', now() - lost_at)`;
/** Time for which a worker pauses after its turn so that others can drain. */
const drainPause = `interval '1 minute'`;

/** Whether a job is a suspect: it may be the cause of its node's deaths, and runs alone from now on. As SQL. */
export const isSuspect = `deaths >= ${DEATHS_OF_SUSPECT}`;

/** Whether worker `$1`, which reads formats up to `$2`, may claim a job as a suspect when it is idle. As SQL. */
const isClaimable = (abilities: WorkerAbilities) => `
  state in ${waitingStates} and ${isRunnable(abilities, '$2')} and ${isSuspect} and expires_at > now()
  and ${isDiskBackoffOver} and (
    lone_deaths = 0 or left_worker is distinct from $1 or lost_at <= now() - ${otherNodesFirst}
    or not ${hasOtherWorker('$1')}
  )`;

/**
 * Whether the death of a node while job `j` ran on it alone counts against the job, as SQL. A second death in a row on
 * the same worker does not count while there are others: that node may keep crashing for other reasons.
 */
export const loneDeathCounts = `(j.lone_deaths = 0 or j.left_worker is distinct from j.worker
  or not ${hasOtherWorker('j.worker')})`;

/**
 * The ID of the suspect that worker `$1`, which reads formats up to `$2`, claims when it is idle, as SQL: the one that
 * has waited longest.
 */
export const suspectForIdle = (abilities: WorkerAbilities): string => `
  select id from render_jobs
  where ${isClaimable(abilities)}
  order by lost_at limit 1 for update skip locked`;

/**
 * Tries to make a busy worker drain for the suspect that has waited longest; returns whether it drains. A worker that
 * drains claims no job until it is idle. Across all nodes, only one worker drains at a time, and only while it sends
 * heartbeats. Any other idle worker may claim the suspect first.
 */
export async function tryDrain(sql: Sql, worker: string, abilities: WorkerAbilities): Promise<boolean> {
  const rows = await sql.query(
    `with longest as (
       select id, drained_by, drained_until from render_jobs
       where ${isClaimable(abilities)} and lost_at <= now() - ${drainAfter}
       order by lost_at limit 1
     ), reserved as (
       update render_jobs set drained_by = $1, drained_until = now() + ${longestDrain}
       where id = (select id from longest) and state in ${waitingStates} and (drained_until is null
         or drained_until <= now() - case when drained_by = $1 then ${drainPause} else interval '0' end
         or drained_by <> $1 and not exists (
           select from workers where id = drained_by and beat_at > now() - ${stalledAfter}
         ))
       returning id
     )
     select id from reserved union all select id from longest where drained_by = $1 and drained_until > now()`,
    [worker, abilities.maxFormat],
  );
  return rows.length > 0;
}

/** Returns the failure of a job that makes its nodes die. */
export function workerLostError(): MillraceError {
  const message = `The worker's node failed ${MAX_LONE_DEATHS} times while it ran only this job. Start the job again; if it fails the same way, report it to the operator of the service.`;
  return new MillraceError('worker_lost', message);
}
