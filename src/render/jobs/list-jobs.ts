import type { JobState } from '../../contract/job-status.ts';
import type { Sql } from '../../database/database.ts';
import { type StatusRow, statusColumns } from './status-row.ts';

/** The position of a job in a list: the list continues after it. */
export interface ListPosition {
  /** Creation time of the job in microseconds since 1970, as a decimal number. */
  readonly createdAt: string;
  readonly id: string;
}

/** Selects the jobs of a list. Absent members select all jobs. */
export interface JobListFilter {
  readonly owner?: string | undefined;
  readonly states?: readonly JobState[] | undefined;
  readonly id?: string | undefined;
  /** ID of the request that started the job. */
  readonly requestId?: string | undefined;
  readonly after?: ListPosition | undefined;
  /** Maximum number of jobs. */
  readonly limit: number;
}

/** A job of a list. Contains nothing of its description. */
export interface ListedJob extends StatusRow {
  readonly owner: string;
  readonly run: string | null;
  readonly worker: string | null;
  /** Number of nodes that died while they ran it. */
  readonly deaths: number;
}

interface ListedRow extends ListedJob {
  readonly created_us: string;
}

/** Lists jobs that have not expired, newest first. `next` is the position of the last one if more follow. */
export async function listJobs(
  sql: Sql,
  { owner, states, id, requestId, after, limit }: JobListFilter,
): Promise<{ readonly jobs: readonly ListedJob[]; readonly next: ListPosition | undefined }> {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    'j.expires_at > now()',
    ...(owner === undefined ? [] : [`j.owner = ${parameter(owner)}`]),
    ...(states === undefined ? [] : [`j.state = any(${parameter(states)})`]),
    ...(id === undefined ? [] : [`j.id = ${parameter(id)}`]),
    ...(requestId === undefined ? [] : [`j.request_id = ${parameter(requestId)}`]),
    // Microseconds, because a Date would lose three digits of the time and skip or repeat jobs.
    ...(after === undefined
      ? []
      : [
          `(j.created_at, j.id) < (timestamptz 'epoch' + ${parameter(after.createdAt)}::bigint * interval '1 microsecond',
            ${parameter(after.id)})`,
        ]),
  ];
  const rows = await sql.query<ListedRow>(
    `select ${statusColumns}, j.owner, j.run, j.worker, j.deaths + j.lone_deaths as deaths,
       (extract(epoch from j.created_at) * 1000000)::bigint::text as created_us
     from render_jobs j left join render_progress p using (run)
     where ${conditions.join(' and ')}
     order by j.created_at desc, j.id desc limit ${parameter(limit + 1)}`,
    values,
  );
  const jobs = rows.slice(0, limit).map(({ created_us: _, ...job }) => job);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { jobs, next: last && { createdAt: last.created_us, id: last.id } };
}
