import type { Logger } from 'pino';
import type { DeliveryAttempt } from '../../contract/deliveries.ts';
import type { Database } from '../../database/database.ts';
import type { Egress } from '../../egress/egress.ts';
import { noTracing, type Tracer } from '../../tracing/tracer.ts';
import { createCoalescingTask } from '../../waiting/coalescing-task.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import { type CallOutcome, callReceiver } from './call-receiver.ts';
import { retryDelay } from './retry-schedule.ts';
import { type DueDelivery, type WebhookStore, webhookChannel } from './webhook-store.ts';

/** Maximum number of concurrent calls to receivers per node. */
const MAX_CONCURRENT = 16;
/** Maximum number of those calls for jobs of one owner, so that slow receivers of one owner do not delay others. */
const MAX_PER_OWNER = 4;
/** Interval between checks for due events: no notification announces that a retry is due. */
const POLL_INTERVAL_MS = 1_000;

/** Dependencies of delivering events. */
interface DeliveryServices {
  readonly database: Pick<Database, 'listen'>;
  readonly store: WebhookStore;
  readonly egress: Egress;
  /** Returns the last status event of a job as JSON text. */
  readonly encodeEvent: (status: StatusRow) => string;
  readonly tracer?: Tracer;
  readonly log: Logger;
}

/** Delivers events until it is closed. */
export interface DeliveryLoop {
  /** Aborts calls in progress; other nodes take them over. */
  close(): Promise<void>;
}

/**
 * Starts delivering the last status events of jobs to their webhooks, on any number of nodes: at least once, and
 * usually exactly once.
 */
export async function startDeliveries({
  database,
  store,
  egress,
  encodeEvent,
  tracer = noTracing,
  log,
}: DeliveryServices): Promise<DeliveryLoop> {
  const inFlight = new Map<DueDelivery, Promise<void>>();
  const closing = new AbortController();
  const filling = createCoalescingTask(fill, (error) => log.error({ err: error }, 'no webhook could be claimed'));

  async function fill(): Promise<void> {
    while (!closing.signal.aborted && inFlight.size < MAX_CONCURRENT) {
      const delivery = await store.claim(busyOwners());
      if (delivery === undefined) return;
      const settled = deliver(delivery)
        .catch((error: unknown) =>
          log.error({ err: error, ...bindingsOf(delivery) }, 'a webhook failed and will be claimed again later'),
        )
        .then(() => {
          inFlight.delete(delivery);
          filling.request();
        });
      inFlight.set(delivery, settled);
    }
  }

  async function poll(): Promise<void> {
    if (inFlight.size < MAX_CONCURRENT && (await store.isDue())) filling.request();
  }

  function busyOwners(): string[] {
    const owners = Map.groupBy(inFlight.keys(), ({ owner }) => owner);
    return [...owners].flatMap(([owner, own]) => (own.length < MAX_PER_OWNER ? [] : [owner]));
  }

  async function deliver(delivery: DueDelivery): Promise<void> {
    const { target, owner, remainingMs } = delivery;
    const event = delivery.event ?? (delivery.status && encodeEvent(delivery.status));
    if (target === undefined || event === undefined)
      return await store.recordAttempt(delivery, failedAttempt(secretLostMessage), 'given_up');
    if (remainingMs <= 0) return await store.recordAttempt(delivery, failedAttempt(tooLateMessage), 'given_up');
    try {
      const request = { egress, owner, id: delivery.deliveryId, event, signal: closing.signal };
      const { verdict, retryAfter, ...attempt } = await traced(delivery, () => callReceiver(target, request));
      const limits = { remainingMs: remainingMs - attempt.milliseconds, retryAfter };
      const pause = verdict === 'failed' ? retryDelay(delivery.tries + 1, limits) : undefined;
      const over = verdict === 'delivered' ? 'delivered' : 'given_up';
      const next = pause === undefined ? over : { pause, event };
      log.info(
        { ...bindingsOf(delivery), status: attempt.status, verdict, milliseconds: attempt.milliseconds },
        'webhook tried',
      );
      await store.recordAttempt(delivery, attempt, next);
    } catch (error) {
      if (!closing.signal.aborted) throw error;
      await store.release(delivery);
    }
  }

  /** Makes a call in a span. It belongs to the trace of the request that started the job. */
  function traced(
    { traceContext, jobId, deliveryId, tries }: DueDelivery,
    call: () => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    const attributes = { 'millrace.job.id': jobId, 'millrace.delivery.id': deliveryId, 'millrace.attempt': tries + 1 };
    return tracer.continueTrace(traceContext, 'deliver webhook', attributes, async () => {
      const outcome = await call();
      const { status, verdict } = outcome;
      if (status !== null) tracer.annotate({ 'http.response.status_code': status });
      if (verdict !== 'delivered') tracer.fail(status === null ? 'connection_error' : 'non_2xx_response');
      return outcome;
    });
  }

  const unlisten = await database.listen(webhookChannel, filling.request);
  const polling = createCoalescingTask(poll, (error) =>
    log.error({ err: error }, 'due webhooks could not be looked up'),
  );
  const timer = setInterval(polling.request, POLL_INTERVAL_MS);
  filling.request();

  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await unlisten();
      await polling.settled();
      await filling.settled();
      await Promise.all(inFlight.values());
    },
  };
}

/** Returns the members of every log line about a delivery. */
function bindingsOf({ jobId, deliveryId, requestId }: DueDelivery) {
  return { job: jobId, delivery: deliveryId, requestId };
}

const secretLostMessage = "The webhook's URL was encrypted with a secret that the service no longer has.";
const tooLateMessage = 'The event could not be delivered within a day after its job ended.';

function failedAttempt(error: string): DeliveryAttempt {
  return { at: new Date().toISOString(), milliseconds: 0, status: null, error };
}
