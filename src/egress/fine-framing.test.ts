import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { createEgress } from './create-egress.ts';
import type { BodySink } from './egress.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
const sockets: Socket[] = [];
let response = '';
const server = createServer((socket) => {
  sockets.push(socket);
  socket.on('error', () => undefined).on('data', () => socket.write(response));
});
const listening = once(server.listen(0, '127.0.0.1'), 'listening');

afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await egress.close();
});

/** Sends a request. `statuses` receives that of each head. */
async function exchange(client: object, write: BodySink['write'], statuses: number[] = []) {
  await listening;
  const { port } = server.address() as AddressInfo;
  const signal = AbortSignal.timeout(60_000);
  return await egress.exchange(
    { url: `http://127.0.0.1:${port}/`, caller: serviceCaller, signal, ...client },
    ({ status }) => {
      statuses.push(status);
      return { write };
    },
  );
}

/** A body of chunks of one byte each. */
const chunksOf = (body: string) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
const interimTimes = (count: number) =>
  `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`;

describe.each([
  ['undici', {}],
  ['the bulk client', { allowBufferReuse: true }],
])('with %s', (_name, client) => {
  test('a body of one-byte chunks is passed on in few pieces, or in several turns of the event loop', async () => {
    const body = 'abcdefghij'.repeat(40);
    response = chunksOf(body);
    let [turn, isReading, received] = [0, true, ''];
    const pieces = new Map<number, number>();
    const countTurns = async () => {
      for (; isReading; turn += 1) await endOfTurn();
    };
    // Each look at the clock takes a millisecond.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1;
      return now;
    });
    const counting = countTurns();
    await exchange(client, (chunk) => {
      received += chunk.toString('latin1');
      pieces.set(turn, (pieces.get(turn) ?? 0) + 1);
      return undefined;
    });
    isReading = false;
    await counting;
    expect(received).toBe(body);
    expect(Math.max(...pieces.values())).toBeLessThanOrEqual(10);
  });

  test('the sink ends a body of one-byte chunks, and its errors are rethrown', async () => {
    response = chunksOf('abcdefghij'.repeat(40));
    expect(await exchange(client, () => false)).toMatchObject({ status: 200 });
    expect(await exchange(client, () => Promise.resolve<false>(false))).toMatchObject({ status: 200 });
    const own = new Error('own');
    await expect(exchange(client, () => Promise.reject(own))).rejects.toBe(own);
  });

  test('ten interim responses are skipped, and more are malformed', async () => {
    let received = '';
    const write = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      return undefined;
    };
    response = interimTimes(10);
    const statuses: number[] = [];
    await exchange(client, write, statuses);
    expect(statuses).toEqual([200]);
    expect(received).toBe('ok');
    response = interimTimes(11);
    await expect(exchange(client, write)).rejects.toMatchObject({
      code: 'connection_error',
      message: expect.stringContaining('more than 10 interim responses'),
    });
  });
});
