import { jobStates } from '../contract/status.ts';
import type { Sql } from '../database/database.ts';
import { waitingStates } from './states.ts';

/** How many jobs there are in each state. */
export async function countJobs(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ state: string; jobs: number }>(
    'select state, count(*)::integer as jobs from render_jobs where expires_at > now() group by state',
  );
  const none = jobStates.map((state) => [state, 0] as const);
  return new Map([...none, ...rows.map(({ state, jobs }) => [state, jobs] as const)]);
}

/** How many jobs wait for a worker. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ jobs: number }>(
    `select count(*)::integer as jobs from render_jobs where state in ${waitingStates} and expires_at > now()`,
  );
  return row?.jobs ?? 0;
}

/** Bytes of all finished files. */
export async function storedBytes(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `select coalesce(sum(file_size), 0)::double precision as bytes from render_jobs where state = 'done'`,
  );
  return row?.bytes ?? 0;
}
