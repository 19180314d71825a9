import { setImmediate } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../database/database.ts';
import { type StatusRow, statusesOf } from '../jobs/status-row.ts';
import { openStatusHub, type StatusHub } from './status-hub.ts';

/** A database of jobs that records how it is read. */
class FakeDatabase {
  readonly jobs = new Map<string, StatusRow>();
  /** The IDs of each read. */
  readonly reads: (readonly string[])[] = [];
  /** Maximum number of concurrent reads. */
  mostAtOnce = 0;
  /** Awaited by each read before it returns. */
  before: () => Promise<void> = async () => undefined;
  #atOnce = 0;
  #heard: (payload: string) => void = () => undefined;

  set(id: string, more: Partial<StatusRow> = {}): void {
    const file = {
      file_key: null,
      file_name: null,
      file_size: null,
      file_sha256: null,
      file_link: null,
      has_receipt: false,
      notes: null,
    };
    const failure = { error: null, error_code: null, retryable: null, error_input: null };
    const times = { delivery: null, request_id: null, test: false, created_at: new Date(0), expires_at: new Date(1) };
    this.jobs.set(id, { id, state: 'processing', progress: 50, ...failure, ...file, ...times, ...more });
  }

  /** Ends a job, and notifies the hub. */
  end(id: string, more: Partial<StatusRow> = {}): void {
    this.set(id, { state: 'failed', error: 'why', ...more });
    this.#heard(id);
  }

  readonly database: Database = {
    query: async <Row>(_text: string, [ids]: readonly unknown[] = []) => {
      const jobIds = ids as readonly string[];
      this.reads.push(jobIds);
      this.#atOnce += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
      try {
        await this.before();
        return jobIds.flatMap((id) => this.jobs.get(id) ?? []) as Row[];
      } finally {
        this.#atOnce -= 1;
      }
    },
    transaction: () => Promise.reject(new Error('the hub writes nothing')),
    listen: async (_channel, listener) => {
      this.#heard = listener;
      return async () => undefined;
    },
    state: () => ({ open: 1, idle: 1, waiting: 0, listening: true }),
    close: async () => undefined,
  };
}

let fake: FakeDatabase;
let hub: StatusHub;

async function open(log: Logger = pino({ level: 'silent' })): Promise<void> {
  hub = await openStatusHub(statusesOf(fake.database), () => 'https://files.example/a', log);
}

beforeEach(async () => {
  vi.useFakeTimers();
  fake = new FakeDatabase();
  await open();
});
afterEach(async () => {
  await hub.close();
  vi.useRealTimers();
});

interface ReceivedEvent {
  readonly status: string;
  readonly progress: number;
  readonly final: boolean;
}

/** Listens to a job, and records its events. */
function listen(id: string): { events: ReceivedEvent[]; stop: () => void } {
  const events: ReceivedEvent[] = [];
  const stop = hub.listen(id, { onEvent: (text, final) => events.push({ ...JSON.parse(text), final }) });
  return { events, stop };
}

/** Runs everything that does not wait for a timer. */
const settled = () => vi.advanceTimersByTimeAsync(0);

test('sends an event to a new listener immediately, and then once a second', async () => {
  fake.set('job');
  const { events } = listen('job');
  await settled();
  expect(events).toMatchObject([{ status: 'processing', progress: 50, final: false }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(events.length).toBe(11);
});

test('uses no timer without listeners, and restarts with the next listener', async () => {
  expect(vi.getTimerCount()).toBe(0);
  fake.set('job');
  const first = listen('job');
  await vi.advanceTimersByTimeAsync(1_000);
  first.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
  const { events } = listen('job');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(events.length).toBe(4);
});

test('sends an event to many listeners once a second, and reads their jobs in ten portions', async () => {
  const all = Array.from({ length: 1_000 }, (_, index) => {
    fake.set(`job-${index % 500}`);
    return listen(`job-${index % 500}`);
  });
  await settled();
  // The first event of all of them takes several turns of the event loop.
  while (all.some(({ events }) => events.length === 0)) await setImmediate();
  expect(fake.reads.length).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fake.reads.slice(1).map((ids) => ids.length)).toEqual(Array.from({ length: 100 }, () => 50));
  for (const { events } of all) expect(events.length).toBe(11);
});

test('sends the events of one job with many listeners in several turns of the event loop, in order', async () => {
  fake.set('one');
  const all = Array.from({ length: 1_000 }, () => listen('one'));
  const received = () => all.reduce((sum, { events }) => sum + events.length, 0);
  const turns: number[] = [];
  for (let before = 0; before < all.length; before = received()) {
    await setImmediate();
    turns.push(received() - before);
  }
  expect(Math.max(...turns)).toBeLessThanOrEqual(200);
  // A listener that leaves between two turns gets nothing more.
  fake.end('one');
  all.at(-1)?.stop();
  while (all.slice(0, -1).some(({ events }) => events.length < 2)) await setImmediate();
  for (const { events } of all.slice(0, -1)) expect(events.map(({ final }) => final)).toEqual([false, true]);
  expect(all.at(-1)?.events).toHaveLength(1);
});

test('never reads concurrently, however slow the database is; requests that arrive in the meantime are read together', async () => {
  const answer = Promise.withResolvers<void>();
  fake.before = () => answer.promise;
  const all = Array.from({ length: 50 }, (_, index) => {
    fake.set(`job-${index}`);
    return listen(`job-${index}`);
  });
  await vi.advanceTimersByTimeAsync(30_000);
  const late = listen('job-0');
  fake.set('job-50');
  all.push(listen('job-50'));
  fake.end('job-1');
  expect(fake.reads.length).toBe(1);
  fake.before = async () => undefined;
  answer.resolve();
  await settled();
  expect(fake.mostAtOnce).toBe(1);
  expect(late.events.length).toBeGreaterThan(0);
  for (const { events } of all) expect(events.length).toBeLessThan(5);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(all[1]?.events.at(-1)).toMatchObject({ status: 'failed', final: true });
  expect(all[50]?.events.length).toBeGreaterThan(0);
});

test('does not report a job as missing if its first listener arrives during a read', async () => {
  const answer = Promise.withResolvers<void>();
  fake.set('first');
  listen('first');
  await settled();
  fake.before = () => answer.promise;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fake.reads.length).toBe(2);
  // These jobs are spread over all portions, including the one that is being read.
  const all = Array.from({ length: 20 }, (_, index) => {
    fake.set(`job-${index}`);
    return listen(`job-${index}`);
  });
  answer.resolve();
  await vi.advanceTimersByTimeAsync(100);
  for (const { events } of all) expect(events[0]).toMatchObject({ status: 'processing', final: false });
});

test('sends the end of a job to all its listeners immediately, once, and nothing after it', async () => {
  fake.set('job');
  const all = Array.from({ length: 20 }, () => listen('job'));
  await vi.advanceTimersByTimeAsync(250);
  fake.end('job');
  await settled();
  const ends = all.map(({ events }) => events.at(-1));
  for (const end of ends) expect(end).toMatchObject({ status: 'failed', error: 'why', final: true });
  const reads = fake.reads.length;
  await vi.advanceTimersByTimeAsync(5_000);
  for (const { events } of all) expect(events.filter(({ final }) => final).length).toBe(1);
  expect(fake.reads.length).toBe(reads);
});

test('sends the end of a job within a second even without a notification', async () => {
  fake.set('job');
  const { events } = listen('job');
  await settled();
  fake.set('job', { state: 'failed' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(events.at(-1)).toMatchObject({ status: 'failed', final: true });
});

test('sends nothing to a listener that has stopped, and no longer reads its job', async () => {
  fake.set('job');
  const { events, stop } = listen('job');
  stop();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(events).toEqual([]);
  expect(fake.reads.length).toBeLessThanOrEqual(1);
});

test('sends not_found once for an ID without a job, and for a text that cannot be an ID', async () => {
  const none = listen('none');
  const never = listen('\u0000');
  await vi.advanceTimersByTimeAsync(3_000);
  for (const { events } of [none, never]) expect(events).toMatchObject([{ status: 'not_found', final: true }]);
});

test('logs a database failure once, and resumes sending events when the database works again', async () => {
  await hub.close();
  const lines: string[] = [];
  await open(pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) }));
  fake.set('job');
  fake.before = () => Promise.reject(new Error('connection refused'));
  const { events } = listen('job');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toEqual(['the status of jobs could not be read']);
  fake.before = async () => undefined;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(events.length).toBe(1);
  expect(lines).toEqual(['the status of jobs could not be read', 'the status of jobs can be read again']);
});
