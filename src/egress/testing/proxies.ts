import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { certificate } from './certificate.ts';

/** A test proxy that connects to any requested target. */
export interface TestProxy {
  readonly port: number;
  /** Requested targets, such as `127.0.0.1:443`. */
  readonly targets: string[];
  /** Received credentials, as `user:password`. */
  readonly credentials: string[];
  close(): Promise<void>;
}

/** What the proxy does with a requested tunnel. */
export type ProxyBehaviour = 'connect' | 'hang' | 'die' | { readonly status: number };

/** Starts a proxy that uses CONNECT, within TLS if `secure`. */
export async function startHttpProxy(secure: boolean, behaviour: ProxyBehaviour = 'connect'): Promise<TestProxy> {
  const [targets, credentials]: [string[], string[]] = [[], []];
  const server = secure ? createHttpsServer(certificate) : createHttpServer();
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    targets.push(request.url ?? '');
    const [, encoded] = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '') ?? [];
    if (encoded !== undefined) credentials.push(Buffer.from(encoded, 'base64').toString());
    if (behaviour === 'hang') return;
    if (behaviour === 'die') socket.destroy();
    else if (behaviour === 'connect') join(socket, request.url ?? '', 'HTTP/1.1 200 OK\r\n\r\n');
    else socket.end(`HTTP/1.1 ${behaviour.status} No\r\ncontent-length: 4\r\n\r\nnope`);
  });
  return { targets, credentials, ...(await listening(server)) };
}

/**
 * Starts a SOCKS 5 proxy that sends its responses one byte at a time. A `status` is its reply code; 407 rejects the
 * credentials.
 */
export async function startSocksProxy(
  withCredentials: boolean,
  behaviour: ProxyBehaviour = 'connect',
): Promise<TestProxy> {
  const [targets, credentials]: [string[], string[]] = [[], []];
  const serve = async (socket: Socket) => {
    const next = reader(socket);
    const [, count = 0] = await next(2);
    await next(count);
    await trickle(socket, [5, withCredentials ? 2 : 0]);
    if (withCredentials) {
      const [, userLength = 0] = await next(2);
      const user = await next(userLength);
      const [passwordLength = 0] = await next(1);
      credentials.push(`${user}:${await next(passwordLength)}`);
      const isDenied = typeof behaviour === 'object' && behaviour.status === 407;
      await trickle(socket, [1, isDenied ? 1 : 0]);
    }
    const [, , , type = 0] = await next(4);
    const host =
      type === 3 ? (await next((await next(1))[0] ?? 0)).toString() : addressText(await next(type === 1 ? 4 : 16));
    const to = `${host}:${(await next(2)).readUInt16BE()}`;
    targets.push(to);
    if (behaviour === 'hang') return;
    if (behaviour === 'die') socket.destroy();
    else if (behaviour === 'connect') join(socket, to, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    else await trickle(socket, [5, behaviour.status, 0, 1, 0, 0, 0, 0, 0, 0]);
  };
  const server = createTcpServer((socket) => {
    // Tests include clients that disconnect.
    serve(socket).catch(() => socket.destroy());
  });
  return { targets, credentials, ...(await listening(server)) };
}

async function listening(server: Server): Promise<Pick<TestProxy, 'port' | 'close'>> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Connects to the address and joins both connections; names resolve to loopback. */
function join(socket: Duplex, to: string, greeting: string | Buffer): void {
  const [, host = '', port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(to) ?? [];
  const far = connect({ host: /^[\d.]+$/.test(host) ? host : '127.0.0.1', port: Number(port) }, () => {
    socket.write(greeting);
    far.pipe(socket).pipe(far);
  });
  for (const [one, other] of [
    [far, socket],
    [socket, far],
  ] as const) {
    one.on('error', () => other.destroy()).once('close', () => other.destroy());
  }
}

/** Returns a function that reads the given number of bytes from a socket. */
function reader(socket: Socket): (count: number) => Promise<Buffer> {
  let rest = Buffer.alloc(0);
  return async (count) => {
    while (rest.length < count) {
      const nextChunk = once(socket, 'data');
      socket.resume();
      const [chunk] = (await nextChunk) as [Buffer];
      socket.pause();
      rest = Buffer.concat([rest, chunk]);
    }
    const bytes = rest.subarray(0, count);
    rest = rest.subarray(count);
    return bytes;
  };
}

async function trickle(socket: Socket, bytes: readonly number[]): Promise<void> {
  for (const byte of bytes) {
    await new Promise((resolve) => {
      socket.write(Buffer.from([byte]), resolve);
    });
  }
}

function addressText(bytes: Buffer): string {
  return bytes.length === 4 ? bytes.join('.') : `[${bytes.toString('hex').replaceAll(/(.{4})(?=.)/g, '$1:')}]`;
}
