import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createBulkClient } from './bulk-client.ts';

/** A socket whose events the test emits. It delivers bytes while it is paused, as TLS does with what it has decrypted. */
class ScriptedSocket extends EventEmitter {
  destroyed = false;
  readonly write = () => true;
  readonly pause = () => this;
  readonly resume = () => this;
  readonly ref = () => this;
  readonly unref = () => this;
  readonly setTimeout = () => this;
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    setImmediate(() => this.emit('close'));
  }
}

const framings = {
  length: (body: string) => `content-length: ${body.length}\r\n\r\n${body}`,
  chunks: (body: string) =>
    `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nx-trailer: a\r\n\r\n`,
  close: (body: string) => `\r\n${body}`,
};
const connectionHeaders = ['', 'connection: close\r\n', 'connection: keep-alive\r\n'];
/** How a connection ends: at its end (FIN), with an error such as a reset, or without either. */
const endings = ['end', 'error', 'close'] as const;

const turn = () => new Promise(setImmediate);

beforeEach(() => {
  // Each look at the clock takes a millisecond, so a turn of the event loop is soon over.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
});
afterEach(() => vi.restoreAllMocks());

test('a response is delivered if all of its bytes have arrived, however busy the sink is and however the connection ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }),
      fc.constantFrom(...(['length', 'chunks', 'close'] as const)),
      fc.constantFrom(...connectionHeaders),
      fc.constantFrom(...endings),
      fc.array(fc.nat(20), { maxLength: 8 }),
      fc.array(fc.nat(6), { maxLength: 8 }),
      fc.option(fc.nat(200), { nil: undefined }),
      async (body, framing, connection, ending, lengths, pauses, cut) => {
        const response = Buffer.from(`HTTP/1.1 200 OK\r\n${connection}${framings[framing](body)}`);
        const sent = response.subarray(0, cut);
        const socket = new ScriptedSocket();
        const client = createBulkClient((_options, callback) => callback(null, socket as unknown as Socket), 1);
        const received: Buffer[] = [];
        const waits = [...pauses];
        const result = client.send(
          {
            url: new URL('http://a.example/'),
            headers: {},
            signal: new AbortController().signal,
            headTimeout: 5_000,
            idleTimeout: 5_000,
          },
          () => ({
            write(chunk) {
              received.push(Buffer.from(chunk));
              const turns = waits.shift() ?? 0;
              if (turns === 0) return undefined;
              return (async () => {
                for (let count = 0; count < turns; count += 1) await turn();
                return undefined;
              })();
            },
          }),
        );
        result.catch(() => undefined);
        await turn();
        let rest = sent;
        for (const length of [...lengths, sent.length]) {
          const chunk = rest.subarray(0, length);
          rest = rest.subarray(length);
          if (chunk.length > 0) socket.emit('data', chunk);
          if (length % 3 === 0) await turn();
        }
        if (ending !== 'close') socket.emit(ending, new Error('read ECONNRESET'));
        if (ending !== 'end' || body.length % 2 === 0) socket.destroy();
        const isWhole = sent.length === response.length;
        if (isWhole && (framing !== 'close' || ending === 'end')) {
          expect((await result).status).toBe(200);
          expect(Buffer.concat(received).toString()).toBe(body);
        } else if (!(framing === 'close' && ending === 'end' && sent.includes('\r\n\r\n'))) {
          await expect(result).rejects.toMatchObject({ code: 'connection_error' });
        }
        client.close();
      },
    ),
    { seed: 50, numRuns: propertyRuns(600) },
  );
});

test('the reads of one turn are passed on in several turns, and no timeout counts meanwhile', async () => {
  const socket = new ScriptedSocket();
  const client = createBulkClient((_options, callback) => callback(null, socket as unknown as Socket), 1);
  const signal = new AbortController().signal;
  const timeouts = { headTimeout: 5_000, idleTimeout: 1 };
  let [at, received] = [0, ''];
  const writes = new Map<number, number>();
  const result = client.send({ url: new URL('http://a.example/'), headers: {}, signal, ...timeouts }, () => ({
    write(chunk) {
      received += chunk.toString();
      writes.set(at, (writes.get(at) ?? 0) + 1);
      return undefined;
    },
  }));
  await turn();
  const body = 'abcdefghij'.repeat(100);
  socket.emit('data', Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'));
  for (const byte of body) socket.emit('data', Buffer.from(`1\r\n${byte}\r\n`));
  socket.emit('data', Buffer.from('0\r\n\r\n'));
  let isOver = false;
  const over = result.finally(() => {
    isOver = true;
  });
  for (; !isOver; at += 1) await turn();
  expect((await over).status).toBe(200);
  expect(received).toBe(body);
  expect(Math.max(...writes.values())).toBeLessThanOrEqual(5);
  client.close();
});
