import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { isJobId } from '../../contract/job-id.ts';
import type { JobState } from '../../contract/job-status.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { readableFormat } from './description-format.ts';
import { jobNotFoundError } from './job-not-found.ts';
import { lockJob } from './lock-job.ts';
import { newerVersionError } from './newer-version-error.ts';
import { checkRetry } from './retry-rules.ts';
import { openJob } from './sealed-job.ts';

interface FailedRow {
  readonly owner: string;
  readonly state: JobState;
  readonly error: string | null;
  readonly format: number;
  readonly description: string | null;
  readonly has_webhook: boolean;
  readonly target: string | null;
}

/** The message of a retry. */
export const retriedMessage = 'The job had failed and was restarted.';

/**
 * Reads the description of a failed job, with the job's own webhook, and locks the job until the transaction ends.
 *
 * @throws MillraceError `not_found`; `forbidden` if the ID belongs to another owner; `conflict` if the job has not
 * failed, or its description or webhook is no longer stored; `service_unavailable` if a newer version stored it.
 */
export async function readRetriedJob(sql: Sql, sealer: Sealer, id: string, owner: string): Promise<Job> {
  if (!isJobId(id)) throw jobNotFoundError();
  const row = await lockJob<FailedRow>(
    sql,
    `select j.owner, j.state, j.error, j.format, j.description, w.job_id is not null as has_webhook, w.target
     from render_jobs j left join render_webhooks w on w.job_id = j.id and w.webhook_id is null
     where j.id = $1 and j.expires_at > now() for update of j`,
    [id],
  );
  if (row === undefined) throw jobNotFoundError();
  checkRetry(row, id, owner);
  const { format, description, has_webhook: hasWebhook, target } = row;
  if (format > readableFormat) throw newerVersionError(`Job ${id}`);
  const job = description === null ? undefined : openJob(sealer, { format, description });
  // storeWebhook() (store-webhook.ts) seals the webhooks of validated jobs.
  const webhook = target === null ? undefined : (sealer.open('webhook', target) as Webhook | undefined);
  if (job === undefined || (hasWebhook && webhook === undefined)) throw descriptionLostError(id);
  return webhook === undefined ? job : { ...job, webhook };
}

function descriptionLostError(id: string): MillraceError {
  const message = `The description of job ${id} is no longer stored. Start the job again with its description or execution URL.`;
  return new MillraceError('conflict', message);
}
