// What a server may send that the service never does: framings that disagree with their bodies, and responses without
// end.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { advanceTime } from './testing/advance-time.ts';
import { createTestClient, type RequestHandler } from './testing/test-client.ts';

/** How the server closes a connection after its bytes. */
type End = 'ends' | 'resets' | 'stays';
type Answer = readonly [head: string, body: string, end: End];

describe('a file', () => {
  let server: Server;
  let url: string;
  let answer: Answer;
  let isVerified: boolean;

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (request) => respond(socket, String(request)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    isVerified = false;
  });

  function respond(socket: Socket, request: string): void {
    if (/^range:/im.test(request)) {
      isVerified = true;
      socket.end('HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */4\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const [head, body, end] = answer;
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n${body}`, () => {
      if (end === 'ends') socket.end();
      if (end === 'resets') socket.resetAndDestroy();
    });
  }

  async function download(size: number | undefined): Promise<string> {
    const client = createClient({ url });
    const stream = client.renders.download(
      { url: `${url}/file`, ...(size === undefined ? {} : { size }) },
      { reconnects: 0 },
    );
    return await new Response(stream).text().catch((error: { fault?: string }) => `refused: ${error.fault}`);
  }

  const chunked = 'Transfer-Encoding: chunked\r\n';

  /** The file has 4 bytes: what a download is, if the client knows that, and if it does not. */
  test.each<[string, Answer, known: RegExp, unknown: RegExp]>([
    ['the right length', ['Content-Length: 4\r\n', 'file', 'stays'], /^file$/, /^file$/],
    ['a length that is too long', ['Content-Length: 5\r\n', 'file', 'ends'], /^refused/, /^refused/],
    ['a length that is too long, and a reset', ['Content-Length: 5\r\n', 'file', 'resets'], /^refused/, /^refused/],
    // Such a file is as long as its response states.
    ['a length that is too short', ['Content-Length: 3\r\n', 'file', 'ends'], /^refused/, /^fil$/],
    ['the length 0', ['Content-Length: 0\r\n', 'file', 'ends'], /^refused/, /^$/],
    ['no length', ['', 'file', 'ends'], /^file$/, /^file$/],
    ['no length, and too few bytes', ['', 'fil', 'ends'], /^refused/, /^refused/],
    ['no length, and a reset', ['', 'fil', 'resets'], /^refused/, /^refused/],
    ['no length, and too many bytes', ['', 'files', 'ends'], /^(?:file$|refused)/, /^refused/],
    ['chunks', [chunked, '4\r\nfile\r\n0\r\n\r\n', 'stays'], /^file$/, /^file$/],
    ['chunks without the last one', [chunked, '4\r\nfile\r\n', 'ends'], /^(?:file$|refused)/, /^refused/],
    ['chunks, cut within one', [chunked, '4\r\nfil', 'ends'], /^refused/, /^refused/],
    ['chunks, reset within one', [chunked, '4\r\nfil', 'resets'], /^refused/, /^refused/],
    // What follows the known size is not read.
    ['too many chunks', [chunked, '4\r\nfile\r\n1\r\ns\r\n0\r\n\r\n', 'stays'], /^(?:file$|refused)/, /^files$/],
    ['a chunk without a size', [chunked, 'z\r\nfile\r\n', 'ends'], /^refused/, /^refused/],
    [
      'chunks, and a length',
      [`${chunked}Content-Length: 3\r\n`, '4\r\nfile\r\n0\r\n\r\n', 'ends'],
      /^refused/,
      /^refused/,
    ],
    ['two lengths', ['Content-Length: 3\r\nContent-Length: 4\r\n', 'file', 'ends'], /^refused/, /^refused/],
    ['a length that is not a number', ['Content-Length: four\r\n', 'file', 'ends'], /^refused/, /^refused/],
    ['a negative length', ['Content-Length: -4\r\n', 'file', 'ends'], /^refused/, /^refused/],
    ['a length beyond numbers', [`Content-Length: ${'9'.repeat(40)}\r\n`, 'file', 'ends'], /^refused/, /^refused/],
    ['another coding', ['Transfer-Encoding: gzip\r\n', 'file', 'ends'], /^refused/, /^refused/],
    [
      'a coding that it does not have',
      ['Content-Length: 4\r\nContent-Encoding: gzip\r\n', 'file', 'ends'],
      /^refused/,
      /^refused/,
    ],
  ])('with %s is whole, as its response states it, or refused', async (_what, next, known, unknown) => {
    answer = next;
    expect(await download(4)).toMatch(known);
    expect(isVerified).toBe(false);
    expect(await download(undefined)).toMatch(unknown);
  });
});

describe('a response without end', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Sends a text again and again, with pauses in milliseconds. Reports how much was read. */
  function endless(text: string, pause: number, status = 200) {
    const bytes = new TextEncoder().encode(text);
    let sent = 0;
    let isClosed = false;
    const handler: RequestHandler = ({ signal }) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
        async pull(controller) {
          if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
          if (signal?.aborted === true) return;
          sent += bytes.length;
          controller.enqueue(bytes);
        },
        cancel() {
          isClosed = true;
        },
      });
      signal?.addEventListener('abort', () => {
        isClosed = true;
      });
      return new Response(body, { status });
    };
    return { handler, sent: () => sent, isClosed: () => isClosed };
  }

  const faultOf = async (work: Promise<unknown>): Promise<unknown> => {
    const outcome = work.then(
      () => 'none',
      (error: unknown) => error,
    );
    await advanceTime();
    return await outcome;
  };
  const extract = (handler: RequestHandler) =>
    createTestClient(handler, { retries: 0 }).client.extract('p1', 'video/details', { videoId: 'a' });

  test.each([
    ['a response', 200],
    ['an error', 503],
  ])('of which a byte arrives now and then is %s with a time limit for the whole', async (_what, status) => {
    const { handler, sent, isClosed } = endless(' ', 1_000, status);
    expect(await faultOf(extract(handler))).toMatchObject({ name: 'MillraceNetworkError', fault: 'timeout' });
    expect([sent() <= 60, isClosed()]).toEqual([true, true]);
  });

  test('that arrives at full speed is refused at a maximum length', async () => {
    const { handler, sent, isClosed } = endless(' '.repeat(1024 * 1024), 0);
    expect(await faultOf(extract(handler))).toMatchObject({ message: expect.stringContaining('longer than') });
    expect([sent() <= 70 * 1024 * 1024, isClosed()]).toEqual([true, true]);
  });

  test('is no longer read once a file has its stated size', async () => {
    const { handler, sent, isClosed } = endless('abc', 0);
    const { client } = createTestClient(handler);
    const file = { url: 'https://api.example/files/a', size: 9 };
    expect(await new Response(client.renders.download(file)).text()).toBe('abcabcabc');
    const longer = new Response(client.renders.download({ ...file, size: 10 })).text();
    expect(await faultOf(longer)).toMatchObject({ fault: 'changed' });
    expect([sent() <= 40, isClosed()]).toEqual([true, true]);
  });

  const running = JSON.stringify({ job_id: 'a', status: 'downloading', progress: 1 });

  test.each([
    ['a line without end', 'a'.repeat(10_000), 0, /event of the stream is too long/],
    ['an event without end', `data: ${'a'.repeat(10_000)}\n`, 0, /event of the stream is too long/],
    ['comments now and then', ':\n\n', 1_000, /timed out/],
    ['events of another kind', 'event: a\n\n', 1_000, /timed out/],
    ['events of a job that never ends', `data: ${running}\n\n`, 1_000, /did not finish within 600 s/],
    ['events that are not JSON', 'data: {\n\n', 1_000, /JSON/],
  ])('of status events ends: %s', async (_what, text, pause, message) => {
    const { handler, isClosed } = endless(text, pause);
    const { client } = createTestClient(handler);
    const events = (async () => {
      for await (const _ of client.renders.status('a'));
    })();
    expect(await faultOf(events)).toMatchObject({ message: expect.stringMatching(message) });
    expect([isClosed(), vi.getTimerCount() <= 1]).toEqual([true, true]);
  });
});
