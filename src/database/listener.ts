import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { pause } from '../waiting/pause.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Hears what is notified, over a connection of its own. */
export interface Listener {
  /** Returns how to stop. Settles when it listens, or when nothing can be heard for now. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /** Whether everything that is listened to is heard now. */
  readonly listening: boolean;
  close(): Promise<void>;
}

/** What a listener needs. */
export interface ListenerServices {
  /** A connection that stays with its server process; not connected yet. */
  readonly newClient: () => pg.Client;
  /** Notifies a channel in the way that the rest of the service does. */
  readonly notify: (channel: string) => Promise<void>;
  /** Milliseconds between two checks of whether anything is heard. */
  readonly checkInterval: number;
  readonly log: Logger;
}

/**
 * Opens a listener; the connection is made for the first channel, and made again, in pauses that grow, whenever it
 * breaks. What was notified meanwhile is not heard. Whether anything is heard at all is found out by calling and
 * listening for the echo: a connection that was cut without a word is silent, and so is a pooler.
 */
export function openListener({ newClient, notify, checkInterval, log }: ListenerServices): Listener {
  const echo = `millrace_echo_${randomUUID()}`;
  const channels = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let keeping: Promise<void> | undefined;

  const listenTo = (own: pg.Client, channel: string) => own.query(`listen ${own.escapeIdentifier(channel)}`);

  /** One connection, from its making to its end. `ready` is called when it listens to everything. */
  async function hold(ready: () => void): Promise<void> {
    const own = newClient();
    const ended = Promise.withResolvers<never>();
    let echoed = Promise.withResolvers<void>();
    own.on('error', ended.reject);
    own.on('end', () => ended.reject(new Error('the connection was closed')));
    own.on('notification', ({ channel, payload = '' }) => {
      if (channel === echo) echoed.resolve();
      for (const heard of channels.get(channel) ?? []) heard(payload);
    });
    ended.promise.catch(() => undefined);
    const check = async () => {
      echoed = Promise.withResolvers();
      await Promise.race([ended.promise, Promise.all([notify(echo), echoed.promise]), tooLate()]);
    };
    try {
      await own.connect();
      await listenTo(own, echo);
      await check();
      for (const channel of channels.keys()) await listenTo(own, channel);
      client = own;
      ready();
      while (!closing.signal.aborted) {
        await Promise.race([ended.promise, pause(checkInterval, closing.signal)]);
        await check();
      }
    } finally {
      client = undefined;
      // A server that does not answer would not take leave either.
      await Promise.race([own.end().catch(() => undefined), pause(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
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
        // Said once: the attempts to come fail for the same reason.
        log[deaf ? 'debug' : 'warn'](
          { err: error },
          'nothing is heard from the database for now: it is looked at once a second instead, and tried again. ' +
            'Behind a pooler, set DATABASE_LISTEN_URL to its direct address',
        );
        deaf = true;
      }
      settled();
      await pause(next, closing.signal).catch(() => undefined);
      next = Math.min(next * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Has the connection change what it listens to. One that fails is given up: the next one listens to what is wanted. */
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
    async listen(channel, heard) {
      const audience = channels.get(channel) ?? new Set();
      const first = audience.size === 0;
      channels.set(channel, audience.add(heard));
      if (keeping === undefined) {
        const tried = Promise.withResolvers<void>();
        keeping = keep(tried.resolve);
        await tried.promise;
      } else if (first) await change('listen', channel);
      return async () => {
        audience.delete(heard);
        if (audience.size > 0) return;
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
  await pause(CHECK_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('what is notified does not come back');
}
