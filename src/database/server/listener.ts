import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { sleep } from '../../waiting/sleep.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Receives notifications over a connection of its own. */
export interface Listener {
  /** Calls back until the returned function is called. Settles when it listens, or cannot listen for now. */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  /** Whether notifications of all channels arrive now. */
  readonly listening: boolean;
  close(): Promise<void>;
}

/** What a listener needs. */
interface ListenerServices {
  /** A connection that stays with its server process; not connected yet. */
  readonly newClient: () => pg.Client;
  /** Notifies a channel as the rest of the service does. */
  readonly notify: (channel: string) => Promise<void>;
  /** Milliseconds between two checks that notifications arrive. */
  readonly checkInterval: number;
  readonly log: Logger;
}

/**
 * Opens a listener. It connects for the first channel, and reconnects with growing pauses whenever the connection breaks.
 * Notifications of the meantime are missed. It notifies a channel of its own to check that notifications arrive: a dead
 * connection is silent, and so is a pooler.
 */
export function openListener({ newClient, notify, checkInterval, log }: ListenerServices): Listener {
  const echo = `millrace_echo_${randomUUID()}`;
  const channels = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let keeping: Promise<void> | undefined;

  const listenTo = (own: pg.Client, channel: string) => own.query(`listen ${own.escapeIdentifier(channel)}`);

  /** Holds one connection until it ends. Calls `ready` when it listens to all channels. */
  async function hold(ready: () => void): Promise<void> {
    const own = newClient();
    const ended = Promise.withResolvers<never>();
    let received = Promise.withResolvers<void>();
    own.on('error', ended.reject);
    own.on('end', () => ended.reject(new Error('the connection was closed')));
    own.on('notification', ({ channel, payload = '' }) => {
      if (channel === echo) received.resolve();
      for (const listener of channels.get(channel) ?? []) listener(payload);
    });
    ended.promise.catch(() => undefined);
    const check = async () => {
      received = Promise.withResolvers();
      await Promise.race([ended.promise, Promise.all([notify(echo), received.promise]), tooLate()]);
    };
    try {
      await own.connect();
      await listenTo(own, echo);
      await check();
      for (const channel of channels.keys()) await listenTo(own, channel);
      client = own;
      ready();
      while (!closing.signal.aborted) {
        await Promise.race([ended.promise, sleep(checkInterval, closing.signal)]);
        await check();
      }
    } finally {
      client = undefined;
      // A server that does not answer would not end the connection either.
      await Promise.race([own.end().catch(() => undefined), sleep(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
    }
  }

  async function keep(settled: () => void): Promise<void> {
    let next = FIRST_PAUSE_MS;
    let deaf = false;
    while (!closing.signal.aborted) {
      try {
        await hold(() => {
          next = FIRST_PAUSE_MS;
          if (deaf) log.info('the database is heard again');
          deaf = false;
          settled();
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        // Warned once: the next attempts fail for the same reason.
        log[deaf ? 'debug' : 'warn'](
          { err: error },
          'nothing is heard from the database for now: it is looked at once a second instead, and tried again. ' +
            'Behind a pooler, set DATABASE_LISTEN_URL to its direct address',
        );
        deaf = true;
      }
      settled();
      await sleep(next, closing.signal).catch(() => undefined);
      next = Math.min(next * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Changes the channels of the connection. If that fails, the next connection listens to all channels. */
  async function change(command: 'listen' | 'unlisten', channel: string): Promise<void> {
    const own = client;
    if (own === undefined) return;
    try {
      await own.query(`${command} ${own.escapeIdentifier(channel)}`);
    } catch (error) {
      log.warn({ err: error, channel }, 'the connection that listens is given up');
      own.end(() => undefined);
    }
  }

  return {
    async listen(channel, listener) {
      const listeners = channels.get(channel) ?? new Set();
      const first = listeners.size === 0;
      channels.set(channel, listeners.add(listener));
      if (keeping === undefined) {
        const tried = Promise.withResolvers<void>();
        keeping = keep(tried.resolve);
        await tried.promise;
      } else if (first) await change('listen', channel);
      return async () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        channels.delete(channel);
        await change('unlisten', channel);
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
  await sleep(CHECK_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('what is notified does not come back');
}
