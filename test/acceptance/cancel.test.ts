import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { freePort } from '../support/free-port.ts';
import {
  describeJob,
  extract,
  fetchJson,
  follow,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { storedFiles } from '../support/storage-stack.ts';

/** Maximum milliseconds until a definite response: less than a slow job runs, and enough for a busy machine. */
const ANSWER_MS = 30_000;

interface Cancelled {
  readonly jobId: string;
  readonly status: 'cancelled' | 'already_finished' | 'deleted';
  readonly message: string;
  readonly job: StatusEvent;
}

interface RefusedJob {
  readonly error: { readonly code: string; readonly statusCode: number };
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let metrics: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const port = String(await freePort());
  metrics = `http://127.0.0.1:${port}/metrics`;
  // One job at a time, so that the next one waits.
  service = await startService(inject('labUrl'), folder.path, { WORKER_CONCURRENCY: '1', ADMIN_PORT: port });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

/** A job that runs until it is cancelled. `quickJob` is one that finishes quickly. */
const slowJob = () => {
  const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 20_000 });
  return describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', { chunkDownload: { concurrency: 1 } });
};
const quickJob = () => describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');

const start = async (job: unknown) => (await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).body;

/** Cancels by a link, or by an ID with a key. */
async function cancel(what: string, key: string | undefined = keys.render) {
  const isLink = what.startsWith('http');
  const startedAt = performance.now();
  const response = await fetchJson<Cancelled & RefusedJob>(
    isLink ? what : `${service.url}/api/v1/render/jobs/${what}`,
    {
      method: 'DELETE',
      ...(isLink || key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    },
  );
  expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
  return response;
}

/** Deletes a job if it has finished, or else cancels it. */
const remove = (id: string, key?: string) => cancel(`${id}?finished=delete`, key);

/** Waits until a job reaches a state. */
function waitForEvent(sseStatusUrl: string, isThere: (event: StatusEvent) => boolean) {
  const there = Promise.withResolvers<void>();
  const events = follow(sseStatusUrl, (event) => {
    if (isThere(event)) there.resolve();
  });
  return { there: there.promise, last: events.then((all) => all.at(-1)) };
}

async function nothingIsLeft(files: readonly string[] = []): Promise<void> {
  await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
  await expect.poll(() => storedFiles(folder.path)).toEqual(files.toSorted());
}

const failure = { error: 'Cancelled by its owner', error_code: 'cancelled', retryable: false, input: null };
const cancelledEvent = { status: 'failed', ...failure, output: null };

describe('cancelling a job', () => {
  test('notifies subscribers immediately and leaves nothing behind during a download', async () => {
    const { jobId, sseStatusUrl } = await start(slowJob());
    const { there, last } = waitForEvent(sseStatusUrl, ({ progress }) => progress > 0);
    await there;
    const { status, headers, body } = await cancel(jobId);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      jobId,
      status: 'cancelled',
      message: expect.any(String),
      job: expect.objectContaining({ job_id: jobId, ...cancelledEvent }),
    });
    expect(body.job.progress).toBeGreaterThan(0);
    expect(await last).toEqual(body.job);
    expect(await outcome(sseStatusUrl)).toEqual(body.job);
    await nothingIsLeft();
  });

  test('ends the engine while a job is processed, and lets the next job run', async () => {
    const { url } = labFile('/media/amber-120/movie-720.mp4');
    const job = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4');
    const { jobId, sseStatusUrl } = await start({ ...job, operation: { type: 'convert_format', copyStreams: false } });
    const { there, last } = waitForEvent(
      sseStatusUrl,
      ({ status, progress }) => status === 'processing' && progress > 50,
    );
    await there;
    expect((await cancel(jobId)).body.status).toBe('cancelled');
    expect(await last).toMatchObject(cancelledEvent);
    await nothingIsLeft();
    const next = await start(quickJob());
    expect(await outcome(next.sseStatusUrl)).toMatchObject({ status: 'done' });
    await nothingIsLeft([(await outcome(next.sseStatusUrl)).output?.key ?? '']);
  });

  test('prevents a waiting job from ever being claimed', async () => {
    const first = await start(slowJob());
    const second = await start(slowJob());
    await waitForEvent(first.sseStatusUrl, ({ progress }) => progress > 0).there;
    expect((await cancel(second.jobId)).body).toMatchObject({ status: 'cancelled', job: cancelledEvent });
    expect((await cancel(first.jobId)).body).toMatchObject({ status: 'cancelled', job: cancelledEvent });
    await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
    expect(service.output()).not.toMatch(new RegExp(`${second.jobId}.*job taken up`));
  });

  test('returns the same response twice', async () => {
    const { jobId } = await start(slowJob());
    const first = await cancel(jobId);
    expect(await cancel(jobId)).toMatchObject({ status: 200, body: first.body });
  });

  test('allows a restart as after a failure', async () => {
    const job = quickJob();
    const slow = { ...slowJob(), id: job.id };
    await start(slow);
    await cancel(job.id);
    const again = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
    expect([again.status, again.body.status]).toEqual([202, 'queued']);
    expect(await outcome(again.body.sseStatusUrl)).toMatchObject({ status: 'done', error: null });
  });
});

describe('cancelling by execution URL without a key', () => {
  test('works for the URL of a stored description', async () => {
    const { body } = await post<{ executionUrl: string }>(`${service.url}/api/v1/render/cache`, slowJob());
    expect((await cancel(body.executionUrl)).status).toBe(404);
    await fetchJson<StartedJob>(body.executionUrl);
    expect((await cancel(body.executionUrl)).body).toMatchObject({ status: 'cancelled', job: cancelledEvent });
  });

  test('works for the URL of a render config', async () => {
    const { body } = await extract<Result>(
      `${service.url}/p1/v3/video/details?videoId=lab-med-slo&renderableFormats=lowres`,
    );
    const { executionUrl = '', sseStatusUrl = '' } = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig ?? {};
    expect((await cancel(executionUrl)).body.error.code).toBe('not_found');
    const { jobId } = (await fetchJson<StartedJob>(executionUrl)).body;
    // A key that did not start the job is refused.
    expect((await cancel(jobId)).body.error.code).toBe('forbidden');
    expect((await cancel(executionUrl)).body).toMatchObject({ jobId, status: 'cancelled', job: cancelledEvent });
    expect(await outcome(sseStatusUrl)).toMatchObject(cancelledEvent);
    expect((await cancel(`${executionUrl.slice(0, -4)}AAAA`)).body.error).toMatchObject({
      code: 'invalid_url',
      statusCode: 403,
    });
  });
});

describe('cancelling is refused', () => {
  test('for a finished job, whose file stays', async () => {
    const { jobId, sseStatusUrl } = await start(quickJob());
    const done = await outcome(sseStatusUrl);
    const { status, body } = await cancel(jobId);
    expect([status, body.status, body.job]).toEqual([200, 'already_finished', done]);
    expect(body.message).toMatch(/done/);
    expect((await fetch(done.output?.url ?? '')).status).toBe(200);
  });

  test('for a failed job, whose error stays', async () => {
    const { url } = labFile('/media/amber-2/sound.m4a', { status: 404 });
    const { jobId, sseStatusUrl } = await start(describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a'));
    const failed = await outcome(sseStatusUrl);
    expect((await cancel(jobId)).body).toMatchObject({ status: 'already_finished', job: failed });
  });

  test('with another key, without a key, and for an unknown job', async () => {
    const { jobId } = await start(slowJob());
    expect((await cancel(jobId, keys.otherRender)).body.error).toMatchObject({ code: 'forbidden', statusCode: 403 });
    expect((await remove(jobId, keys.otherRender)).body.error.code).toBe('forbidden');
    expect((await cancel(jobId, '')).body.error).toMatchObject({ code: 'unauthorized', statusCode: 401 });
    expect((await cancel(jobId, keys.MEGA)).body.error).toMatchObject({ code: 'unauthorized', statusCode: 401 });
    for (const id of ['never-started', '%00', 'a%2Fb', 'a'.repeat(500)]) {
      expect((await cancel(id)).body.error).toMatchObject({ code: 'not_found', statusCode: 404 });
    }
    expect((await cancel(jobId)).body.status).toBe('cancelled');
  });
});

describe('deleting a finished job', () => {
  test('removes a done job, its links and its file immediately', async () => {
    const before = await storedFiles(folder.path);
    const { jobId, sseStatusUrl } = await start(quickJob());
    const done = await outcome(sseStatusUrl);
    const { status, body } = await remove(jobId);
    expect([status, body]).toMatchObject([200, { jobId, status: 'deleted', job: done }]);
    expect(await storedFiles(folder.path)).toEqual(before);
    for (const link of [done.output?.url, done.output?.receipt]) expect((await fetch(link ?? '')).status).toBe(410);
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'not_found', id: jobId });
    expect((await fetchJson(`${service.url}/api/v1/render/jobs/${jobId}`)).status).toBe(404);
    expect((await remove(jobId)).body.error.code).toBe('not_found');
  });

  test('cancels an unfinished job, which can then be deleted as well', async () => {
    const { jobId, sseStatusUrl } = await start(slowJob());
    expect((await remove(jobId)).body).toMatchObject({ status: 'cancelled', job: cancelledEvent });
    expect((await remove(jobId)).body).toMatchObject({ status: 'deleted', job: cancelledEvent });
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'not_found' });
  });

  test('requires the exact parameter', async () => {
    const { status, body } = await cancel('any?finished=yes');
    expect([status, body.error.code]).toEqual([400, 'invalid_params']);
  });
});

describe('retrying a failed job', () => {
  const retry = (id: string, headers: Record<string, string>) =>
    fetchJson<StartedJob & RefusedJob>(`${service.url}/api/v1/render/jobs/${id}/retry`, { method: 'POST', headers });
  const renderHeaders = { authorization: `Bearer ${keys.render}` };

  test('runs it again under the same ID without its description', async () => {
    const { url } = labFile('/media/amber-2/sound.m4a', { status: 404 });
    const { jobId, sseStatusUrl } = await start(describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a'));
    const first = await outcome(sseStatusUrl);
    const { status, body } = await retry(jobId, renderHeaders);
    expect([status, body]).toMatchObject([202, { jobId, status: 'queued', sseStatusUrl }]);
    const second = await outcome(sseStatusUrl);
    expect(second).toMatchObject({ status: 'failed', error_code: first.error_code });
    expect(Date.parse(second.created_at)).toBeGreaterThan(Date.parse(first.created_at));
  });

  test('is refused for other states, other keys and requests of the page', async () => {
    const { jobId } = await start(slowJob());
    const refusal = async (headers: Record<string, string>, id = jobId) => {
      const { status, body } = await retry(id, headers);
      return [status, body.error.code];
    };
    expect(await refusal(renderHeaders)).toEqual([409, 'conflict']);
    await cancel(jobId);
    expect(await refusal(renderHeaders)).toEqual([409, 'conflict']);
    expect(await refusal({ authorization: `Bearer ${keys.otherRender}` })).toEqual([403, 'forbidden']);
    expect(await refusal({ 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' })).toEqual([401, 'unauthorized']);
    expect(await refusal(renderHeaders, 'never-started')).toEqual([404, 'not_found']);
  });
});

test('a job that is cancelled at any moment ends exactly once, and leaves a file only when it is done', async () => {
  const before = await storedFiles(folder.path);
  const files: string[] = [];
  const ends = new Set<string>();
  const startedAt = performance.now();
  files.push((await outcome((await start(quickJob())).sseStatusUrl)).output?.key ?? '');
  const whole = performance.now() - startedAt;
  const rounds = 16;
  const hasSeenBoth = () => ends.size === 2;
  for (let round = 0; round < rounds || (!hasSeenBoth() && round < 4 * rounds); round += 1) {
    const { jobId, sseStatusUrl } = await start(quickJob());
    // The job is cancelled after a delay between zero and twice the duration of the first job, or later if the machine
    // is busier now.
    const deadline = performance.now() + (2 * whole * round) / rounds;
    while (performance.now() < deadline) await fetch(`${service.url}/health/live`);
    const { body } = await cancel(jobId);
    const last = await outcome(sseStatusUrl);
    expect(last).toEqual(body.job);
    expect(last.status).toBe(body.status === 'cancelled' ? 'failed' : 'done');
    if (last.output !== null) files.push(last.output.key);
    ends.add(body.status);
  }
  expect(ends).toEqual(new Set(['cancelled', 'already_finished']));
  await nothingIsLeft([...before, ...files]);
});

test('cancellations are counted', async () => {
  const text = await (await fetch(metrics)).text();
  for (const result of ['cancelled', 'already_finished', 'deleted']) {
    expect(text).toMatch(new RegExp(`^millrace_render_cancels_total\\{result="${result}"\\} [1-9]`, 'm'));
  }
  expect(text).toMatch(/^millrace_render_runs_total\{code="cancelled"\} [1-9]/m);
});
