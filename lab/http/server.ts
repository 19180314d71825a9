import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Exchange, type Handler, RequestError, sendText } from './exchange.ts';
import { bodyLimit, type Journal } from './journal.ts';
import { greetSocksClient, socksVersion } from './socks.ts';

/** Listening lab server. */
export interface LabServer {
  readonly port: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Country of clients that do not use the lab as a proxy. */
const homeCountry = 'US';

const maxBodyBytes = 1 << 20;

/**
 * Listens on loopback. Besides plain requests it accepts those of proxy clients (absolute addresses, CONNECT and SOCKS
 * 5) and handles them itself. The user name in the proxy credentials is the country that the client then appears to be
 * in.
 */
export async function listen(port: number, journal: Journal, handle: Handler): Promise<LabServer> {
  const countries = new WeakMap<object, string>();
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 30_000, keepAliveTimeout: 60_000 },
    (request, response) => {
      const country = countries.get(request.socket) ?? proxyUser(request) ?? homeCountry;
      void answer(request, response, country, journal, handle);
    },
  );
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    countries.set(socket, proxyUser(request) ?? homeCountry);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    server.emit('connection', socket);
  });
  const serve = (socket: Socket) => {
    server.emit('connection', socket);
    socket.resume();
  };
  const sockets = new Set<Socket>();
  const front = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    socket.once('data', (first: Buffer) => {
      socket.pause();
      if (first[0] !== socksVersion) {
        socket.unshift(first);
        serve(socket);
        return;
      }
      greetSocksClient(socket, first).then(
        (user) => {
          countries.set(socket, user === '' ? homeCountry : user.toUpperCase());
          serve(socket);
        },
        () => socket.destroy(),
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    front.once('error', (cause) => reject(new Error(`The lab cannot listen on port ${port}.`, { cause })));
    front.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (front.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => front.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  country: string,
  journal: Journal,
  handle: Handler,
): Promise<void> {
  const url = addressOf(request);
  const body = request.method === 'PUT' ? Buffer.alloc(0) : await readBody(request);
  if (url === undefined || body === undefined) {
    response.writeHead(url === undefined ? 400 : 413, { connection: 'close' }).end();
    return;
  }
  const entry = journal.add({
    token: url.searchParams.get('token'),
    method: request.method ?? 'GET',
    host: url.hostname,
    country,
    path: `${url.pathname}${url.search}`,
    range: request.headers.range ?? null,
    headers: headersOf(request),
    body: body.toString('utf8', 0, bodyLimit),
    at: Date.now(),
  });
  const disconnect = new AbortController();
  response.once('close', () => disconnect.abort(new Error('The client disconnected.')));
  const exchange: Exchange = {
    request,
    response,
    host: url.hostname,
    url,
    country,
    body,
    entry,
    disconnected: disconnect.signal,
  };
  try {
    await handle(exchange);
  } catch (error) {
    // A failure because the client disconnected is not a failure of the lab.
    if (disconnect.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else if (error instanceof RequestError) sendText(exchange, 400, `${error.message}\n`);
    else sendText(exchange, 500, `The lab failed: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** Returns the address that the client requests, as an https URL; undefined if it is invalid. */
function addressOf(request: IncomingMessage): URL | undefined {
  const target = request.url ?? '/';
  const host = (request.headers.host ?? 'localhost').replace(/:\d+$/, '');
  const url = target.startsWith('/') ? URL.parse(`https://${host}${target}`) : URL.parse(target);
  if (url === null || url.hostname === '') return undefined;
  url.protocol = 'https:';
  url.port = '';
  return url;
}

/** Reads the body; returns undefined when it is too large or incomplete. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBodyBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The client disconnected, so there is no response to send.
    return undefined;
  }
  return Buffer.concat(chunks);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
  );
}

function proxyUser(request: IncomingMessage): string | undefined {
  const [, credentials] = /^basic (.+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
  if (credentials === undefined) return undefined;
  const [user] = Buffer.from(credentials, 'base64').toString('latin1').split(':');
  return user === undefined || user === '' ? undefined : user.toUpperCase();
}
