import { type buildConnector, errors } from 'undici';
import { untilAborted } from '../waiting/until-aborted.ts';
import { Connection } from './bulk-connection.ts';

/** How long an idle connection is kept where its server does not say, as undici does. */
const KEEP_ALIVE_MS = 4_000;
const LONGEST_KEEP_ALIVE_MS = 600_000;
/** A server counts from when it sent the response: so much earlier, its connection counts as closed. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

/** The connections to one origin. */
interface OriginConnections {
  readonly idle: Connection[];
  /** Open ones and those that are being opened. */
  count: number;
  readonly waiting: (() => void)[];
}

/** Connections that are kept for further requests to their origin. */
export interface Connections {
  /**
   * A connection without an exchange.
   *
   * @throws why none could be opened; the signal's reason.
   */
  take(url: URL, signal: AbortSignal): Promise<Connection>;
  /** Keeps a connection whose exchange is over. `keepAlive`: milliseconds for which the server does. */
  give(url: URL, connection: Connection, keepAlive?: number): void;
  close(): void;
}

/** Makes an empty set of connections. */
export function createConnections(connect: buildConnector.connector, mostOfOrigin: number): Connections {
  const origins = new Map<string, OriginConnections>();
  const open = new Set<Connection>();
  let closed = false;

  function of({ origin }: URL): OriginConnections {
    const known = origins.get(origin) ?? { idle: [], count: 0, waiting: [] };
    origins.set(origin, known);
    return known;
  }

  function left(url: URL): void {
    const own = of(url);
    own.count -= 1;
    own.waiting.shift()?.();
    if (own.count === 0 && own.waiting.length === 0) origins.delete(url.origin);
  }

  function opened(url: URL): Promise<Connection> {
    of(url).count += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const { host, protocol, port } = url;
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    connect({ hostname, host, protocol, port }, (error, socket) => {
      // Without a second argument if it failed, whatever its type says.
      if (error !== null) {
        left(url);
        reject(error);
        return;
      }
      const connection = new Connection(socket, () => {
        open.delete(connection);
        const { idle } = of(url);
        const at = idle.indexOf(connection);
        if (at >= 0) idle.splice(at, 1);
        left(url);
      });
      open.add(connection);
      if (closed) connection.destroy();
      resolve(connection);
    });
    return promise;
  }

  function give(url: URL, connection: Connection, keepAlive?: number): void {
    const told =
      keepAlive === undefined ? KEEP_ALIVE_MS : Math.min(keepAlive - KEEP_ALIVE_MARGIN_MS, LONGEST_KEEP_ALIVE_MS);
    if (closed || told <= 0) connection.destroy();
    else {
      connection.rest(told);
      const { idle, waiting } = of(url);
      idle.push(connection);
      waiting.shift()?.();
    }
  }

  return {
    async take(url, signal) {
      for (;;) {
        signal.throwIfAborted();
        if (closed) throw new errors.ClientDestroyedError();
        const own = of(url);
        const found = own.idle.pop();
        if (found?.usable === true) return found;
        if (found !== undefined) continue;
        if (own.count < mostOfOrigin) {
          const opening = opened(url);
          return await untilAborted(opening, signal).catch((error: unknown) => {
            // One that is opened too late serves others.
            if (signal.aborted) opening.then((late) => give(url, late)).catch(() => undefined);
            throw error;
          });
        }
        const turn = Promise.withResolvers<void>();
        own.waiting.push(turn.resolve);
        await untilAborted(turn.promise, signal).catch((error: unknown) => {
          const at = own.waiting.indexOf(turn.resolve);
          // The turn has come at the same moment, and is for the next one.
          if (at < 0) own.waiting.shift()?.();
          else own.waiting.splice(at, 1);
          throw error;
        });
      }
    },
    give,
    close() {
      closed = true;
      for (const connection of open) connection.destroy(new errors.ClientDestroyedError());
      for (const { waiting } of origins.values()) for (const wake of waiting.splice(0)) wake();
    },
  };
}
