import type { Logger } from 'pino';
import type { DeliveryTry } from '../../contract/deliveries.ts';
import type { Database } from '../../database/database.ts';
import type { Egress } from '../../egress/egress.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import { createCoalescingTask } from '../scheduling/coalescing-task.ts';
import { callReceiver } from './call-receiver.ts';
import { pauseAfter } from './retry-schedule.ts';
import { type DueDelivery, type WebhookStore, webhookChannel } from './webhook-store.ts';

/** Calls of receivers that a node has under way at once. */
const MOST_AT_ONCE = 16;
/** Those of them that are for jobs of one owner, so that slow receivers of one keep nobody else waiting. */
const MOST_OF_AN_OWNER = 4;
/** How often it is looked for what is due, since nobody is told when a pause is over. */
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
  /** Breaks off what is under way, for other nodes to take up. */
  close(): Promise<void>;
}

/**
 * Starts to deliver the last status events of jobs to those who want to hear of them, on as many nodes as there are: at
 * least once, and mostly once.
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
      const due = await store.claim(busyOwners());
      if (due === undefined) return;
      const settled = deliver(due)
        .catch((error: unknown) => log.error({ err: error, job: due.jobId }, 'a webhook is taken up again later'))
        .then(() => {
          underWay.delete(due);
          filling.request();
        });
      underWay.set(due, settled);
    }
  }

  async function look(): Promise<void> {
    if (underWay.size < MOST_AT_ONCE && (await store.isDue())) filling.request();
  }

  function busyOwners(): string[] {
    const owners = Map.groupBy(underWay.keys(), ({ owner }) => owner);
    return [...owners].flatMap(([owner, own]) => (own.length < MOST_OF_AN_OWNER ? [] : [owner]));
  }

  async function deliver(due: DueDelivery): Promise<void> {
    const { target, left } = due;
    const event = due.event ?? (due.status && eventOf(due.status));
    if (target === undefined || event === undefined) return await store.note(due, untried(secretLost), 'given_up');
    if (left <= 0) return await store.note(due, untried(tooLate), 'given_up');
    try {
      const sending = { egress, id: due.deliveryId, event, signal: closing.signal };
      const { verdict, retryAfter, ...tried } = await callReceiver(target, sending);
      const limits = { left: left - tried.milliseconds, retryAfter };
      const pause = verdict === 'failed' ? pauseAfter(due.tries + 1, limits) : undefined;
      const over = verdict === 'delivered' ? 'delivered' : 'given_up';
      const next = pause === undefined ? over : { pause, event };
      log.info({ job: due.jobId, delivery: due.deliveryId, status: tried.status, verdict }, 'webhook tried');
      await store.note(due, tried, next);
    } catch (error) {
      if (!closing.signal.aborted) throw error;
      await store.handBack(due);
    }
  }

  const stopHearing = await database.listen(webhookChannel, filling.request);
  const looking = createCoalescingTask(look, (error) =>
    log.error({ err: error }, 'due webhooks could not be looked for'),
  );
  const timer = setInterval(looking.request, LOOK_INTERVAL_MS);
  filling.request();

  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await stopHearing();
      await looking.settled();
      await filling.settled();
      await Promise.all(underWay.values());
    },
  };
}

const secretLost = 'Its address is sealed with a secret that is no longer known.';
const tooLate = 'The event could not be delivered within a day of the end of its job.';

function untried(error: string): DeliveryTry {
  return { at: new Date().toISOString(), milliseconds: 0, status: null, error };
}
