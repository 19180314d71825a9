/** @module-tag long */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, post, run } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

/** Megabytes far above the need of a bounded playlist, and far below the use of an unbounded one. */
const MOST_MEMORY_MB = 150;

const lab = inject('labUrl');
const closers: (() => Promise<void>)[] = [];
let service: RunningProcess;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  service = await startService(lab, folder.path);
  closers.push(service.stop);
  // Code that the first job loads and compiles is not part of the cost of a hostile one.
  expect((await run(service.url, jobOf(labFile('/hls/amber-12/360/aes.m3u8').url))).status).toBe('done');
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

const jobOf = (url: string) => describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4');

describe.each([
  ['maps', /line \d+ .*1000 changes of its initialization section.*split the playlist/],
  ['discontinuities', /line \d+ .*1000 discontinuities.*split the playlist/],
  ['keys', /line \d+ .*20000 changes of its keys.*split the playlist/],
])('a playlist of 90,000 %s', (name, message) => {
  test('is refused with a readable reason before any segment is downloaded', async () => {
    const { url, token } = labFile(`/hostile/${name}.m3u8`);
    expect(await run(service.url, jobOf(url))).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(message),
    });
    expect(await requestsWithToken(lab, token)).toHaveLength(1);
  });

  test('is a problem that a preview names', async () => {
    const { url } = labFile(`/hostile/${name}.m3u8`);
    const { body } = await post(`${service.url}/api/v1/render/execute?plan=only`, jobOf(url));
    expect(body).toMatchObject({ problems: [{ code: 'source_unsupported', message: expect.stringMatching(message) }] });
  });

  test.skipIf(process.platform !== 'linux')('costs little memory', async () => {
    const jobs = Array.from({ length: 4 }, () => jobOf(labFile(`/hostile/${name}.m3u8`).url));
    const neededMemory = await peakMemory(service, async () => {
      await Promise.all(jobs.map((job) => run(service.url, job)));
    });
    expect(neededMemory).toBeLessThan(MOST_MEMORY_MB);
  });
});
