import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A connection that was cut without a word is noticed by asking something of it. */
const CHECK_INTERVAL_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Hears what is notified, over a connection of its own. */
export interface Listener {
  /** Returns how to stop. Settles when it listens, or when the database turns out to be out of reach for now. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /** Whether everything that is listened to is heard now. */
  readonly listening: boolean;
  close(): Promise<void>;
}

/**
 * Opens a listener; the connection is made for the first channel, and made again, in pauses that grow, whenever it
 * breaks. What was notified meanwhile is not heard.
 */
export function openListener(newClient: () => pg.Client, log: Logger): Listener {
  const channels = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let keeping: Promise<void> | undefined;

  /** One connection, from its making to its end. `ready` is called when it listens to everything. */
  async function hold(ready: () => void): Promise<void> {
    const own = newClient();
    const ended = Promise.withResolvers<void>();
    own.on('error', ended.reject);
    own.on('end', () => ended.reject(new Error('the connection was closed')));
    own.on('notification', ({ channel, payload = '' }) => {
      for (const heard of channels.get(channel) ?? []) heard(payload);
    });
    ended.promise.catch(() => undefined);
    try {
      await own.connect();
      for (const channel of channels.keys()) await own.query(`listen ${own.escapeIdentifier(channel)}`);
      client = own;
      ready();
      while (!closing.signal.aborted) {
        await Promise.race([ended.promise, delay(CHECK_INTERVAL_MS, undefined, { signal: closing.signal })]);
        await Promise.race([ended.promise, own.query('select 1'), tooLate()]);
      }
    } finally {
      client = undefined;
      // A server that does not answer would not take leave either.
      await Promise.race([own.end().catch(() => undefined), delay(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
    }
  }

  async function keep(settled: () => void): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!closing.signal.aborted) {
      try {
        await hold(() => {
          pause = FIRST_PAUSE_MS;
          settled();
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        log.warn({ err: error }, 'nothing is heard from the database for now; a new connection is made');
      }
      settled();
      await delay(pause, undefined, { signal: closing.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  return {
    async listen(channel, heard) {
      const audience = channels.get(channel) ?? new Set();
      const first = audience.size === 0;
      channels.set(channel, audience.add(heard));
      if (keeping === undefined) {
        const tried = Promise.withResolvers<void>();
        keeping = keep(tried.resolve);
        await tried.promise;
      } else if (first) await client?.query(`listen ${client.escapeIdentifier(channel)}`);
      return async () => {
        audience.delete(heard);
        if (audience.size === 0) {
          channels.delete(channel);
          await client?.query(`unlisten ${client.escapeIdentifier(channel)}`);
        }
      };
    },
    get listening() {
      return client !== undefined;
    },
    async close() {
      closing.abort();
      await keeping;
    },
  };
}

async function tooLate(): Promise<never> {
  await delay(CHECK_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('the database does not answer');
}
