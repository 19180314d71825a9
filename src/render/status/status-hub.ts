import type { Logger } from 'pino';
import { isJobId } from '../../contract/job-id.ts';
import { finalChannel } from '../jobs/job-states.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { startTicker, type Ticker } from '../scheduling/ticker.ts';
import { type EncodedEvent, encodeNotFoundEvent, encodeStatusEvent, type FileUrlBuilder } from './status-event.ts';
import { Subscribers } from './subscribers.ts';

/** Receives the status events of one job. */
export interface StatusListener {
  /** Takes the next event as JSON text. After a final one nothing follows. */
  onEvent(text: string, final: boolean): void;
}

/** Sends any number of listeners the status of their jobs once a second, and the end of a job at once. */
export interface StatusHub {
  /** Listens to a job; the first event comes as soon as it is read. Returns how to stop. */
  listen(jobId: string, listener: StatusListener): () => void;
  close(): Promise<void>;
}

const EVENT_INTERVAL_MS = 1_000;
/** A second's events go out in so many portions, so that neither the process nor the database is busy for long. */
const PORTIONS = 10;

type Listeners = ReadonlySet<StatusListener>;

/**
 * Opens the hub: each job that has listeners is read once a second, together with those of its portion, and all its
 * listeners get the text of one event. Reads follow each other, however slow the database is, so a listener's progress
 * never goes back, and nothing piles up.
 */
export async function openStatusHub(statuses: Statuses, linkTo: FileUrlBuilder, log: Logger): Promise<StatusHub> {
  const subscribers = new Subscribers<StatusListener>(PORTIONS);
  /** Listeners to notify at once: new ones, and all of jobs that are over. */
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
    // Listeners of jobs that are added while the database is read are not part of this read.
    const entries = [...jobs];
    const rows = await statuses.read(entries.map(([id]) => id));
    if (failing) log.info('the status of jobs can be read again');
    failing = false;
    for (const [id, listeners] of entries) {
      const event = encodeStatusEvent(id, rows.get(id), linkTo);
      for (const listener of listeners) deliver(id, listener, event);
    }
  }

  function deliver(id: string, listener: StatusListener, event: EncodedEvent): void {
    // It may have received the final event, or stopped listening, while the event was made.
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
  /** Undefined while there are no listeners, so that an idle process sleeps. */
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
        // Never the id of a job, and perhaps not even text that the database takes.
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
