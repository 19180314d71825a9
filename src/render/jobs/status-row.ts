import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import type { JobState } from '../../contract/job-status.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import type { Database, Sql } from '../../database/database.ts';
import { type FailureColumns, failureColumns } from './failure-columns.ts';

/** The status of a job in the database. */
export interface StatusRow extends FailureColumns {
  readonly id: string;
  readonly state: JobState;
  readonly progress: number;
  readonly file_key: string | null;
  readonly file_name: string | null;
  readonly file_size: number | null;
  /** SHA-256 of the file in base64; null while it is unknown. */
  readonly file_sha256: string | null;
  readonly file_link: string | null;
  /** Whether the file has a receipt. */
  readonly has_receipt: boolean;
  /** Null for files created by versions that stored no notes. */
  readonly notes: readonly OutputNote[] | null;
  /** The outcome of the delivery of its file to the caller's store; null without a delivery, or before its end. */
  readonly delivery: DeliveryOutcome | null;
  /** ID of the request that started it. Null for jobs of versions without request IDs. */
  readonly request_id: string | null;
  /** Whether a test key started it. */
  readonly test: boolean;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Source of job statuses. */
export interface Statuses {
  /** Returns the statuses of the jobs with these IDs; IDs without a job are omitted. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, StatusRow>>;
  /** Subscribes to the messages of a channel (job-states.ts); see {@link Database}. */
  readonly listen: Database['listen'];
}

/** Returns the statuses of a database's jobs. */
export function statusesOf(database: Pick<Database, 'query' | 'listen'>): Statuses {
  return { read: (ids) => readStatusRows(database, ids), listen: database.listen };
}

/** Selects the columns of {@link StatusRow} from a job `j` and its progress `p`, as SQL. */
export const statusColumns = `j.id, j.state, coalesce(p.progress, j.progress) as progress, ${failureColumns},
  j.file_key, j.file_name, j.file_size::float8 as file_size, j.file_sha256, j.file_link,
  j.receipt is not null as has_receipt, j.notes, j.delivery, j.request_id, j.test, j.created_at, j.expires_at`;

/** Returns the statuses of the jobs with these IDs; IDs without a job are omitted. */
export async function readStatusRows(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, StatusRow>> {
  const rows = await sql.query<StatusRow>(
    `select ${statusColumns}
     from render_jobs j left join render_progress p using (run)
     where j.id = any($1) and j.expires_at > now()`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
