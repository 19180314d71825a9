/** @module-tag long */

import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import {
  describeJob,
  extract,
  fetchJson,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile, openGate } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const wide = { credits: 1e9, requestsPerSecond: 1e6, startsPerSecond: 1e6, jobsAtOnce: 1e6 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

const startJob = (path: string, key = keys.render, url = labFile(path).url) => {
  const job = describeJob('no_process', [{ url, ext: 'mp4' }], 'mp4');
  return post<StartedJob & { error?: { code: string; message: string } }>(
    `${service.url}/api/v1/render/execute`,
    job,
    key,
  );
};
const deleteJob = ({ job_id: id }: StatusEvent, key = keys.render) =>
  fetch(`${service.url}/api/v1/render/jobs/${id}?finished=delete`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  });

/** Starts a job that must be accepted, and waits for its end. */
async function runJob(path: string, key = keys.render): Promise<StatusEvent> {
  const { status, body } = await startJob(path, key);
  expect(status, JSON.stringify(body)).toBe(202);
  return await outcome(body.sseStatusUrl);
}

describe('the files that a key stores are limited by its plan', () => {
  const small = '/media/amber-2/movie-360.mp4';
  /** Less than two of these files. */
  const storedSize = 80_000;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const limits = { MEGA: { ...wide, storedSize }, PRO: { ...wide, storedSize: 1 } };
    service = await startService(inject('labUrl'), folder.path, { PLAN_LIMITS: JSON.stringify(limits) });
  });
  afterAll(async () => {
    await service.kill();
    await folder.delete();
  });

  test('which refuses starts and advises what to do, until a file is deleted', async () => {
    const first = await runJob(small);
    expect([first.status, (await runJob(small)).status]).toEqual(['done', 'done']);
    const refused = await startJob(small);
    expect(refused.status).toBe(429);
    expect(refused.body.error?.message).toMatch(
      /^Your key stores .+ of finished files and may store 80\.00 KB\. Delete files .+\(DELETE \/api.+\), or start .+ in 60 min/,
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);

    expect((await deleteJob(first)).status).toBe(200);
    expect((await runJob(small)).status).toBe('done');
  });

  test('which fails jobs that were waiting while others reached it', async () => {
    const inputs = Array.from({ length: 4 }, () => labFile(small, { gate: 1 }));
    const starts = await Promise.all(inputs.map(({ url }) => startJob(small, keys.otherRender, url)));
    await Promise.all(inputs.map(({ token }) => openGate(inject('labUrl'), token)));
    const events = await Promise.all(starts.map(({ body }) => outcome(body.sseStatusUrl)));
    const failed = events.filter(({ status }) => status === 'failed');
    // The second file reaches the quota.
    expect(failed).toHaveLength(2);
    for (const { error, error_code, retryable } of failed) {
      expect([error_code, retryable]).toEqual(['storage_failed', true]);
      expect(error).toMatch(/^There is no space for the file.+: your key stores .+ Delete files/);
    }
  });

  test('also by execution URL', async () => {
    const start = async () => {
      const query = 'videoId=xlab2&renderableFormats=lowres';
      const { body } = await extract<Result>(`${service.url}/p5/v3/video/details?${query}`, keys.PRO);
      const url = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
      return await fetchJson<StartedJob>(url);
    };
    const { body } = await start();
    expect((await outcome(body.sseStatusUrl)).status).toBe('done');
    expect((await start()).status).toBe(429);
  });
});

describe('one key cannot fill the disk with finished files', () => {
  const large = '/media/amber-600/movie-360.mp4';
  const USABLE_BYTES = 120_000_000;
  let disk: SmallDisk;

  beforeAll(async () => {
    folder = await temporaryFolder();
    disk = await mountSmallDisk(join(folder.path, 'disk'));
    service = await startService(inject('labUrl'), join(disk.path, 'data'), {
      PLAN_LIMITS: JSON.stringify({ MEGA: wide }),
      WORKER_DISK_RESERVE: '20000000',
      DATABASE_URL: '',
      STORAGE_URL: '',
    });
  });
  afterAll(async () => {
    await service.kill();
    await disk.remove();
    await folder.delete();
  });

  test('so that the jobs of another key run', async ({ skip }) => {
    skip(!disk.real, 'a small disk can be mounted by root only');
    const { bavail, bsize } = await statfs(disk.path);
    const ballast = ['-l', String(bavail * bsize - USABLE_BYTES), join(disk.path, 'ballast')];
    await promisify(execFile)('fallocate', ballast);
    const events: StatusEvent[] = [];
    for (let next = await startJob(large); next.status === 202 && events.length < 12; next = await startJob(large)) {
      events.push(await outcome(next.body.sseStatusUrl));
      if (events.at(-1)?.status === 'failed') break;
    }
    const done = events.filter(({ status }) => status === 'done');
    expect(done.length).toBeGreaterThan(1);
    expect(done.length).toBeLessThan(6);
    expect((await runJob('/media/amber-2/movie-360.mp4', keys.otherRender)).status).toBe('done');
    expect(service.output()).not.toContain('the worker pauses');
    for (const event of done.slice(0, 1)) expect((await deleteJob(event)).status).toBe(200);
    expect((await runJob(large)).status).toBe('done');
  });
});
