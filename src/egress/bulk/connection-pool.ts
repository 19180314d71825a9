import { type buildConnector, errors } from 'undici';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { BulkConnection } from './bulk-connection.ts';

/** How long idle connections are kept if the server specifies no time; the same as in undici. */
const KEEP_ALIVE_MS = 4_000;
/** However long a server keeps idle connections, they take a descriptor of this process. */
export const MAX_KEEP_ALIVE_MS = 60_000;
/** Maximum number of idle connections, to all origins together: a playlist may name as many hosts as segments. */
const MAX_IDLE = 128;
/** Servers count from when they sent the response, so connections are closed earlier by this margin. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

/** The connections to one origin, and the callers waiting for one. */
interface OriginPool {
  readonly idle: BulkConnection[];
  /** Connections that are open or being opened. */
  count: number;
  readonly waiting: (() => void)[];
}

/** Pools connections and reuses them for requests to the same origin. */
export interface ConnectionPool {
  /**
   * Returns an idle connection or opens one. Waits if the origin has reached its maximum.
   *
   * @throws The error of opening the connection; the signal's reason.
   */
  acquire(url: URL, signal: AbortSignal): Promise<BulkConnection>;
  /**
   * Returns a connection to the pool after its exchange. `keepAlive`: milliseconds for which the server keeps it open.
   */
  release(url: URL, connection: BulkConnection, keepAlive?: number): void;
  close(): void;
}

/** Creates an empty pool. */
export function createConnectionPool(connect: buildConnector.connector, maxPerOrigin: number): ConnectionPool {
  const origins = new Map<string, OriginPool>();
  const open = new Set<BulkConnection>();
  /** The idle connections of all origins, those that have been idle for longest first. */
  const idleOnes = new Set<BulkConnection>();
  let closed = false;

  function poolOf({ origin }: URL): OriginPool {
    const pool = origins.get(origin) ?? { idle: [], count: 0, waiting: [] };
    origins.set(origin, pool);
    return pool;
  }

  function removeConnection(url: URL): void {
    const pool = poolOf(url);
    pool.count -= 1;
    pool.waiting.shift()?.();
    if (pool.count === 0 && pool.waiting.length === 0) origins.delete(url.origin);
  }

  function openConnection(url: URL): Promise<BulkConnection> {
    poolOf(url).count += 1;
    const { promise, resolve, reject } = Promise.withResolvers<BulkConnection>();
    const { host, protocol, port } = url;
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    connect({ hostname, host, protocol, port }, (error, socket) => {
      // After a failure there is no second argument, despite its type.
      if (error !== null) {
        removeConnection(url);
        reject(error);
        return;
      }
      const connection = new BulkConnection(socket, () => {
        open.delete(connection);
        idleOnes.delete(connection);
        const { idle } = poolOf(url);
        const at = idle.indexOf(connection);
        if (at >= 0) idle.splice(at, 1);
        removeConnection(url);
      });
      open.add(connection);
      if (closed) connection.destroy();
      resolve(connection);
    });
    return promise;
  }

  function release(url: URL, connection: BulkConnection, keepAlive?: number): void {
    const idleTime =
      keepAlive === undefined ? KEEP_ALIVE_MS : Math.min(keepAlive - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
    if (closed || idleTime <= 0) connection.destroy();
    else {
      connection.setIdle(idleTime);
      // It may have closed while the last bytes of its response were being written.
      if (!connection.isUsable) return;
      const { idle, waiting } = poolOf(url);
      idle.push(connection);
      idleOnes.add(connection);
      waiting.shift()?.();
      const [oldest] = idleOnes;
      if (idleOnes.size > MAX_IDLE) oldest?.destroy();
    }
  }

  return {
    async acquire(url, signal) {
      for (;;) {
        signal.throwIfAborted();
        if (closed) throw new errors.ClientDestroyedError();
        const pool = poolOf(url);
        const connection = pool.idle.pop();
        if (connection !== undefined) {
          idleOnes.delete(connection);
          if (connection.isUsable) return connection;
          continue;
        }
        if (pool.count < maxPerOrigin) {
          const opening = openConnection(url);
          return await untilAborted(opening, signal).catch((error: unknown) => {
            // A connection that opens too late serves other requests.
            if (signal.aborted) opening.then((late) => release(url, late)).catch(() => undefined);
            throw error;
          });
        }
        const turn = Promise.withResolvers<void>();
        pool.waiting.push(turn.resolve);
        await untilAborted(turn.promise, signal).catch((error: unknown) => {
          const at = pool.waiting.indexOf(turn.resolve);
          // If the aborted caller was given its turn at the same moment, the turn goes to the next caller.
          if (at < 0) pool.waiting.shift()?.();
          else pool.waiting.splice(at, 1);
          throw error;
        });
      }
    },
    release,
    close() {
      closed = true;
      for (const connection of open) connection.destroy(new errors.ClientDestroyedError());
      for (const { waiting } of origins.values()) for (const wake of waiting.splice(0)) wake();
    },
  };
}
