import type { Delivery, DeliveryState } from '../../contract/deliveries.ts';
import { MillraceError } from '../../contract/errors.ts';
import { isJobId } from '../../contract/job-id.ts';
import { type Database, notify } from '../../database/database.ts';
import { isUuid } from '../../database/is-uuid.ts';
import { notOwnerError } from '../jobs/cancel-rules.ts';
import { jobNotFoundError } from '../jobs/job-not-found.ts';
import { lockJob } from '../jobs/lock-job.ts';
import { readDeliveries, webhookChannel } from './webhook-store.ts';

/** Number of earlier attempts that stay listed. */
const MAX_LISTED_TRIES = 40;

interface DeliveryRow {
  readonly owner: string;
  readonly delivery_id: string | null;
  readonly state: DeliveryState;
  readonly has_target: boolean;
}

/**
 * Queues an event again that was delivered or given up, with the same ID and with all its attempts. Returns the
 * delivery.
 *
 * @throws MillraceError `not_found`, `forbidden`; `conflict` if it has not ended, or its webhook is no longer stored.
 */
export async function redeliver(
  database: Database,
  { jobId, deliveryId }: { readonly jobId: string; readonly deliveryId: string },
  owner: string,
): Promise<Delivery> {
  if (!isJobId(jobId)) throw jobNotFoundError();
  if (!isUuid(deliveryId)) throw deliveryNotFoundError();
  return await database.transaction(async (sql) => {
    const row = await lockJob<DeliveryRow>(
      sql,
      `select j.owner, w.delivery_id, w.state, w.target is not null as has_target
       from render_jobs j left join render_webhooks w on w.job_id = j.id and w.delivery_id = $2
       where j.id = $1 and j.expires_at > now() for update of j`,
      [jobId, deliveryId],
    );
    if (row === undefined) throw jobNotFoundError();
    if (row.owner !== owner) throw notOwnerError(jobId);
    if (row.delivery_id === null) throw deliveryNotFoundError();
    if (row.state === 'waiting' || row.state === 'pending') throw pendingError(row.state);
    if (!row.has_target) throw webhookErasedError();
    await sql.query(
      `update render_webhooks set state = 'pending', due_at = now(), ended_at = now(), attempts = 0, event = null,
         tries = jsonb_path_query_array(tries, '$[last - ${MAX_LISTED_TRIES - 1} to last]')
       where job_id = $1 and delivery_id = $2`,
      [jobId, deliveryId],
    );
    await notify(sql, webhookChannel, jobId);
    const job = await readDeliveries(sql, jobId);
    const delivery = job?.deliveries.find(({ id }) => id === deliveryId);
    if (delivery === undefined) throw deliveryNotFoundError();
    return delivery;
  });
}

function deliveryNotFoundError(): MillraceError {
  return new MillraceError('not_found', 'The job has no delivery with this ID. GET its deliveries to list their IDs.');
}

function pendingError(state: 'waiting' | 'pending'): MillraceError {
  const reason = state === 'waiting' ? 'The job has not ended' : 'The event is still pending';
  return new MillraceError('conflict', `${reason}, so it cannot be redelivered. Wait for its delivery.`);
}

function webhookErasedError(): MillraceError {
  const message =
    'The webhook of this delivery is no longer stored, so its event cannot be redelivered. Read the job instead.';
  return new MillraceError('conflict', message);
}
