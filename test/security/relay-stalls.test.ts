import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { firstRows } from '../support/first-rows.ts';
import { extract } from '../support/http-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

/** Largest playlist in bytes that is relayed, and number of links. */
const maxBytes = 4 * 1024 * 1024;
const mostLinks = 25_000;

const lab = inject('labUrl');
const closers: (() => Promise<void>)[] = [];
let service: RunningProcess;
/** Relay link of a media playlist. */
let link: string;
/** What the source sends instead of its playlist. */
let playlist: string | undefined;

/** Starts a host that sends the hostile playlist, if one is set, and otherwise what the lab sends. */
async function startSource(): Promise<string> {
  const server = createServer((incoming, response) => {
    if (playlist !== undefined) {
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(playlist);
      return;
    }
    const { method, headers } = incoming;
    const outgoing = forward(`${lab}${incoming.url}`, { ...(method === undefined ? {} : { method }), headers });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  const settings = { P1_CLIENTS: JSON.stringify({ mediaOrder: ['VISIONOS_HLS'] }) };
  service = await startService(await startSource(), folder.path, settings);
  closers.push(service.stop);
  const query = 'videoId=lab-plain30&urlAccess=proxied';
  const { body } = await extract<Result>(`${service.url}/p1/v3/video/details?${query}`);
  link = body.contents?.[0]?.videos?.[0]?.url ?? '';
  // Code that the first playlist loads and compiles is not part of the cost of a hostile one.
  expect(await relay()).toBe(200);
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

/** Requests the playlist, and returns the status of the response. */
async function relay(): Promise<number> {
  const response = await fetch(link);
  await response.arrayBuffer();
  return response.status;
}

const media = (lines: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines}#EXT-X-ENDLIST\n`;
const segments = (count: number, uri: string) => `#EXTINF:2,\n${uri}\n`.repeat(count);
const fill = (line: string) => line.repeat(Math.floor((maxBytes - 100) / line.length));
const define = (value: string) => `#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME="a",VALUE="${value}"\n`;

const playlists: readonly (readonly [what: string, text: () => string, status: number])[] = [
  ['links to very long addresses', () => media(segments(60, 'x'.repeat(65_000))), 200],
  ['comments', () => media(fill('#\n') + segments(1, 's')), 200],
  ['the most links', () => media(segments(mostLinks, 's')), 200],
  ['long links', () => media(segments(mostLinks, 'x'.repeat(150))), 200],
  ['too many links', () => media(segments(mostLinks + 1, 's')), 502],
  ['tags that are left out', () => media(fill('#EXT-X-A:1\n')), 200],
  ['attributes', () => media(fill(`#EXT-X-DATERANGE:${Array.from({ length: 9000 }, (_, at) => `A${at}=1`)}\n`)), 502],
  ['keys', () => media('#EXT-X-KEY:METHOD=AES-128,URI="k"\n'.repeat(mostLinks - 1) + segments(1, 's')), 200],
  ['long variables', () => media(define('x'.repeat(60_000)) + segments(10_000, '{$a}')), 502],
  ['many variables in a line', () => media(define('x'.repeat(60_000)) + segments(60, '{$a}'.repeat(16_000))), 502],
  ['variants', () => `#EXTM3U\n${'#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n'.repeat(mostLinks)}`, 200],
];

describe.skipIf(!canMeasureStalls)('other requests are not delayed (needs /proc) by a relayed playlist of', () => {
  for (const { rows, options } of firstRows(2, playlists)) {
    test.each(rows)('%s', options, async (_what, text, expected) => {
      playlist = text();
      const stall = await measureStall(service, async () => {
        expect(await Promise.all([relay(), relay()])).toEqual([expected, expected]);
      });
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    });
  }
});
