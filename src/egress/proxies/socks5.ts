import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Destination } from './proxy-server.ts';

const VERSION = 5;
const WITHOUT_CREDENTIALS = 0;
const WITH_CREDENTIALS = 2;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Meaning of a proxy's reply codes (RFC 1928 §6). */
const replies: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused by the host',
  6: 'TTL expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/** A response at the start of the received bytes, and its length in bytes. */
export interface ParsedResponse<Value> {
  readonly value: Value;
  readonly length: number;
}

/**
 * Opens a connection through a SOCKS proxy (RFC 1928, RFC 1929) on a socket that is connected to it. Bytes after the
 * proxy's last response stay in the socket.
 *
 * @throws Error with the reason, worded for the tunnel's errors, if the proxy refuses or does not speak SOCKS.
 */
export async function connectViaSocks(
  socket: Socket,
  to: Destination,
  credentials?: { readonly user: string; readonly password: string },
): Promise<void> {
  const methods = credentials === undefined ? [WITHOUT_CREDENTIALS] : [WITHOUT_CREDENTIALS, WITH_CREDENTIALS];
  const method = await exchange(socket, Buffer.from([VERSION, methods.length, ...methods]), readMethod);
  if (!methods.includes(method)) throw new Error('the proxy requires credentials or another authentication method');
  if (method === WITH_CREDENTIALS && credentials !== undefined) {
    const message = Buffer.concat([
      Buffer.from([1]),
      encodeString(credentials.user),
      encodeString(credentials.password),
    ]);
    if ((await exchange(socket, message, readAuthStatus)) !== 0) throw new Error('the proxy rejected the credentials');
  }
  const port = Buffer.alloc(2);
  port.writeUInt16BE(to.port);
  const request = Buffer.concat([Buffer.from([VERSION, 1, 0]), addressOf(to.host), port]);
  const reply = await exchange(socket, request, readReply);
  if (reply !== 0) throw new Error(`the proxy opened no connection (${replies[reply] ?? `reply ${reply}`})`);
}

/** Reads the method that the proxy selects. */
export function readMethod(bytes: Buffer): ParsedResponse<number> | undefined {
  checkVersion(bytes, VERSION);
  const [, method] = bytes;
  return method === undefined ? undefined : { value: method, length: 2 };
}

/** Reads the status of the authentication: 0 for success. */
export function readAuthStatus(bytes: Buffer): ParsedResponse<number> | undefined {
  checkVersion(bytes, 1);
  const [, status] = bytes;
  return status === undefined ? undefined : { value: status, length: 2 };
}

/** Reads the reply to the request: 0 for success. Its address is not used. */
export function readReply(bytes: Buffer): ParsedResponse<number> | undefined {
  checkVersion(bytes, VERSION);
  const [, reply, , type, nameLength] = bytes;
  // Some proxies send nothing after the code of a refusal.
  if (reply !== undefined && reply !== 0) return { value: reply, length: bytes.length };
  if (reply === undefined || type === undefined || nameLength === undefined) return undefined;
  const length = 4 + addressLength(type, nameLength) + 2;
  return bytes.length < length ? undefined : { value: reply, length };
}

function checkVersion([version]: Buffer, expected: number): void {
  if (version !== undefined && version !== expected) throw new Error('the proxy does not speak SOCKS version 5');
}

function addressLength(type: number, nameLength: number): number {
  switch (type) {
    case addressTypes.ipv4:
      return 4;
    case addressTypes.ipv6:
      return 16;
    case addressTypes.name:
      return 1 + nameLength;
    default:
      throw new Error('the proxy does not speak SOCKS version 5');
  }
}

function addressOf(host: string): Buffer {
  switch (isIP(host)) {
    case 4:
      return Buffer.from([addressTypes.ipv4, ...ipaddr.parse(host).toByteArray()]);
    case 6:
      return Buffer.from([addressTypes.ipv6, ...ipaddr.parse(host).toByteArray()]);
    default:
      return Buffer.concat([Buffer.from([addressTypes.name]), encodeString(host)]);
  }
}

/** Encodes text with a length prefix; names and credentials are at most 255 bytes. */
function encodeString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Sends a message and reads the response of at most 262 bytes. */
function exchange<Value>(
  socket: Socket,
  message: Buffer,
  parse: (bytes: Buffer) => ParsedResponse<Value> | undefined,
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    try {
      const response = parse(bytes);
      if (response === undefined) return;
      socket.pause();
      socket.off('data', onData);
      if (bytes.length > response.length) socket.unshift(bytes.subarray(response.length));
      resolve(response.value);
    } catch (error) {
      reject(error);
    }
  };
  const onClose = () => reject(new Error('connection closed before the proxy responded'));
  socket.on('data', onData).once('error', reject).once('close', onClose).resume();
  socket.write(message);
  return promise.finally(() => socket.off('data', onData).off('error', reject).off('close', onClose));
}
