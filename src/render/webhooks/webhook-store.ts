import type { Deliveries, DeliveryState, DeliveryTry } from '../../contract/deliveries.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing.ts';

/** Channel that is told when an event has fallen due. Its name stands in 0007_webhooks.sql. */
export const webhookChannel = 'render_webhooks';

/** How long a node may be at a try before another one takes it for lost: a few times as long as a call may take. */
const lease = `interval '30 seconds'`;

/** An event that a node has taken up to deliver. */
export interface DueDelivery {
  readonly jobId: string;
  readonly owner: string;
  /** Names the event, the same at each try. */
  readonly deliveryId: string;
  /** How often it was taken up, this time included. */
  readonly attempts: number;
  /** Undefined when it was sealed with a secret that is no longer known. */
  readonly target: Webhook | undefined;
}

/** How a delivery goes on after a try: it is over, or tried again after so many milliseconds. */
export type Continuation = 'delivered' | 'given_up' | { readonly pause: number };

/** The webhooks of jobs. A row falls due by itself, in the transaction that ends its job (0007_webhooks.sql). */
export interface WebhookStore {
  /** Takes up what has been due longest, of owners that are not passed over. Others may again after half a minute. */
  claim(passedOver: readonly string[]): Promise<DueDelivery | undefined>;
  /** Notes a try; nothing when another node has taken the delivery up since. */
  note(delivery: DueDelivery, tried: DeliveryTry, next: Continuation): Promise<void>;
  /** Lets others take it up at once: it was not tried. */
  handBack(delivery: DueDelivery): Promise<void>;
}

interface ClaimedRow {
  job_id: string;
  owner: string;
  delivery_id: string;
  attempts: number;
  target: string;
}

/** Opens the webhooks of a database. */
export function openWebhookStore(sql: Sql, sealer: Sealer): WebhookStore {
  return {
    async claim(passedOver) {
      const [row] = await sql.query<ClaimedRow>(
        `update render_webhooks set attempts = attempts + 1, due_at = now() + ${lease}
         where job_id = (
           select w.job_id from render_webhooks w join render_jobs j on j.id = w.job_id
           where w.state = 'pending' and w.due_at <= now() and w.owner <> all($1) and j.expires_at > now()
           order by w.due_at limit 1 for update of w skip locked
         )
         returning job_id, owner, delivery_id, attempts, target`,
        [passedOver],
      );
      if (row === undefined) return undefined;
      const { job_id: jobId, owner, delivery_id: deliveryId, attempts } = row;
      // Sealed by keepWebhook() from a checked job.
      return { jobId, owner, deliveryId, attempts, target: sealer.open('webhook', row.target) as Webhook | undefined };
    },

    async note({ deliveryId, jobId, attempts }, tried, next) {
      const again = typeof next === 'object';
      await sql.query(
        `update render_webhooks set tries = tries || $4::jsonb, state = $5,
           due_at = now() + $6::float8 * interval '1 millisecond', target = case when $5 = 'pending' then target end
         where job_id = $1 and delivery_id = $2 and attempts = $3`,
        [jobId, deliveryId, attempts, JSON.stringify([tried]), again ? 'pending' : next, again ? next.pause : null],
      );
    },

    async handBack({ deliveryId, jobId, attempts }) {
      await sql.query(
        `update render_webhooks set attempts = attempts - 1, due_at = now()
         where job_id = $1 and delivery_id = $2 and attempts = $3`,
        [jobId, deliveryId, attempts],
      );
    },
  };
}

/** Keeps a job's webhook, within the transaction that starts it. `over`: the job has ended as it began. */
export async function keepWebhook(
  sql: Sql,
  sealer: Sealer,
  job: { readonly id: string; readonly owner: string; readonly webhook: Webhook; readonly over: boolean },
): Promise<void> {
  await sql.query(
    `insert into render_webhooks (job_id, owner, target, state, due_at)
     values ($1, $2, $3, case when $4 then 'pending' else 'waiting' end, case when $4 then now() end)`,
    [job.id, job.owner, sealer.seal('webhook', job.webhook), job.over],
  );
}

/** A job's owner, and what came of its webhook; undefined where there is no such job. */
export async function readDeliveries(
  sql: Sql,
  jobId: string,
): Promise<{ readonly owner: string; readonly deliveries: Deliveries['deliveries'] } | undefined> {
  const [row] = await sql.query<{
    owner: string;
    delivery_id: string | null;
    state: DeliveryState;
    due_at: Date | null;
    tries: DeliveryTry[];
  }>(
    `select j.owner, w.delivery_id, w.state, w.due_at, w.tries
     from render_jobs j left join render_webhooks w on w.job_id = j.id where j.id = $1 and j.expires_at > now()`,
    [jobId],
  );
  if (row === undefined) return undefined;
  const { owner, delivery_id: id, state, due_at: dueAt, tries } = row;
  return { owner, deliveries: id === null ? [] : [{ id, state, nextTryAt: dueAt?.toISOString() ?? null, tries }] };
}
