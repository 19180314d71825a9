import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { describeJob, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
const closers: (() => Promise<void>)[] = [];
let service: RunningProcess;

/** Letters that take long to convert to ASCII if they are a host. */
const letters = String.fromCodePoint(...Array.from({ length: 5_400 }, (_, at) => 0x4e00 + ((at * 7919) % 20_900)));

/** Names of as many variables as a playlist can have. */
const parameters = Array.from({ length: 100 }, (_, at) => `p${at}`);

/** The beginning of each response of a host that frames its bytes very finely, and what it repeats, by path. */
const finelyFramed: Readonly<Record<string, readonly [begin: string, repeated: string, times: number, end: string]>> = {
  '/chunks.m3u8': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n#EXTM3U\n\r\n',
    ...(['1\r\n#\r\n1\r\n\n\r\n'.repeat(5000), 100, '0\r\n\r\n'] as const),
  ],
  '/hosts.m3u8': [
    `HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n${'#EXTINF:4,\n/a.ts\n'.repeat(10)}#EXTINF:4,\nhttp://${letters}/`,
    ...(['', 0, '\n'] as const),
  ],
  '/long-query.m3u8': [
    `HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/defines.m3u8?a=1${'&a'.repeat(31_500)}&${parameters.join('=1&')}=1`,
    ...(['', 0, '\n'] as const),
  ],
  '/defines.m3u8': [
    `HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n${parameters.map((name) => `#EXT-X-DEFINE:QUERYPARAM="${name}"\n`).join('')}`,
    ...(['', 0, '#EXTINF:4,\n/a.ts\n#EXT-X-ENDLIST\n'] as const),
  ],
  '/a.ts': ['', '', 0, 'HTTP/1.1 404 No\r\n\r\n'],
  '/interim.m3u8': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5000), 200, 'HTTP/1.1 404 No\r\n\r\n'],
};

/** Starts the host, and returns its origin. */
async function startFineHost(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (request: Buffer) => {
      const path = request.toString('latin1').split(/[ ?]/)[1] ?? '';
      const [begin, repeated, times, end] = finelyFramed[path] ?? ['', '', 0, ''];
      socket.write(begin);
      for (let count = 0; count < times; count += 1) socket.write(repeated);
      socket.end(end);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  const fineHost = await startFineHost();
  service = await startService(lab, folder.path, { EGRESS_CONNECT_TO: `fine.example=${fineHost},*=${lab}` });
  closers.push(service.stop);
  // Code that the first job loads and compiles is not part of the cost of a hostile one.
  await runJobs('/hls/amber-2/180/index.m3u8');
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

/** Runs jobs for the same hostile file at the same time. */
async function runJobs(path: string, more: Record<string, unknown> = {}, count = 1) {
  const ext = path.split('.').at(-1) ?? '';
  const jobs = Array.from({ length: count }, () => {
    return run(service.url, describeJob('convert_format', [{ url: labFile(path).url, ext }], 'mp4', more));
  });
  return await Promise.all(jobs);
}

const clip = { start: 100, end: 103 };

const uses: readonly (readonly [what: string, path: string, more: Record<string, unknown>, error: RegExp])[] = [
  ['a playlist with the most segments', '/hostile/segments.m3u8', {}, /Segment \d+ of 99000.* 404/],
  ['a clip of a file that scatters its media', '/hostile/scattered.mp4', { clip }, /spreads 5 s of it over/],
  ['a clip of a playlist', '/hostile/segments.m3u8', { clip }, /Segment \d+ of 99000.* 404/],
  ['a playlist of byte ranges', '/hostile/byte-ranges.m3u8', {}, /Segment \d+ of 99000.* 404/],
  ['a playlist of long addresses', '/hostile/long-addresses.m3u8', {}, /Segment \d+ of 40000.* 404/],
  ['a playlist of comments', '/hostile/comments.m3u8', {}, /Segment 1 of 1.* 404/],
  ['a playlist with too many keys', '/hostile/keys.m3u8', {}, /20000 changes of its keys/],
  ['a clip of a file with an index of 60 MB', '/hostile/samples.mp4', { clip }, /no frames of the video/],
];

describe.skipIf(!canMeasureStalls)('other requests are not delayed (needs /proc) by', () => {
  for (const { rows, options } of firstRows(2, uses)) {
    test.each(rows)('%s', options, async (_what, path, more, message) => {
      const stall = await measureStall(service, async () => {
        for (const { error } of await runJobs(path, more)) expect(error).toMatch(message);
      });
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    });
  }

  test.each([
    ['chunks of one byte', 'chunks.m3u8', /neither variants nor segments/],
    ['a host of 16 kB', 'hosts.m3u8', /invalid URI/],
    ['variables from a query of 32,000 parameters', 'long-query.m3u8', /Segment 1 of 1.* 404/],
    ['interim responses without end', 'interim.m3u8', /more than 10 interim responses/],
  ])('%s', async (_what, file, message) => {
    const job = () => describeJob('convert_format', [{ url: `http://fine.example/${file}`, ext: 'm3u8' }], 'mp4');
    const stall = await measureStall(service, async () => {
      const jobs = [run(service.url, job()), run(service.url, job())];
      for (const { error } of await Promise.all(jobs)) expect(error).toMatch(message);
    });
    expect(stall.failures).toEqual([]);
    expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
  });

  test('several large playlists at the same time', { tags: ['long'] }, async () => {
    const stall = await measureStall(service, async () => {
      for (const { error } of await runJobs('/hostile/segments.m3u8', {}, 8)) expect(error).toMatch(/404/);
    });
    expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
  });
});
