import type { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { Sql } from '../../database/database.ts';
import { atCapacity, notYours, readLoad, readRow, tooMany } from '../jobs.ts';

/** How a start of a job would go, as things stand. */
export interface Outlook {
  readonly status: 'queued' | 'already_exists';
  readonly message: string;
  /** Other unfinished jobs of the owner. */
  readonly unfinished: number;
  /** Why it would be refused, or fail at once. */
  readonly refusals: readonly MillraceError[];
}

/**
 * Looks how a start of a job would go. Changes nothing.
 *
 * @throws MillraceError `forbidden` when the id belongs to another owner.
 */
export async function lookAhead(
  sql: Sql,
  { id }: Job,
  owner: string,
  { most, maxQueued }: { readonly most: number | undefined; readonly maxQueued: number },
): Promise<Outlook> {
  const existing = await readRow(sql, id, '');
  const { queued, unfinished } = await readLoad(sql, id, owner);
  const living = existing !== undefined && !existing.expired;
  if (living && existing.owner !== owner) throw notYours(id);
  if (living && existing.state !== 'failed' && !existing.stalled) {
    const message = 'A start would attach to the job with this id, and do nothing else.';
    return { status: 'already_exists', message, unfinished, refusals: [] };
  }
  const refusals = [
    ...(most !== undefined && unfinished >= most ? [tooMany(most)] : []),
    ...(queued >= maxQueued ? [atCapacity()] : []),
  ];
  const message = living ? 'A start would begin the job anew.' : 'A start would begin the job.';
  return { status: 'queued', message, unfinished, refusals };
}
