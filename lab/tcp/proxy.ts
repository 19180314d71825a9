import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One end of a connection: the caller that opened it, or its target. */
export type End = 'caller' | 'target';

/** TCP proxy that can simulate network failures. */
export interface TcpProxy {
  readonly port: number;
  /** Number of dropped bytes. */
  readonly droppedBytes: number;
  /**
   * Passes everything on, which is the initial state. A connection that has lost bytes is reset at its next byte, as by
   * a firewall that has lost its state.
   */
  open(): void;
  /** Keeps and accepts connections, but drops bytes and ends of connections in both directions. */
  blackHole(): void;
  /** Closes one end of each existing connection without notifying the other end. New connections are passed on. */
  halfOpen(closed: End): void;
  /** Resets both ends of each existing connection. New connections are passed on. */
  cut(): void;
  /** Resets new connections immediately; existing ones keep working. */
  refuse(): void;
  /** Limits each direction of each connection to this number of bytes per second. */
  slow(bytesPerSecond: number): void;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Connection and its state. */
interface Link {
  readonly caller: Socket;
  readonly target: Socket;
  /** Whether bytes, or the end of a direction, were dropped. */
  lossy: boolean;
  /** Whether one end was closed without notifying the other. */
  silent: boolean;
}

/** Listens on loopback and forwards connections to another loopback port. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const links = new Set<Link>();
  let mode: 'open' | 'black hole' | 'refuse' = 'open';
  let rate = Number.POSITIVE_INFINITY;
  let droppedBytes = 0;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => {
    caller.on('error', () => caller.destroy());
    if (mode === 'refuse') {
      caller.resetAndDestroy();
      return;
    }
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const link = { caller, target, lossy: false, silent: false };
    links.add(link);
    target.on('error', () => target.destroy());
    target.once('close', () => forget(link));
    caller.once('close', () => forget(link));
    void forward(link, caller, target);
    void forward(link, target, caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function forget(link: Link): void {
    if (link.caller.destroyed && link.target.destroyed) links.delete(link);
  }

  const vanishes = (link: Link) => link.silent || mode === 'black hole';

  /** Passes on one direction of a connection until it ends. */
  async function forward(link: Link, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (vanishes(link)) {
          link.lossy = true;
          droppedBytes += chunk.length;
        } else if (link.lossy) return reset(link);
        else await pass(chunk, to);
      }
      // A dropped end of a connection counts as lost bytes.
      if (vanishes(link)) link.lossy = true;
      else to.end();
    } catch {
      // This end was reset, so the other end is reset too unless events are dropped.
      if (!vanishes(link)) to.resetAndDestroy();
    }
  }

  async function pass(chunk: Buffer, to: Socket): Promise<void> {
    if (rate !== Number.POSITIVE_INFINITY) await delay((chunk.length / rate) * 1000);
    if (!to.write(chunk) && !to.destroyed) await Promise.race([once(to, 'drain'), once(to, 'close')]);
  }

  function reset({ caller, target }: Link): void {
    caller.resetAndDestroy();
    target.resetAndDestroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    get droppedBytes() {
      return droppedBytes;
    },
    open() {
      mode = 'open';
      rate = Number.POSITIVE_INFINITY;
    },
    blackHole() {
      mode = 'black hole';
    },
    halfOpen(closed) {
      for (const link of links) {
        link.silent = true;
        link[closed].destroy();
      }
    },
    cut() {
      for (const link of links) reset(link);
    },
    refuse() {
      mode = 'refuse';
    },
    slow(bytesPerSecond) {
      rate = bytesPerSecond;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const { caller, target } of links) {
        caller.destroy();
        target.destroy();
      }
      await closed;
    },
  };
}
