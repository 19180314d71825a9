import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { firstRows } from '../support/first-rows.ts';
import { extract } from '../support/http-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import {
  maxPlaylistBytes,
  mediaPlaylist as media,
  mostLinks,
  type PlaylistSource,
  playlistQuery,
  playlistSettings,
  segmentLines as segments,
  startPlaylistSource,
  worstPlaylist,
} from '../support/playlist-source.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const closers: (() => Promise<void>)[] = [];
let service: RunningProcess;
let source: PlaylistSource;
/** Relay link of a media playlist. */
let link: string;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  source = await startPlaylistSource(inject('labUrl'));
  closers.push(source.close);
  service = await startService(source.url, folder.path, playlistSettings);
  closers.push(service.stop);
  const { body } = await extract<Result>(service.url + playlistQuery);
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

const fill = (line: string) => line.repeat(Math.floor((maxPlaylistBytes - 100) / line.length));
const define = (value: string) => `#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME="a",VALUE="${value}"\n`;

const playlists: readonly (readonly [what: string, text: () => string, status: number])[] = [
  ['links to very long addresses', () => media(segments(60, 'x'.repeat(65_000))), 200],
  ['comments', () => media(fill('#\n') + segments(1, 's')), 200],
  ['the most links', () => media(segments(mostLinks, 's')), 200],
  ['long links', worstPlaylist, 200],
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
      source.send(text());
      const stall = await measureStall(service, async () => {
        expect(await Promise.all([relay(), relay()])).toEqual([expected, expected]);
      });
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    });
  }
});
