/** @module-tag long */

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import {
  describeJob,
  fetchJson,
  outcome,
  post,
  run,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { keys, temporaryFolder } from '../support/processes.ts';
import { storedFiles } from '../support/storage-stack.ts';

const lab = inject('labUrl');
/** Query parameters and headers that must never appear anywhere. */
const signature = `signature-${randomUUID()}`;
const password = `password-${randomUUID()}`;

interface Refusal {
  readonly error: { readonly code: string; readonly fields: readonly { readonly path: string }[] };
}

interface LabUpload {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly etag: string;
  readonly contentType: string;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let started: ServiceWithAdmin;
let service: string;
/** Everything that the service returned. */
const shown: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  started = await startServiceWithAdmin(lab, folder.path, {}, { WORKER_CONCURRENCY: '2' });
  service = started.service.url;
});
afterAll(async () => {
  await started.service.kill();
  await folder.delete();
});

/** Returns a new presigned URL of the lab's store, with faults. */
function presign(faults: Record<string, string | number> = {}) {
  const token = randomUUID();
  const path = `/bucket/${randomUUID()}.m4a`;
  const query = new URLSearchParams({ token, 'X-Amz-Signature': signature });
  for (const [name, value] of Object.entries(faults)) query.set(name, String(value));
  return { token, path, putUrl: `https://store.lab.example${path}?${query}` };
}

/** Returns a job that is quickly done, with these members of its output. */
function jobTo(output: object, more: object = {}) {
  const input = { url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' };
  return { ...describeJob('no_process', [input], 'm4a', { ...more }), output: { ext: 'm4a', ...output } };
}

async function runJob(job: unknown): Promise<StatusEvent> {
  const event = await run(service, job);
  shown.push(JSON.stringify(event));
  return event;
}

const start = async (job: unknown) => (await post<StartedJob>(`${service}/api/v1/render/execute`, job)).body;

async function uploadsTo(path: string): Promise<readonly LabUpload[]> {
  const { body } = await fetchJson<{ uploads: LabUpload[] }>(`${lab}/_lab/store`);
  return body.uploads.filter((upload) => upload.path === path);
}

describe('a delivery to the store of the caller', () => {
  test('uploads the same file as the download link, and reports its outcome', async () => {
    const { token, path, putUrl } = presign();
    const event = await runJob(jobTo({ putUrl, putHeaders: { 'X-Amz-Meta-Job': 'a', Authorization: password } }));
    const file = Buffer.from(await (await fetch(event.output?.url ?? '')).arrayBuffer());
    const sha256 = createHash('sha256').update(file).digest('hex');
    const [upload, ...others] = await uploadsTo(path);
    expect([upload, others]).toMatchObject([{ bytes: file.length, sha256, contentType: 'audio/mp4' }, []]);
    expect(event).toMatchObject({ status: 'done', error: null });
    expect(event.delivery).toEqual({
      status: 'delivered',
      host: 'store.lab.example',
      bytes: file.length,
      attempts: 1,
      httpStatus: 200,
      etag: upload?.etag,
      code: null,
      message: null,
    });
    const [request] = await requestsWithToken(lab, token);
    expect(request).toMatchObject({
      method: 'PUT',
      headers: { 'content-length': String(file.length), 'x-amz-meta-job': 'a', authorization: password },
    });
  });

  test('leaves nothing in our storage with keep: false', async () => {
    const { path, putUrl } = presign();
    const before = await storedFiles(folder.path);
    const job = jobTo({ putUrl, keep: false });
    const event = await runJob(job);
    const [upload] = await uploadsTo(path);
    expect(event).toMatchObject({
      status: 'done',
      progress: 100,
      output: null,
      error: null,
      delivery: { status: 'delivered', sha256: upload?.sha256, notes: [] },
    });
    expect(await storedFiles(folder.path)).toEqual(before);
    // The ID is the idempotency key: a repeated start delivers nothing again.
    const again = await post<StartedJob>(`${service}/api/v1/render/execute`, job);
    expect([again.status, again.body.status]).toEqual([200, 'already_exists']);
    expect(await uploadsTo(path)).toHaveLength(1);
  });

  test('is repeated after temporary failures', async () => {
    const { token, path, putUrl } = presign({ status: 503, times: 1, cutOnce: 1_000 });
    const event = await runJob(jobTo({ putUrl }));
    expect(event.delivery).toMatchObject({ status: 'delivered', attempts: 3, httpStatus: 200 });
    expect((await requestsWithToken(lab, token)).map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PUT']);
    expect(await uploadsTo(path)).toHaveLength(1);
  });

  test.each([
    ['403', { status: 403 }, 403],
    ['a redirect', { redirectTo: 'https://elsewhere.example/' }, 302],
  ])('that the store refuses with %s fails, and the file is kept', async (_name, faults, httpStatus) => {
    const event = await runJob(jobTo({ putUrl: presign(faults).putUrl }));
    expect(event).toMatchObject({
      status: 'done',
      error: null,
      delivery: { status: 'failed', code: 'delivery_refused', httpStatus, etag: null, attempts: 1 },
    });
    expect((await fetch(event.output?.url ?? '')).status).toBe(200);
  });

  test('that the store refuses fails the job with keep: false, and a retry can succeed', async () => {
    const { path, putUrl } = presign({ status: 403, times: 1 });
    const job = jobTo({ putUrl, keep: false });
    const event = await runJob(job);
    expect(event).toMatchObject({
      status: 'failed',
      output: null,
      error_code: 'delivery_refused',
      retryable: false,
      delivery: { status: 'failed', code: 'delivery_refused', httpStatus: 403 },
    });
    expect(event.error).toBe(event.delivery?.message);
    const retried = await post<StartedJob>(`${service}/api/v1/render/jobs/${job.id}/retry`, {});
    expect(retried.status).toBe(202);
    expect(await outcome(retried.body.sseStatusUrl)).toMatchObject({
      status: 'done',
      delivery: { status: 'delivered' },
    });
    expect(await uploadsTo(path)).toHaveLength(1);
  });

  test.each([
    ['is in progress', { throttle: 1_000 }],
    ['waits for a retry', { status: 429, retryAfter: 3_600 }],
  ])('that %s ends when its job is cancelled', async (_name, faults) => {
    const { token, path, putUrl } = presign(faults);
    const { jobId, sseStatusUrl } = await start(jobTo({ putUrl, keep: false }));
    await expect.poll(async () => (await requestsWithToken(lab, token)).length).toBe(1);
    await expect.poll(async () => (await statusOf(jobId)).status).toBe('uploading_output');
    await cancel(jobId);
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'failed', error_code: 'cancelled', output: null });
    expect(await uploadsTo(path)).toEqual([]);
  });

  test.each(['http://169.254.169.254/film', 'http://127.0.0.1:9/film', 'https://localhost/film'])(
    'to %s is refused like an input from there',
    async (putUrl) => {
      const preview = await post<{ problems: unknown[] }>(
        `${service}/api/v1/render/execute?plan=only`,
        jobTo({ putUrl, keep: false }),
      );
      expect(preview.body.problems).toMatchObject([{ code: 'address_refused', input: null }]);
      expect(await runJob(jobTo({ putUrl, keep: false }))).toMatchObject({
        status: 'failed',
        error_code: 'address_refused',
        output: null,
      });
      expect((await runJob(jobTo({ putUrl }))).delivery).toMatchObject({ status: 'failed', code: 'address_refused' });
    },
  );

  test.each([
    [{ keep: false }, 'output.keep'],
    [{ putHeaders: { 'x-a': 'b' } }, 'output.putHeaders'],
    [{ putUrl: 'file:///etc/passwd' }, 'output.putUrl'],
    [{ putUrl: 'https://store.lab.example/a', putHeaders: { Host: 'a' } }, 'output.putHeaders.Host'],
  ])('is invalid in a job with %j', async (output, path) => {
    const { status, body } = await post<Refusal>(`${service}/api/v1/render/execute`, jobTo(output));
    expect([status, body.error.code, body.error.fields.map((field) => field.path)]).toEqual([
      400,
      'invalid_body',
      [path],
    ]);
  });

  test('is part of the webhook event, the status and the list of jobs', async () => {
    const receiver = labFile('/media/amber-2/still-720.jpg');
    const job = jobTo(
      { putUrl: presign().putUrl },
      { webhook: { url: receiver.url, secret: 'a secret of this test' } },
    );
    const { delivery } = await runJob(job);
    expect(await statusOf(job.id)).toMatchObject({ delivery });
    const authorization = { headers: { authorization: `Bearer ${keys.render}` } };
    const list = await fetchJson<{ jobs: StatusEvent[] }>(`${service}/api/v1/render/jobs`, authorization);
    expect(list.body.jobs[0]).toMatchObject({ job_id: job.id, delivery });
    shown.push(JSON.stringify(list.body));
    await expect.poll(async () => (await requestsWithToken(lab, receiver.token)).length).toBe(1);
    const [event] = await requestsWithToken(lab, receiver.token);
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ job_id: job.id, delivery });
    shown.push(event?.body ?? '');
    const listed = await started.admin<unknown>('GET', `/admin/jobs/${job.id}`);
    shown.push(JSON.stringify(listed.body));
  });

  test('is counted by its outcome, and shows its URL and headers nowhere', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${started.settings.ADMIN_PORT}/metrics`)).text();
    for (const code of ['ok', 'delivery_refused', 'address_refused']) {
      expect(metrics).toMatch(new RegExp(`render_deliveries_total\\{[^}]*code="${code}"[^}]*\\} [1-9]`));
    }
    const everything = [...shown, started.service.output(), metrics].join('\n');
    for (const secret of [signature, password, 'X-Amz', '/bucket/']) expect(everything).not.toContain(secret);
  });
});

async function statusOf(jobId: string): Promise<StatusEvent> {
  const { body } = await fetchJson<StatusEvent>(`${service}/api/v1/render/jobs/${jobId}`);
  shown.push(JSON.stringify(body));
  return body;
}

async function cancel(jobId: string): Promise<void> {
  const { body } = await fetchJson<unknown>(`${service}/api/v1/render/jobs/${jobId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${keys.render}` },
  });
  shown.push(JSON.stringify(body));
}
