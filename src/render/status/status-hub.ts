import type { Logger } from 'pino';
import { isJobId } from '../../contract/job-id.ts';
import { finalChannel } from '../jobs/states.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { describe, type LinkMaker, notFound, type StatusText } from './status-event.ts';
import { Audiences } from './subscribers.ts';
import { type Rounds, startRounds } from './ticker.ts';

/** Hears of one job. */
export interface StatusListener {
  /** Takes the next event as JSON text. After a final one nothing follows. */
  event(text: string, final: boolean): void;
}

/** Tells any number of listeners, once a second, how their jobs stand, and of a job's end at once. */
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
 * Opens the hub: each job that is listened to is read once a second, together with those of its portion, and one
 * event's text goes to all who listen to it. One thing is read at a time, however slow the database is: what a listener
 * is told never goes back, and nothing piles up.
 */
export async function openStatusHub(statuses: Statuses, linkTo: LinkMaker, log: Logger): Promise<StatusHub> {
  const audiences = new Audiences<StatusListener>(PORTIONS);
  /** Who is to be told at once: new listeners, and all of jobs that are over. */
  let urgent = new Map<string, Set<StatusListener>>();
  let reading = Promise.resolve();
  let failing = false;

  /** Does it after all that was asked for before. */
  function inTurn(work: () => Promise<void>): void {
    reading = reading.then(work).catch(report);
  }

  /** Once for all that fail in a row; whoever listens hears again when it works. */
  function report(error: unknown): void {
    if (!failing) log.error({ err: error }, 'the status of jobs could not be read');
    failing = true;
  }

  async function tell(whom: ReadonlyMap<string, Listeners>): Promise<void> {
    if (whom.size === 0) return;
    // Whoever begins to listen while the database answers is not meant by the answer.
    const asked = [...whom];
    const rows = await statuses.read(asked.map(([id]) => id));
    if (failing) log.info('the status of jobs can be read again');
    failing = false;
    for (const [id, listeners] of asked) {
      const event = describe(id, rows.get(id), linkTo);
      for (const listener of listeners) deliver(id, listener, event);
    }
  }

  function deliver(id: string, listener: StatusListener, event: StatusText): void {
    // It may have heard of the end, or stopped listening, while the event was made.
    if (!audiences.of(id)?.has(listener)) return;
    if (event.final) audiences.delete(id, listener);
    listener.event(event.text, event.final);
  }

  function tellSoon(id: string, listeners: Iterable<StatusListener>): void {
    if (urgent.size === 0) {
      inTurn(() => {
        const whom = urgent;
        urgent = new Map();
        return tell(whom);
      });
    }
    const waiting = urgent.get(id) ?? new Set();
    urgent.set(id, waiting);
    for (const listener of listeners) waiting.add(listener);
  }

  const stopHearing = await statuses.listen(finalChannel, (id) => {
    const audience = audiences.of(id);
    if (audience !== undefined) tellSoon(id, audience);
  });
  /** Undefined while nobody listens, so that an idle process sleeps. */
  let rounds: Rounds | undefined;
  const tellPortion = (portion: number) => {
    if (audiences.isEmpty) stopRounds();
    inTurn(() => tell(audiences.part(portion)));
    return reading;
  };
  function stopRounds(): void {
    rounds?.stop();
    rounds = undefined;
  }

  return {
    listen(jobId, listener) {
      if (!isJobId(jobId)) {
        // Never the id of a job, and perhaps not even text that the database takes.
        listener.event(notFound(jobId).text, true);
        return () => undefined;
      }
      audiences.add(jobId, listener);
      rounds ??= startRounds(EVENT_INTERVAL_MS, PORTIONS, tellPortion);
      tellSoon(jobId, [listener]);
      return () => audiences.delete(jobId, listener);
    },
    async close() {
      stopRounds();
      await stopHearing();
      await reading;
    },
  };
}
