import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect, isIPv6, type Socket } from 'node:net';
import { MillraceError } from '../../contract/errors.ts';
import { describeFailure } from '../transport-errors.ts';
import type { Destination, ProxyServer } from './proxy-server.ts';
import { connectViaSocks } from './socks5.ts';

/** Timeout of a tunnel; shorter than that of source requests, so that errors name the proxy. */
const TUNNEL_TIMEOUT_MS = 8_000;

/**
 * Opens a connection through a proxy.
 *
 * @param exit The proxy's name in messages, which contain neither its address nor its credentials.
 * @throws MillraceError `connection_error` when the proxy does not respond in time, refuses, or disconnects.
 */
export async function openTunnel(proxy: ProxyServer, exit: string, to: Destination): Promise<Socket> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TUNNEL_TIMEOUT_MS);
  try {
    const open = proxy.protocol === 'socks5:' ? openViaSocks : openViaConnect;
    const socket = await open(proxy, to, timeout.signal);
    // Until the caller adds its own error listener, an error must not end the process.
    return socket.on('error', () => socket.destroy());
  } catch (error) {
    const why = timeout.signal.aborted ? 'the proxy took too long to respond' : describeFailure(error);
    throw new MillraceError('connection_error', `Could not connect through exit ${exit}: ${why}.`, { cause: error });
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

/**
 * Uses CONNECT (RFC 9110 §9.3.6) for plain `http` targets as well, so that the proxy connects to our checked address.
 */
function openViaConnect(proxy: ProxyServer, to: Destination, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const path = `${isIPv6(to.host) ? `[${to.host}]` : to.host}:${to.port}`;
  const headers = { host: path, ...authorization(proxy) };
  const request = proxy.protocol === 'https:' ? requestSecure : requestPlain;
  request({ host: proxy.host, port: proxy.port, method: 'CONNECT', path, headers, agent: false, signal })
    .on('connect', ({ statusCode = 0 }, stream, head) => {
      // Node types it as any stream, but it is the connection's socket.
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
  if (status === 407) return 'the proxy rejected the credentials (407)';
  return `the proxy opened no connection (status ${status})`;
}
