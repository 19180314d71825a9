import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One end of a connection: who made it, or whom it leads to. */
export type End = 'caller' | 'target';

/** A way to a server that can be made to fail as networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Bytes that have vanished on the way. */
  readonly droppedBytes: number;
  /**
   * Passes everything on, as at the start. A connection that has lost bytes meanwhile is reset at its next byte, as by a
   * firewall that has forgotten it.
   */
  open(): void;
  /** Keeps and accepts connections, but bytes vanish both ways, ends of connections included. */
  blackHole(): void;
  /** Closes one end of each connection there is. The other end never hears of it; new connections are passed on. */
  halfOpen(closed: End): void;
  /** Resets both ends of each connection there is. New ones are passed on. */
  cut(): void;
  /** Resets new connections as soon as they are made; those there are go on. */
  refuse(): void;
  /** Passes on so many bytes a second at most, each way of each connection. */
  slow(bytesPerSecond: number): void;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/** A connection and what became of it. */
interface Link {
  readonly caller: Socket;
  readonly target: Socket;
  /** Whether bytes, or the end of a direction, have vanished. */
  lossy: boolean;
  /** Whether one end is gone and the other does not know. */
  silent: boolean;
}

/** Listens on loopback and forwards to a port there. */
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

  /** Passes on one direction of a connection to its end. */
  async function forward(link: Link, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (vanishes(link)) {
          link.lossy = true;
          droppedBytes += chunk.length;
        } else if (link.lossy) return reset(link);
        else await pass(chunk, to);
      }
      // An end that nobody hears of is lost as bytes are.
      if (vanishes(link)) link.lossy = true;
      else to.end();
    } catch {
      // This end broke off: so does the other, where that is heard.
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
