import type { Logger } from 'pino';
import { jobIdPattern } from '../contract/job.ts';
import { type JobState, type NotFoundEvent, type RenderStatusEvent, sizeText } from '../contract/status.ts';
import type { Database } from '../database/database.ts';
import { finalChannel } from './states.ts';

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

/** A finished file, as its job's row names it. */
export interface FinishedFile {
  readonly key: string;
  readonly link: string;
  readonly name: string;
  readonly expiresAt: Date;
}

/** Makes the public address of a file. */
export type LinkMaker = (file: FinishedFile) => Promise<string>;

const EVENT_INTERVAL_MS = 1_000;

interface StatusRow {
  id: string;
  state: JobState;
  progress: number;
  error: string | null;
  file_key: string | null;
  file_name: string | null;
  file_size: number | null;
  file_link: string | null;
  created_at: Date;
  expires_at: Date;
}

/**
 * Opens the hub: one query a second for all jobs that are listened to, and one event's text for all who listen to it.
 */
export async function openStatusHub(database: Database, linkTo: LinkMaker, log: Logger): Promise<StatusHub> {
  const listeners = new Map<string, Set<StatusListener>>();

  async function read(ids: readonly string[]): Promise<Map<string, StatusRow>> {
    const rows = await database.query<StatusRow>(
      `select j.id, j.state, coalesce(p.progress, j.progress) as progress, j.error,
         j.file_key, j.file_name, j.file_size::float8 as file_size, j.file_link, j.created_at, j.expires_at
       from render_jobs j left join render_progress p using (run)
       where j.id = any($1) and j.expires_at > now()`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Tells everyone who listens to one of the jobs. */
  async function tell(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await read(ids);
    for (const id of ids) {
      const audience = listeners.get(id) ?? new Set();
      const event = await describe(id, rows.get(id), linkTo);
      for (const listener of audience) deliver(id, listener, event);
    }
  }

  async function tellOne(id: string, listener: StatusListener): Promise<void> {
    const rows = await read([id]);
    deliver(id, listener, await describe(id, rows.get(id), linkTo));
  }

  function deliver(id: string, listener: StatusListener, event: Event): void {
    // It may have heard of the end, or stopped listening, while the event was made.
    if (!listeners.get(id)?.has(listener)) return;
    if (event.final) stopListening(id, listener);
    listener.event(event.text, event.final);
  }

  function stopListening(id: string, listener: StatusListener): void {
    const audience = listeners.get(id);
    audience?.delete(listener);
    if (audience?.size === 0) listeners.delete(id);
  }

  const report = (error: unknown) => log.error({ err: error }, 'the status of jobs could not be read');
  const stopHearing = await database.listen(finalChannel, (id) => {
    if (listeners.has(id)) tell([id]).catch(report);
  });
  const timer = setInterval(() => tell([...listeners.keys()]).catch(report), EVENT_INTERVAL_MS);

  return {
    listen(jobId, listener) {
      if (!jobId.match(jobIdPattern)) {
        // Never the id of a job, and perhaps not even text that the database takes.
        listener.event(notFound(jobId).text, true);
        return () => undefined;
      }
      const audience = listeners.get(jobId) ?? new Set();
      listeners.set(jobId, audience.add(listener));
      tellOne(jobId, listener).catch(report);
      return () => stopListening(jobId, listener);
    },
    async close() {
      clearInterval(timer);
      await stopHearing();
      listeners.clear();
    },
  };
}

/** An event as text, and whether it is the last one. */
interface Event {
  readonly text: string;
  readonly final: boolean;
}

function notFound(id: string): Event {
  const error = 'No job has this id: it was never started, or has expired.';
  const event: NotFoundEvent = { id, status: 'not_found', error };
  return { text: JSON.stringify(event), final: true };
}

async function describe(id: string, row: StatusRow | undefined, linkTo: LinkMaker): Promise<Event> {
  if (row === undefined) return notFound(id);
  const event: RenderStatusEvent = {
    job_id: row.id,
    status: row.state,
    progress: row.progress,
    output: await outputOf(row, linkTo),
    error: row.error,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
  return { text: JSON.stringify(event), final: row.state === 'done' || row.state === 'failed' };
}

async function outputOf(row: StatusRow, linkTo: LinkMaker): Promise<RenderStatusEvent['output']> {
  const { state, file_key: key, file_name: name, file_size: size, file_link: link, expires_at: expiresAt } = row;
  if (state !== 'done' || key === null || name === null || size === null || link === null) return null;
  return { url: await linkTo({ key, link, name, expiresAt }), size, sizeText: sizeText(size), key };
}
