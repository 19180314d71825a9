/** @module-tag long */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { directChildrenOf } from '../support/child-processes.ts';
import { describeJob, outcome, post, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { storedFiles } from '../support/storage-stack.ts';

/** JOBS=200 is the long run. With this seed, every kind of job and every fault occurs among the first 37. */
const count = Number(process.env.JOBS ?? 40);
const AT_ONCE = 8;
const SEED = 20_261_120;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { WORKER_CONCURRENCY: `${AT_ONCE}`, LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await service.stop();
  await folder.delete();
});

type Faults = Record<string, string | number>;

/** Faults and their outcome: the job survives, or fails with this error. */
const faults: readonly [Faults, RegExp | undefined][] = [
  [{}, undefined],
  [{}, undefined],
  [{ latency: 300 }, undefined],
  [{ noRanges: 1 }, undefined],
  [{ cutOnce: 9_000 }, undefined],
  [{ noRanges: 1, cutOnce: 9_000 }, undefined],
  [{ redirect: 2 }, undefined],
  [{ status: 503, times: 1 }, undefined],
  [{ throttle: 400_000 }, undefined],
  [{ status: 403 }, /403/],
  [{ status: 410 }, /410/],
  [{ cut: 9_000 }, /incomplete/],
  [{ noRanges: 1, length: -9_000 }, /Input \d/],
  [{ hang: 1 }, /timeout/],
  [{ redirectTo: 'http://127.0.0.1:1/' }, /does not connect to it/],
];

const clip = '/media/amber-2/movie-360.mp4';
const longer = '/media/amber-30/movie-360.mp4';

/** Kinds of job: the operation, the files of its inputs, the container, and the duration of its result in seconds. */
const kinds: readonly [type: string, files: readonly string[], ext: string, seconds: number][] = [
  ['join_streams', ['/media/amber-2/video-360.mp4', '/media/birch-2/audio.mp4'], 'mp4', 2],
  ['convert_format', [longer], 'mkv', 30],
  ['convert_format', ['/media/amber-2/movie-360.webm'], 'mp4', 2],
  ['extract_audio', [longer], 'm4a', 30],
  ['extract_video', [clip], 'mp4', 2],
  ['replace_audio_in_video', [clip, '/media/birch-2/sound.m4a'], 'mp4', 2],
  ['mix_audio_and_video', [clip, '/media/birch-2/audio.mp4'], 'mp4', 2],
];

test(`${count} jobs of mixed kinds with random faults end as expected, and nothing is left over`, {
  timeout: 900_000,
}, async () => {
  const next = randomNumbers(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const plans = Array.from({ length: count }, () => {
    const [[type, files, ext, seconds], [fault, reason]] = [pick(kinds), pick(faults)];
    const inputs = files.map((path, index) => ({
      url: labFile(path, index === 0 ? fault : {}).url,
      ext: path.split('.').at(-1) ?? '',
      timeout: 'hang' in fault ? 1_500 : 60_000,
    }));
    return {
      job: describeJob(type, inputs, ext),
      seconds,
      reason,
      what: `${type} into ${ext} with ${JSON.stringify(fault)}`,
    };
  });
  const done: StatusEvent[] = [];
  const waiting = [...plans];
  const work = async () => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, plan.job);
      const last = await outcome(body.sseStatusUrl);
      if (plan.reason === undefined) {
        expect(last.error, plan.what).toBeNull();
        const file = Buffer.from(await (await fetch(last.output?.url ?? '')).arrayBuffer());
        expect(file.length, plan.what).toBe(last.output?.size);
        for (const { duration } of (await inspect(file)).tracks) {
          expect(Math.abs(duration - plan.seconds), plan.what).toBeLessThan(0.3);
        }
        done.push(last);
      } else {
        expect(last.status, plan.what).toBe('failed');
        expect(last.error, plan.what).toMatch(plan.reason);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  expect(done.length).toBeGreaterThan(count / 4);
  await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
  expect(await storedFiles(folder.path)).toEqual(done.map(({ output }) => output?.key).sort());
  // One child waits for the next job.
  await expect.poll(async () => (await directChildrenOf(service.process.pid)).length).toBeLessThanOrEqual(1);
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
});
