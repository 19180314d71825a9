import { MillraceError } from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import { cancelJobAsAdministrator } from './cancel-job.ts';

/** Number of jobs that are read at once. */
const PAGE_SIZE = 100;

/**
 * Cancels all unfinished jobs of an owner, one after the other, because the operator has disabled the account.
 *
 * @param reason Part of the error that the owner sees.
 */
export async function cancelJobsOf(database: Database, owner: string, reason: string): Promise<void> {
  for (let full = true; full; ) {
    const jobs = await database.query<{ id: string }>(
      `select id from render_jobs where owner = $1 and state not in ('done', 'failed') and expires_at > now()
       order by created_at limit $2`,
      [owner, PAGE_SIZE],
    );
    for (const { id } of jobs)
      await cancelJobAsAdministrator(database, id, reason, async () => undefined).catch(ifGone);
    full = jobs.length === PAGE_SIZE;
  }
}

/** Ignores that a job has expired in the meantime. */
function ifGone(error: unknown): void {
  if (!(error instanceof MillraceError) || error.code !== 'not_found') throw error;
}
