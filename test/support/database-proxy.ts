import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be made to go wrong. */
export interface TcpProxy {
  /** The address of the server with the proxy's host and port. */
  readonly url: string;
  /** Connections that are open. */
  readonly connections: number;
  /** From now on nothing comes through in either direction, and no connection ends: a network that swallows packets. */
  swallow(): void;
  /** Connections that are made from now on work again; those of before stay silent. */
  heal(): void;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server of an address. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const to = new URL(target);
  const open = new Set<Socket>();
  let swallowing = false;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer((caller) => {
    keep(caller);
    if (swallowing) return;
    const callee = connect(Number(to.port || 5432), to.hostname);
    keep(callee);
    caller.pipe(callee).pipe(caller);
    caller.on('close', () => callee.destroy());
    callee.on('close', () => caller.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    get connections() {
      return open.size;
    },
    swallow() {
      swallowing = true;
      for (const socket of open) socket.unpipe().pause();
    },
    heal() {
      swallowing = false;
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
