import { MillraceError } from '../../contract/errors.ts';
import { type CancellableJob, notOwnerError, outcomeIfFinished } from './cancel-rules.ts';

/**
 * Checks that a job can be retried: it has failed, and was not cancelled.
 *
 * @throws MillraceError `forbidden` if the ID belongs to another owner, `conflict` otherwise.
 */
export function checkRetry(job: CancellableJob, id: string, caller: string): void {
  if (job.owner !== caller) throw notOwnerError(id);
  const outcome = outcomeIfFinished(job, id, caller);
  if (outcome === 'cancelled') {
    const message = `Job ${id} was cancelled, which deleted its description. Start it again with its description or execution URL.`;
    throw new MillraceError('conflict', message);
  }
  if (job.state === 'failed') return;
  const state = job.state === 'done' ? 'is done' : 'is in progress';
  throw new MillraceError('conflict', `Job ${id} ${state}. Only failed jobs can be retried.`);
}
