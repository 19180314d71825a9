import type { Logger } from 'pino';
import type { DeliveryAttempt } from '../../contract/deliveries.ts';
import type { Database } from '../../database/database.ts';
import type { Egress } from '../../egress/egress.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import { createCoalescingTask } from '../scheduling/coalescing-task.ts';
import { callReceiver } from './call-receiver.ts';
import { retryDelay } from './retry-schedule.ts';
import { type DueDelivery, type WebhookStore, webhookChannel } from './webhook-store.ts';

/** Calls of receivers that a node makes at once. */
const MOST_AT_ONCE = 16;
/** Those of them that are for jobs of one owner, so that slow receivers of one keep nobody else waiting. */
const MOST_OF_AN_OWNER = 4;
/** How often to look for due events: no notification says that a retry is due. */
const LOOK_INTERVAL_MS = 1_000;

/** What delivering events needs. */
export interface DeliveryServices {
  readonly database: Pick<Database, 'listen'>;
  readonly store: WebhookStore;
  readonly egress: Egress;
  /** The last status event of a job as JSON text. */
  readonly eventOf: (status: StatusRow) => string;
  readonly log: Logger;
}

/** Delivers events until it is closed. */
export interface DeliveryLoop {
  /** Aborts calls in progress; other nodes take them over. */
  close(): Promise<void>;
}

/**
 * Starts delivering the last status events of jobs to their webhooks, on any number of nodes: at least once, and mostly
 * once.
 */
export async function startDeliveries({
  database,
  store,
  egress,
  eventOf,
  log,
}: DeliveryServices): Promise<DeliveryLoop> {
  const underWay = new Map<DueDelivery, Promise<void>>();
  const closing = new AbortController();
  const filling = createCoalescingTask(fill, (error) => log.error({ err: error }, 'no webhook could be taken up'));

  async function fill(): Promise<void> {
    while (!closing.signal.aborted && underWay.size < MOST_AT_ONCE) {
      const delivery = await store.claim(busyOwners());
      if (delivery === undefined) return;
      const settled = deliver(delivery)
        .catch((error: unknown) => log.error({ err: error, job: delivery.jobId }, 'a webhook is taken up again later'))
        .then(() => {
          underWay.delete(delivery);
          filling.request();
        });
      underWay.set(delivery, settled);
    }
  }

  async function look(): Promise<void> {
    if (underWay.size < MOST_AT_ONCE && (await store.isDue())) filling.request();
  }

  function busyOwners(): string[] {
    const owners = Map.groupBy(underWay.keys(), ({ owner }) => owner);
    return [...owners].flatMap(([owner, own]) => (own.length < MOST_OF_AN_OWNER ? [] : [owner]));
  }

  async function deliver(delivery: DueDelivery): Promise<void> {
    const { target, left } = delivery;
    const event = delivery.event ?? (delivery.status && eventOf(delivery.status));
    if (target === undefined || event === undefined) return await store.note(delivery, untried(secretLost), 'given_up');
    if (left <= 0) return await store.note(delivery, untried(tooLate), 'given_up');
    try {
      const sending = { egress, id: delivery.deliveryId, event, signal: closing.signal };
      const { verdict, retryAfter, ...tried } = await callReceiver(target, sending);
      const limits = { left: left - tried.milliseconds, retryAfter };
      const pause = verdict === 'failed' ? retryDelay(delivery.tries + 1, limits) : undefined;
      const over = verdict === 'delivered' ? 'delivered' : 'given_up';
      const next = pause === undefined ? over : { pause, event };
      log.info({ job: delivery.jobId, delivery: delivery.deliveryId, status: tried.status, verdict }, 'webhook tried');
      await store.note(delivery, tried, next);
    } catch (error) {
      if (!closing.signal.aborted) throw error;
      await store.handBack(delivery);
    }
  }

  const unlisten = await database.listen(webhookChannel, filling.request);
  const looking = createCoalescingTask(look, (error) =>
    log.error({ err: error }, 'due webhooks could not be looked for'),
  );
  const timer = setInterval(looking.request, LOOK_INTERVAL_MS);
  filling.request();

  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await unlisten();
      await looking.settled();
      await filling.settled();
      await Promise.all(underWay.values());
    },
  };
}

const secretLost = 'Its address is sealed with a secret that is no longer known.';
const tooLate = 'The event could not be delivered within a day of the end of its job.';

function untried(error: string): DeliveryAttempt {
  return { at: new Date().toISOString(), milliseconds: 0, status: null, error };
}
