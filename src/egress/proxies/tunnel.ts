import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect, isIPv6, type Socket } from 'node:net';
import { MillraceError } from '../../contract/errors.ts';
import { describeFailure } from '../transport-errors.ts';
import type { Destination, ProxyServer } from './proxy-server.ts';
import { connectViaSocks } from './socks5.ts';

/** Below the timeout of source requests, so that errors name the proxy. */
const TUNNEL_TIMEOUT_MS = 8_000;

/**
 * Opens a connection through a proxy.
 *
 * @param exit The proxy's name in messages; they hold neither its address nor its credentials.
 * @throws MillraceError `connection_error` when the proxy does not answer in time, refuses, or breaks off.
 */
export async function openTunnel(proxy: ProxyServer, exit: string, to: Destination): Promise<Socket> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TUNNEL_TIMEOUT_MS);
  try {
    const open = proxy.protocol === 'socks5:' ? openViaSocks : openViaConnect;
    const socket = await open(proxy, to, timeout.signal);
    // Until the caller listens for errors itself, one must not end the process.
    return socket.on('error', () => socket.destroy());
  } catch (error) {
    const why = timeout.signal.aborted ? 'it did not answer in time' : describeFailure(error);
    throw new MillraceError('connection_error', `No connection through the exit ${exit}: ${why}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function openViaSocks(proxy: ProxyServer, to: Destination, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, signal });
  try {
    await connectViaSocks(socket, to, proxy.credentials);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Uses CONNECT (RFC 9110 §9.3.6) for plain http targets as well, so that the proxy connects to our checked address. */
function openViaConnect(proxy: ProxyServer, to: Destination, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const path = `${isIPv6(to.host) ? `[${to.host}]` : to.host}:${to.port}`;
  const headers = { host: path, ...authorization(proxy) };
  const request = proxy.protocol === 'https:' ? requestSecure : requestPlain;
  request({ host: proxy.host, port: proxy.port, method: 'CONNECT', path, headers, agent: false, signal })
    .on('connect', ({ statusCode = 0 }, stream, head) => {
      // Node types it as any stream; it is the connection's socket.
      const socket = stream as Socket;
      if (statusCode >= 200 && statusCode <= 299) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      } else {
        socket.on('error', reject).destroy();
        reject(new Error(refusal(statusCode)));
      }
    })
    .on('error', reject)
    .end();
  return promise;
}

function authorization({ credentials }: ProxyServer): Record<string, string> {
  if (credentials === undefined) return {};
  const { user, password } = credentials;
  return { 'proxy-authorization': `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function refusal(status: number): string {
  if (status === 407) return 'it refuses the credentials it is asked with (407)';
  return `it opens no connection (it answered ${status})`;
}
