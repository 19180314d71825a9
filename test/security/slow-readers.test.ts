import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { keys, pidOf, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type HeldSocket, holdSocket } from '../support/raw-request.ts';
import { isShortForm } from '../support/short-form.ts';

/** Memory of a stream that nobody reads, in bytes. */
const MAX_STREAM_BYTES = 64 * 1024;
const OPENED_AT_ONCE = 100;
/** The descriptors that a service with 10,000 streams needs (docs/how-to/set-up-the-network.md). */
const DESCRIPTORS = 13_600;

const kinds = [
  { name: 'event streams', path: 'status/sse', headers: '', head: /^HTTP\/1\.1 200 / },
  {
    name: 'WebSockets',
    path: 'status',
    headers:
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    head: /^HTTP\/1\.1 101 /,
  },
] as const;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let jobId = '';
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path);
});
afterEach(async () => {
  closeStreams();
  await endJob();
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

async function startJob(): Promise<void> {
  const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 1_000 });
  const job = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', { timeout: 600_000 });
  jobId = (await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).body.jobId;
}

function closeStreams(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

async function endJob(): Promise<void> {
  const headers = { authorization: `Bearer ${keys.render}` };
  await fetchJson(`${service.url}/api/v1/render/jobs/${jobId}`, { method: 'DELETE', headers });
}

/** Opens a status stream of the job, and waits for its head. */
async function open({ path, headers, head }: (typeof kinds)[number]): Promise<HeldSocket> {
  const request = `GET /api/v1/render/${path}/${jobId} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
  const stream = await holdSocket(service.url, '127.0.0.1', request);
  sockets.push(stream.socket);
  if (stream.received() === '') await new Promise((resolve) => stream.socket.once('data', resolve));
  expect(stream.received()).toMatch(head);
  return stream;
}

/** Opens streams, half of each kind, that read nothing after the head. */
async function openUnread(count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(OPENED_AT_ONCE, count - opened) }, async (_, index) => {
        (await open(index % 2 === 0 ? kinds[0] : kinds[1])).socket.pause();
      }),
    );
  }
}

const statuses = (text: string) => [...text.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status);
const memory = () => 1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pidOf(service)}/status`, 'utf8'))?.[1]);
const descriptors = () => readdirSync(`/proc/${pidOf(service)}/fd`).length;
const ownDescriptors = canMeasureStalls
  ? Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  : 0;

const sizes = [
  { count: 300, options: {} },
  { count: 10_000, options: { tags: ['long'] } },
];

describe.skipIf(!canMeasureStalls)('status streams of one job that nobody reads', () => {
  for (const { count, options } of sizes) {
    test.skipIf(count >= 1_000 && (isShortForm || ownDescriptors < DESCRIPTORS))(
      `do not delay others, and are freed when they close: ${count}`,
      options,
      async () => {
        const [before, free] = [memory(), descriptors()];
        const stall = await measureStall(service, async () => {
          closeStreams();
          await startJob();
          const readers = [await open(kinds[0]), await open(kinds[1])];
          const eventsOf = () => readers.map(({ received }) => statuses(received()));
          await openUnread(count);
          const known = Math.max(...eventsOf().map(({ length }) => length));
          await expect.poll(() => eventsOf().every(({ length }) => length > known + 2)).toBe(true);
          await endJob();
          await expect.poll(() => eventsOf().map((events) => events.at(-1))).toEqual(['failed', 'failed']);
        });
        expect(stall.failures).toEqual([]);
        expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
        // A small number of streams says nothing about the memory of one.
        if (count >= 1_000) expect((memory() - before) / count).toBeLessThan(MAX_STREAM_BYTES);
        closeStreams();
        await expect.poll(descriptors).toBeLessThan(free + 20);
      },
    );
  }

  test.each([
    ['pings', 0x89],
    ['messages', 0x82],
    ['pongs', 0x8a],
  ])('and whose client sends %s without end take no memory', async (_what, type) => {
    await startJob();
    // A masked frame of 125 bytes (RFC 6455, section 5.2).
    const frames = Buffer.concat(
      Array(500).fill(Buffer.concat([Buffer.of(type, 0xfd, 0, 0, 0, 0), Buffer.alloc(125)])),
    );
    const before = memory();
    const stall = await measureStall(service, async () => {
      const { socket } = await open(kinds[1]);
      socket.pause();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      for (let sent = 0; sent < 64 * 1024 * 1024 && !socket.destroyed; sent += frames.length) {
        if (socket.write(frames)) continue;
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      }
    });
    expect(stall.failures).toEqual([]);
    expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    expect(memory() - before).toBeLessThan(48 * 1024 * 1024);
  });
});
