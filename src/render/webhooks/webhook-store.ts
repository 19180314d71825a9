import type { Deliveries, DeliveryAttempt, DeliveryState } from '../../contract/deliveries.ts';
import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import { DELIVERY_TIME_MS } from './retry-schedule.ts';

/** Channel that is notified when an event is due. 0007_webhooks.sql contains its name. */
export const webhookChannel = 'render_webhooks';

/** Time after which another node may claim an attempt: a few times as long as a call may take. */
const lease = `interval '30 seconds'`;

/**
 * Selects the row of a claim ($1 to $3), as SQL. The lease is the fencing token, because each later claim has a later
 * lease.
 */
const isClaimed = 'job_id = $1 and delivery_id = $2 and due_at = $3::text::timestamptz';

/** An event that a node has claimed to deliver. */
export interface DueDelivery {
  readonly jobId: string;
  readonly owner: string;
  /** Identifies the event; the same for each attempt. */
  readonly deliveryId: string;
  /**
   * Number of attempts recorded before. A claim that ends without a record does not count, so a node that keeps dying
   * uses up no attempts. A node of 0.1.0 counts its claims.
   */
  readonly tries: number;
  /** Time from which others may claim it, in PostgreSQL's format. */
  readonly leasedUntil: string;
  /** Milliseconds left to deliver it; negative when the time is over. */
  readonly remainingMs: number;
  /** Undefined if it was sealed with a secret that is no longer known. */
  readonly target: Webhook | undefined;
  /** The event that earlier attempts sent, as JSON text. */
  readonly event: string | undefined;
  /** The status from which the event is created; undefined if it was sent before and its job was deleted. */
  readonly status: StatusRow | undefined;
  /** The W3C traceparent of the span that started the job. Undefined if the job was deleted or not traced. */
  readonly traceContext: string | undefined;
  /** ID of the request that started the job; undefined for jobs of earlier versions. */
  readonly requestId: string | undefined;
}

/** What follows an attempt: the delivery ends, or the event is retried after `pause` milliseconds. */
type Continuation = 'delivered' | 'given_up' | { readonly pause: number; readonly event: string };

/**
 * The webhooks of jobs. A row becomes due automatically, in the transaction that ends its job (0007_webhooks.sql). When
 * the job is deleted, a pending event moves to its own table (0015_late_webhooks.sql) until it is delivered or given
 * up.
 */
export interface WebhookStore {
  /** Whether an event is due. Costs the database a fraction of an unsuccessful claim. */
  isDue(): Promise<boolean>;
  /**
   * Claims the event that has been due longest, except those of excluded owners, from existing and deleted jobs in
   * turn. Others may claim it again after half a minute.
   */
  claim(excludedOwners: readonly string[]): Promise<DueDelivery | undefined>;
  /**
   * Records an attempt; does nothing if another node has claimed the delivery since. The first event to be retried of
   * a delivery is given up if the pending events of its owner leave no room for it.
   */
  recordAttempt(delivery: DueDelivery, attempt: DeliveryAttempt, next: Continuation): Promise<void>;
  /** Lets other nodes claim a delivery immediately, because it was not attempted. */
  release(delivery: DueDelivery): Promise<void>;
}

interface ClaimedRow {
  job_id: string;
  owner: string;
  delivery_id: string;
  attempts: number;
  leased_until: string;
  left_ms: number;
  target: string;
  event: string | null;
  status: StatusJson | null;
  trace_context: string | null;
}

/** A {@link StatusRow} as `last_status` of 0028_delivery_outcomes.sql creates it. */
type StatusJson = Omit<
  StatusRow,
  'created_at' | 'expires_at' | 'file_sha256' | 'has_receipt' | 'request_id' | 'delivery' | 'test'
> & {
  /** Absent if an earlier version of the schema created it. */
  readonly file_sha256?: string | null;
  readonly has_receipt?: boolean;
  readonly request_id?: string | null;
  readonly delivery?: DeliveryOutcome | null;
  readonly test?: boolean;
  readonly created_at: string;
  readonly expires_at: string;
};

/** The tables of deliveries: which rows may be due, and the source of each row's status and trace. */
const deliveryTables = [
  {
    table: 'render_webhooks',
    open: `state = 'pending'`,
    status: '(select last_status(j) from render_jobs j where j.id = job_id)',
    trace: '(select trace_context from render_jobs j where j.id = job_id)',
  },
  { table: 'late_webhooks', open: 'true', status: 'status', trace: 'null' },
] as const;

/** 0036_webhook_event_quota.sql contains the limit. */
const noRoomMessage = 'It is not retried, because the pending events of your account take 16 MiB.';

/** Opens the webhooks of a database. */
export function openWebhookStore(sql: Sql, sealer: Sealer): WebhookStore {
  let order: readonly (typeof deliveryTables)[number][] = deliveryTables;
  return {
    async isDue() {
      const due = deliveryTables.map(
        ({ table, open }) => `exists (select from ${table} where ${open} and due_at <= now())`,
      );
      const [row] = await sql.query<{ due: boolean }>(`select ${due.join(' or ')} as due`);
      return row?.due === true;
    },

    async claim(excludedOwners) {
      order = order.toReversed();
      for (const { table, open, status, trace } of order) {
        const [row] = await sql.query<ClaimedRow>(
          `with taken as (
             update ${table} set due_at = now() + ${lease}, ended_at = coalesce(ended_at, now())
             where (job_id, delivery_id) = (
               select job_id, delivery_id from ${table} where ${open} and due_at <= now() and owner <> all($1)
               order by due_at limit 1 for update skip locked
             )
             returning *
           )
           select job_id, owner, delivery_id, attempts, due_at::text as leased_until, target, event, ${status} as status,
             ${trace} as trace_context,
             (extract(epoch from ended_at - now()) * 1000 + $2)::float8 as left_ms
           from taken`,
          [excludedOwners, DELIVERY_TIME_MS],
        );
        if (row !== undefined) return dueDelivery(row);
      }
      return undefined;
    },

    async recordAttempt(delivery, attempt, continuation) {
      const { deliveryId, jobId, leasedUntil } = delivery;
      const sealed = typeof continuation === 'object' ? sealer.seal('webhook-event', continuation.event) : undefined;
      const isLost = sealed !== undefined && !(await hasRoomFor(delivery, sealed));
      const next = isLost ? 'given_up' : continuation;
      const error = isLost ? `${attempt.error} ${noRoomMessage}` : attempt.error;
      const recordOnce = async () => {
        const [row] = await sql.query<{ noted: boolean }>(
          `with kept as (
             update render_webhooks set tries = tries || $4::jsonb, attempts = attempts + 1, state = $5,
               due_at = now() + $6::float8 * interval '1 millisecond', event = $7
             where ${isClaimed} returning 1
           ), late as (
             update late_webhooks set attempts = attempts + 1,
               due_at = now() + $6::float8 * interval '1 millisecond', event = $7, status = null
             where ${isClaimed} and $5 = 'pending' returning 1
           ), over as (
             delete from late_webhooks where ${isClaimed} and $5 <> 'pending' returning 1
           )
           select exists (select from kept) or exists (select from late) or exists (select from over) as noted`,
          [
            jobId,
            deliveryId,
            leasedUntil,
            JSON.stringify([{ ...attempt, error }]),
            typeof next === 'object' ? 'pending' : next,
            typeof next === 'object' ? next.pause : null,
            typeof next === 'object' ? sealed : null,
          ],
        );
        return row?.noted === true;
      };
      // If a row moves to `late_webhooks` during the statement, the statement sees it in neither table.
      if (!(await recordOnce())) await recordOnce();
    },

    async release({ deliveryId, jobId, leasedUntil }) {
      for (const { table } of deliveryTables) {
        await sql.query(`update ${table} set due_at = now() where ${isClaimed}`, [jobId, deliveryId, leasedUntil]);
      }
    },
  };

  /** Whether the event of a delivery is stored, or can be. */
  async function hasRoomFor({ event, owner }: DueDelivery, sealed: string): Promise<boolean> {
    if (event !== undefined) return true;
    const room = 'select has_room_for_event($1, octet_length($2)) as room';
    const [row] = await sql.query<{ room: boolean }>(room, [owner, sealed]);
    return row?.room === true;
  }

  function dueDelivery(row: ClaimedRow): DueDelivery {
    const { job_id: jobId, owner, delivery_id: deliveryId, attempts: tries, target, status } = row;
    const event = row.event === null ? undefined : (sealer.open('webhook-event', row.event) as string | undefined);
    return {
      jobId,
      owner,
      deliveryId,
      tries,
      leasedUntil: row.leased_until,
      remainingMs: row.left_ms,
      // Sealed by storeWebhook() (jobs/store-webhook.ts) from a validated job, and by recordAttempt().
      target: sealer.open('webhook', target) as Webhook | undefined,
      event,
      status: status === null ? undefined : statusRow(status),
      traceContext: row.trace_context ?? undefined,
      requestId: (status ?? parseEvent(event)).request_id ?? undefined,
    };
  }
}

/** Reads what the log names from an event that this service has encoded. */
function parseEvent(event: string | undefined): Pick<StatusJson, 'request_id'> {
  return event === undefined ? {} : (JSON.parse(event) as Pick<StatusJson, 'request_id'>);
}

function statusRow(status: StatusJson): StatusRow {
  const { file_sha256 = null, has_receipt = false, request_id = null, delivery = null, test = false } = status;
  const times = { created_at: new Date(status.created_at), expires_at: new Date(status.expires_at) };
  return { ...status, file_sha256, has_receipt, request_id, delivery, test, ...times };
}

/** Returns a job's owner and the deliveries of its last event; undefined if the job does not exist. */
export async function readDeliveries(
  sql: Sql,
  jobId: string,
): Promise<{ readonly owner: string; readonly deliveries: Deliveries['deliveries'] } | undefined> {
  const rows = await sql.query<{
    owner: string;
    delivery_id: string | null;
    webhook_id: string | null;
    state: DeliveryState;
    due_at: Date | null;
    tries: DeliveryAttempt[];
  }>(
    `select j.owner, w.delivery_id, w.webhook_id, w.state, w.due_at, w.tries
     from render_jobs j left join render_webhooks w on w.job_id = j.id where j.id = $1 and j.expires_at > now()
     order by w.webhook_id nulls first, w.delivery_id`,
    [jobId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const deliveries = rows.flatMap(({ delivery_id: id, webhook_id: webhookId, state, due_at: dueAt, tries }) =>
    id === null ? [] : [{ id, webhookId, state, nextTryAt: dueAt?.toISOString() ?? null, tries }],
  );
  return { owner: first.owner, deliveries };
}
