import type { Logger } from 'pino';
import { isJobId } from '../../contract/job-id.ts';
import { nextSlice } from '../../waiting/steps.ts';
import { finalChannel } from '../jobs/job-states.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { startTicker, type Ticker } from '../scheduling/ticker.ts';
import { type EncodedEvent, encodeNotFoundEvent, encodeStatusEvent, type FileUrlBuilder } from './status-event.ts';
import { Subscribers } from './subscribers.ts';

/** Receives the status events of one job. */
export interface StatusListener {
  /** Called with the next event as JSON text. No event follows a final one. */
  onEvent(text: string, final: boolean): void;
}

/** Sends the status of jobs to any number of listeners once a second, and the end of a job immediately. */
export interface StatusHub {
  /** Listens to a job; the first event is sent as soon as it is read. Returns a function that stops listening. */
  listen(jobId: string, listener: StatusListener): () => void;
  close(): Promise<void>;
}

const EVENT_INTERVAL_MS = 1_000;
/**
 * Number of portions in which a second's events are sent, so that neither the process nor the database is busy for
 * long.
 */
const PORTIONS = 10;
/**
 * Number of events that are sent in one turn of the event loop, in a few milliseconds. One job can have all listeners of
 * the process.
 */
const LISTENERS_PER_TURN = 200;

type Listeners = ReadonlySet<StatusListener>;

/**
 * Opens the hub. Each job with listeners is read once a second, together with the others in its portion, and all its
 * listeners get the text of the same event. Reads never overlap, however slow the database is, so a listener's progress
 * never goes back, and no backlog builds up.
 */
export async function openStatusHub(statuses: Statuses, linkTo: FileUrlBuilder, log: Logger): Promise<StatusHub> {
  const subscribers = new Subscribers<StatusListener>(PORTIONS);
  /** Listeners to notify immediately: new listeners, and all listeners of finished jobs. */
  let urgent = new Map<string, Set<StatusListener>>();
  let reading = Promise.resolve();
  let failing = false;

  /** Runs work after all earlier work. */
  function enqueue(work: () => Promise<void>): void {
    reading = reading.then(work).catch(logFailure);
  }

  /** Logs the first of several failures in a row; listeners get events again when reading succeeds. */
  function logFailure(error: unknown): void {
    if (!failing) log.error({ err: error }, 'the status of jobs could not be read');
    failing = true;
  }

  async function notify(jobs: ReadonlyMap<string, Listeners>): Promise<void> {
    if (jobs.size === 0) return;
    // Jobs whose first listener is added during the read are not part of it.
    const entries = [...jobs];
    const rows = await statuses.read(entries.map(([id]) => id));
    if (failing) log.info('the status of jobs can be read again');
    failing = false;
    let delivered = 0;
    for (const [id, listeners] of entries) {
      const event = encodeStatusEvent(id, rows.get(id), linkTo);
      for (const listener of listeners) {
        deliver(id, listener, event);
        delivered += 1;
        if (delivered % LISTENERS_PER_TURN === 0) await nextSlice();
      }
    }
  }

  function deliver(id: string, listener: StatusListener, event: EncodedEvent): void {
    // The listener may have received the final event, or stopped listening, in the meantime.
    if (!subscribers.of(id)?.has(listener)) return;
    if (event.final) subscribers.delete(id, listener);
    listener.onEvent(event.text, event.final);
  }

  function notifyAtOnce(id: string, listeners: Iterable<StatusListener>): void {
    if (urgent.size === 0) {
      enqueue(() => {
        const jobs = urgent;
        urgent = new Map();
        return notify(jobs);
      });
    }
    const waiting = urgent.get(id) ?? new Set();
    urgent.set(id, waiting);
    for (const listener of listeners) waiting.add(listener);
  }

  const unlisten = await statuses.listen(finalChannel, (id) => {
    const listeners = subscribers.of(id);
    if (listeners !== undefined) notifyAtOnce(id, listeners);
  });
  /** Undefined while there are no listeners, so that an idle process does not wake up. */
  let ticker: Ticker | undefined;
  const notifyPortion = (portion: number) => {
    if (subscribers.isEmpty) stopTicker();
    enqueue(() => notify(subscribers.group(portion)));
    return reading;
  };
  function stopTicker(): void {
    ticker?.stop();
    ticker = undefined;
  }

  return {
    listen(jobId, listener) {
      if (!isJobId(jobId)) {
        // Such a text is never the ID of a job, and the database may not even accept it.
        listener.onEvent(encodeNotFoundEvent(jobId).text, true);
        return () => undefined;
      }
      subscribers.add(jobId, listener);
      ticker ??= startTicker(EVENT_INTERVAL_MS, PORTIONS, notifyPortion);
      notifyAtOnce(jobId, [listener]);
      return () => subscribers.delete(jobId, listener);
    },
    async close() {
      stopTicker();
      await unlisten();
      await reading;
    },
  };
}
