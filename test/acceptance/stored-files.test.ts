import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  describeJob,
  fetchJson,
  outcome,
  post,
  render,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: string;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  store = join(folder.path, 'store');
  // Each file is compared once a second.
  const scrub = { SCRUB_RATE: '100000000', SCRUB_INTERVAL: '1' };
  service = await startService(inject('labUrl'), join(folder.path, 'data'), { STORAGE_URL: `file:${store}`, ...scrub });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const describeSound = () =>
  describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');

/** Renders a file. Returns its job, its link, its bytes and its path in the store. */
async function stored() {
  const job = describeSound();
  const { event, file } = await render(service.url, job);
  const { url = '', key = '' } = event.output ?? {};
  return { job, url, file, path: join(store, key.slice(0, 2), key) };
}

const statusOf = async (id: string) => (await fetchJson<StatusEvent>(`${service.url}/api/v1/render/jobs/${id}`)).body;

/** Starts a job whose file was lost: it runs again, and its new file equals the previous one. */
async function expectRestart(job: { id: string }, file: Buffer): Promise<void> {
  const started = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
  expect([started.status, started.body.status]).toEqual([202, 'queued']);
  const again = await outcome(started.body.sseStatusUrl);
  const response = await fetch(again.output?.url ?? '');
  expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
}

const lost = { status: 'failed', output: null, error_code: 'file_lost', retryable: true, input: null };

describe('a stored file that was', () => {
  test.each([
    ['truncated', (path: string) => truncate(path, 1_000)],
    ['emptied', (path: string) => truncate(path, 0)],
    ['lengthened', (path: string) => appendFile(path, 'more')],
    ['removed', (path: string) => rm(path)],
  ])('%s is reported as lost by its link and by its job, which can be started again', async (_how, damage) => {
    const { job, url, file, path } = await stored();
    await damage(path);
    for (const headers of [{}, { range: 'bytes=0-99' }]) {
      const response = await fetchJson<{ error: unknown }>(url, { headers });
      expect([response.status, response.body]).toMatchObject([410, { error: { code: 'file_lost', retryable: false } }]);
    }
    expect(await statusOf(job.id)).toMatchObject(lost);
    await expectRestart(job, file);
  });
});

test('the hash of a file is sent with it once it is known, also to pages of other sites', async () => {
  const { url, file } = await stored();
  const digest = `sha-256=:${createHash('sha256').update(file).digest('base64')}:`;
  const digestOf = async (init: RequestInit) => (await fetch(url, init)).headers.get('repr-digest');
  await expect.poll(() => digestOf({ method: 'HEAD' })).toBe(digest);
  expect(await digestOf({})).toBe(digest);
  const part = await fetch(url, { headers: { range: 'bytes=10-19', origin: 'https://page.example' } });
  expect([part.status, part.headers.get('repr-digest')]).toEqual([206, digest]);
  expect(part.headers.get('access-control-expose-headers')).toContain('Repr-Digest');
});

test('a flipped bit is found by the comparison of stored files, and the job can be started again', async () => {
  const { job, url, file, path } = await stored();
  const hasDigest = async () => (await fetch(url, { method: 'HEAD' })).headers.has('repr-digest');
  await expect.poll(hasDigest).toBe(true);
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(500) ^ 1, 500);
  await writeFile(path, bytes);
  await expect.poll(() => statusOf(job.id)).toMatchObject(lost);
  expect((await fetch(url)).status).toBe(410);
  await expectRestart(job, file);
});
