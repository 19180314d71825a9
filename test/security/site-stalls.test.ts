import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { describeJob, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { canMeasureStalls, measureStall } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

/** Milliseconds of processor time for which no input from a site may delay other requests. */
const MAX_STALL_MS = 100;

const lab = inject('labUrl');
const closers: (() => Promise<void>)[] = [];
let service: RunningProcess;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  service = await startService(lab, folder.path);
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

  test('several large playlists at the same time', { tags: ['long'] }, async () => {
    const stall = await measureStall(service, async () => {
      for (const { error } of await runJobs('/hostile/segments.m3u8', {}, 8)) expect(error).toMatch(/404/);
    });
    expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
  });
});
