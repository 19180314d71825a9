import type { OpenKeys } from '../../accounts/keys.ts';
import { openUsage } from '../../accounts/usage.ts';
import type { Database } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** A point of a recording: the number of operations before it. */
export type Point = number;

/** A workload's information about one of its jobs. */
interface KnownJob {
  /** Points before its start was called, and after the call returned. */
  readonly calledAt: Point;
  acceptedAt?: Point;
  /** Points before its end was called, and after the call returned. */
  endCalledAt?: Point;
  endedAt?: Point;
  /** Its final state. */
  state?: 'done' | 'failed';
}

/** Everything that was acknowledged to a workload, with times. */
export interface Acknowledgements {
  readonly jobs: Map<string, KnownJob>;
  readonly keys: { readonly key: string; readonly createdAt: Point }[];
  /** Credits of {@link payerAccount}, one for each payment. */
  readonly payments: { readonly calledAt: Point; paidAt?: Point }[];
}

/** Rows that a workload inserts, and deletes, in one transaction. Their names are `batch <number> <row>`. */
export const BATCH_ROWS = 500;

/** The account that pays. */
export const payerAccount = 'extraction:payer';

interface JobRow {
  id: string;
  state: string;
  description: string | null;
  run: string | null;
  beats: boolean;
  error: string | null;
  whole: boolean;
  file_name: string | null;
}

/** Compares a database with the acknowledgements before a point. Returns each difference. */
export async function findLosses(
  database: Database,
  { jobs, keys, payments }: Acknowledgements,
  point: Point,
  { accounts, sealer }: { accounts: OpenKeys; sealer: Sealer },
): Promise<string[]> {
  const rows = await database.query<JobRow>(
    `select j.id, j.state, j.description, j.run, p.run is not null as beats, j.error, j.file_name,
       num_nulls(j.file_key, j.file_name, j.file_size, j.file_link, j.notes) = 0 as whole
     from render_jobs j left join render_progress p on p.run = j.run`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const losses: string[] = [];
  for (const [id, { acceptedAt, endedAt, state }] of jobs) {
    const row = byId.get(id);
    if (row === undefined && isAnswered(acceptedAt, point)) losses.push(`job ${id} is missing`);
    if (row !== undefined && isAnswered(endedAt, point) && row.state !== state) {
      losses.push(`job ${id} was ${state} and is ${row.state}`);
    }
  }
  for (const row of rows) {
    const job = jobs.get(row.id);
    if (job === undefined || !isCalled(job.calledAt, point)) losses.push(`job ${row.id} was never started`);
    else if ((row.state === 'done' || row.state === 'failed') && !isCalled(job.endCalledAt, point)) {
      losses.push(`job ${row.id} is ${row.state}, a state that it never had`);
    } else if (!isWhole(row, sealer)) losses.push(`job ${row.id} (${row.state}) is incomplete`);
  }
  for (const { key, createdAt } of keys) {
    if (isAnswered(createdAt, point) && (await accounts.find('render', key)) === undefined)
      losses.push('a key is missing');
  }
  const batches = await database.query<{ batch: string; rows: number }>(
    `select split_part(name, ' ', 2) as batch, count(*)::integer as rows
     from service_facts where name like 'batch %' group by 1`,
  );
  for (const { batch, rows: remainingRows } of batches) {
    if (remainingRows !== BATCH_ROWS) losses.push(`${remainingRows} rows of batch ${batch} are left`);
  }
  const [usage] = await openUsage(database).ofAccount(payerAccount);
  const spentCredits = usage?.credits ?? 0;
  const paymentsAcknowledged = payments.filter((payment) => isAnswered(payment.paidAt, point)).length;
  const paymentsCalled = payments.filter((payment) => isCalled(payment.calledAt, point)).length;
  if (spentCredits < paymentsAcknowledged || spentCredits > paymentsCalled)
    losses.push(`${spentCredits} credits are spent, not ${paymentsAcknowledged} to ${paymentsCalled}`);
  return losses;
}

/** Whether a call may have had an effect on a disk that was cut off at a point. */
function isCalled(time: Point | undefined, point: Point): boolean {
  return time !== undefined && time < point;
}

/** Whether a call returned before the cut, even if nothing was written in between. */
function isAnswered(time: Point | undefined, point: Point): boolean {
  return time !== undefined && time <= point;
}

function isWhole(row: JobRow, sealer: Sealer): boolean {
  if (row.state === 'done') return row.whole && row.file_name === `${row.id}.mp4` && row.run === null;
  if (row.state === 'failed') return row.error !== null && row.run === null;
  const waits = row.state === 'pending' || row.state === 'queued';
  const job = row.description === null ? undefined : sealer.open('job-description', row.description);
  const matchesId = typeof job === 'object' && job !== null && 'id' in job && job.id === row.id;
  return matchesId && (waits ? row.run === null : row.run !== null && row.beats);
}
