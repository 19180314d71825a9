import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { sleep } from '../../waiting/sleep.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Receives notifications over a dedicated connection. */
export interface Listener {
  /**
   * Calls `listener` for each notification until the returned function is called. Settles when it is listening, or
   * cannot listen for now.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  /** Whether notifications of all channels currently arrive. */
  readonly listening: boolean;
  close(): Promise<void>;
}

/** Dependencies of a listener. */
interface ListenerServices {
  /** Creates an unconnected client for a connection that stays with its server process. */
  readonly newClient: () => pg.Client;
  /** Notifies a channel in the same way as the rest of the service. */
  readonly notify: (channel: string) => Promise<void>;
  /** Milliseconds between two checks that notifications arrive. */
  readonly checkInterval: number;
  readonly log: Logger;
}

/**
 * Opens a listener. It connects for the first channel, and reconnects with growing pauses whenever the connection
 * breaks. Notifications in the meantime are missed. It notifies a dedicated channel to check that notifications arrive,
 * because both a dead connection and a pooler are silent.
 */
export function openListener({ newClient, notify, checkInterval, log }: ListenerServices): Listener {
  const echo = `millrace_echo_${randomUUID()}`;
  const channels = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let connectionLoop: Promise<void> | undefined;

  const listenTo = (connection: pg.Client, channel: string) =>
    connection.query(`listen ${connection.escapeIdentifier(channel)}`);

  /** Holds one connection until it ends. Calls `onReady` when it is listening on all channels. */
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
      // A server that does not respond would not end the connection either.
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
          if (isDisconnected) log.info('database notifications arrive again');
          isDisconnected = false;
          onAttempt();
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        // Logged as a warning only once, because the next attempts fail for the same reason.
        log[isDisconnected ? 'debug' : 'warn'](
          { err: error },
          'no database notifications arrive for now, so the database is polled every second until they do. ' +
            'Behind a pooler, set DATABASE_LISTEN_URL to the direct address of the database',
        );
        isDisconnected = true;
      }
      onAttempt();
      await sleep(pauseMs, closing.signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  /** Changes the channels of the connection. If that fails, the next connection listens on all channels. */
  async function changeChannel(command: 'listen' | 'unlisten', channel: string): Promise<void> {
    const connection = client;
    if (connection === undefined) return;
    try {
      await connection.query(`${command} ${connection.escapeIdentifier(channel)}`);
    } catch (error) {
      log.warn({ err: error, channel }, 'closing the connection for notifications');
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
  throw new Error('notifications do not arrive');
}
