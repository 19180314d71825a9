import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { sleep } from '../../waiting/sleep.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
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
  let connectionLoop: Promise<void> | undefined;

  const listenTo = (connection: pg.Client, channel: string) =>
    connection.query(`listen ${connection.escapeIdentifier(channel)}`);

  /** Holds one connection until it ends. Calls `ready` when it listens to all channels. */
  async function runConnection(onReady: () => void): Promise<void> {
    const connection = newClient();
    const ended = Promise.withResolvers<never>();
    let echoReceived = Promise.withResolvers<void>();
    connection.on('error', ended.reject);
    connection.on('end', () => ended.reject(new Error('the connection was closed')));
    connection.on('notification', ({ channel, payload = '' }) => {
      if (channel === echo) echoReceived.resolve();
      for (const listener of channels.get(channel) ?? []) listener(payload);
    });
    ended.promise.catch(() => undefined);
    const check = async () => {
      echoReceived = Promise.withResolvers();
      await Promise.race([ended.promise, Promise.all([notify(echo), echoReceived.promise]), rejectAfterTimeout()]);
    };
    try {
      await connection.connect();
      await listenTo(connection, echo);
      await check();
      for (const channel of channels.keys()) await listenTo(connection, channel);
      client = connection;
      onReady();
      while (!closing.signal.aborted) {
        await Promise.race([ended.promise, sleep(checkInterval, closing.signal)]);
        await check();
      }
    } finally {
      client = undefined;
      // A server that does not answer would not end the connection either.
      await Promise.race([connection.end().catch(() => undefined), sleep(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
    }
  }

  async function stayConnected(onAttempt: () => void): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let isDisconnected = false;
    while (!closing.signal.aborted) {
      try {
        await runConnection(() => {
          pauseMs = FIRST_PAUSE_MS;
          if (isDisconnected) log.info('the database is heard again');
          isDisconnected = false;
          onAttempt();
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        // Warned once: the next attempts fail for the same reason.
        log[isDisconnected ? 'debug' : 'warn'](
          { err: error },
          'nothing is heard from the database for now: it is looked at once a second instead, and tried again. ' +
            'Behind a pooler, set DATABASE_LISTEN_URL to its direct address',
        );
        isDisconnected = true;
      }
      onAttempt();
      await sleep(pauseMs, closing.signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  /** Changes the channels of the connection. If that fails, the next connection listens to all channels. */
  async function changeChannel(command: 'listen' | 'unlisten', channel: string): Promise<void> {
    const connection = client;
    if (connection === undefined) return;
    try {
      await connection.query(`${command} ${connection.escapeIdentifier(channel)}`);
    } catch (error) {
      log.warn({ err: error, channel }, 'the connection that listens is given up');
      connection.end(() => undefined);
    }
  }

  return {
    async listen(channel, listener) {
      const listeners = channels.get(channel) ?? new Set();
      const first = listeners.size === 0;
      channels.set(channel, listeners.add(listener));
      if (connectionLoop === undefined) {
        const firstAttempt = Promise.withResolvers<void>();
        connectionLoop = stayConnected(firstAttempt.resolve);
        await firstAttempt.promise;
      } else if (first) await changeChannel('listen', channel);
      return async () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        channels.delete(channel);
        await changeChannel('unlisten', channel);
      };
    },
    get listening() {
      return client !== undefined;
    },
    async close() {
      closing.abort();
      await connectionLoop;
    },
  };
}

async function rejectAfterTimeout(): Promise<never> {
  await sleep(CHECK_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('what is notified does not come back');
}
