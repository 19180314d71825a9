import { describe, expect, inject, test } from 'vitest';
import { describeJob, extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');
const execute = `${service}/api/v1/render/execute`;
const planOnly = `${execute}?plan=only`;

interface Plan {
  readonly jobId: string;
  readonly status: string;
  readonly inputs: readonly { readonly size: number | null; readonly duration: number | null }[];
  readonly operation: object;
  readonly result: { readonly size: number | null; readonly sizeText: string | null };
  readonly cost: object;
  readonly unfinishedJobs: { readonly now: number; readonly left: number | null };
  readonly problems: readonly { readonly code: string; readonly message: string; readonly input: number | null }[];
}

const file = (faults: Record<string, string | number> = {}) => labFile('/media/amber-2/movie-360.mp4', faults);
const jobOf = (url: string, more: Record<string, unknown> = {}) =>
  describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', more);

/** Expects that no job with this ID was started. */
async function expectNothing(jobId: string): Promise<void> {
  expect(await outcome(`${service}/api/v1/render/status/sse/${jobId}`)).toMatchObject({ status: 'not_found' });
}

test('a preview returns the effects of a start, and the start then has exactly these effects', async () => {
  const { url, token } = file();
  const job = jobOf(url);
  const { status, headers, body } = await post<Plan>(planOnly, job);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { size } = body.inputs[0] ?? {};
  expect(size).toBeGreaterThan(10_000);
  expect(body).toMatchObject({
    jobId: job.id,
    status: 'queued',
    inputs: [{ ext: 'mp4', size, sizeIsExact: true, ranges: true }],
    operation: { type: 'convert_format', video: 'copy', audio: 'copy' },
    result: { ext: 'mp4', size, sizeAtMost: size, ttl: 3_600_000 },
    cost: { credits: 0 },
    problems: [],
  });
  const requests = await requestsWithToken(lab, token);
  expect(requests.map(({ range }) => range)).toEqual(['bytes=0-0']);
  await expectNothing(job.id);

  const { body: started } = await post<StartedJob>(execute, job);
  const { output } = await outcome(started.sseStatusUrl);
  expect(Math.abs((output?.size ?? 0) - (size ?? 0))).toBeLessThan((size ?? 0) / 20);
  expect((await post<Plan>(planOnly, job)).body.status).toBe('already_exists');
});

test('a preview reads a playlist and estimates its size', async () => {
  const { url } = labFile('/hls/amber-30/master.m3u8');
  const job = describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4');
  const { body } = await post<Plan>(planOnly, job);
  expect(body.problems).toEqual([]);
  expect(body.inputs[0]?.duration).toBeCloseTo(30, 0);
  const { body: started } = await post<StartedJob>(execute, job);
  const { output } = await outcome(started.sseStatusUrl);
  const foreseen = (body.result.size ?? 0) / (output?.size ?? 1);
  expect(foreseen).toBeGreaterThan(0.7);
  expect(foreseen).toBeLessThan(1.5);
});

describe('the problems of a preview', () => {
  test.each([
    ['an expired link', () => jobOf(file({ status: 403 }).url), 'source_refused'],
    ['a web page instead of media', () => jobOf(file({ html: 1 }).url), 'source_refused'],
    [
      'an input over its limit',
      () => jobOf(file().url, { limits: { inputSize: { perInput: 1_000 } } }),
      'input_too_large',
    ],
    ['an internal address', () => jobOf('http://169.254.169.254/a.mp4'), 'address_refused'],
    [
      'a source that redirects to an internal address',
      () => jobOf(file({ redirect: 1, redirectTo: 'http://127.0.0.1/a.mp4' }).url),
      'address_refused',
    ],
    ['a source that does not respond', () => jobOf(file({ hang: 1 }).url, { timeout: 1_000 }), 'download_timeout'],
  ])('include %s', async (_, jobWith, code) => {
    const job = jobWith();
    const { status, body } = await post<Plan>(planOnly, job);
    expect(status).toBe(200);
    expect(body.problems).toMatchObject([{ code, input: 0, message: expect.any(String) }]);
    await expectNothing(job.id);
  });
});

describe('a preview without a description', () => {
  test('works for a stored job', async () => {
    const job = jobOf(file().url);
    const { body } = await post<{ executionUrl: string }>(`${service}/api/v1/render/cache`, job);
    const { status, body: plan } = await fetchJson<Plan>(`${body.executionUrl}?plan=only`);
    expect([status, plan.jobId, plan.problems]).toEqual([200, job.id, []]);
    await expectNothing(job.id);
  });

  test('works for a render config', async () => {
    const question = `${service}/p5/v3/video/details?videoId=xlab30&renderableFormats=lowres`;
    const { body } = await extract<{
      contents: { renderableVideos: { repId: string; renderConfig: { executionUrl: string } }[] }[];
    }>(question);
    const item = body.contents[0]?.renderableVideos[0];
    const { status, body: plan } = await fetchJson<Plan>(`${item?.renderConfig.executionUrl}&plan=only`);
    expect([status, plan.jobId, plan.problems]).toEqual([200, item?.repId, []]);
    expect(plan.unfinishedJobs.left).toBeNull();
    await expectNothing(item?.repId ?? '');
  });
});

describe('a preview is refused like a start', () => {
  test.each([
    ['an invalid body', { ...jobOf('ftp://a.example'), inputs: [] }, keys.render, [400, 'invalid_body']],
    ['a wrong key', jobOf(file().url), 'wrong', [401, 'unauthorized']],
  ] as const)('for %s', async (_, job, key, expected) => {
    const { status, body } = await post<{ error: { code: string } }>(planOnly, job, key);
    expect([status, body.error.code]).toEqual(expected);
  });

  test("for another owner's ID", async () => {
    const job = jobOf(file().url);
    await post(execute, job);
    const { status, body } = await post<{ error: { code: string } }>(planOnly, job, keys.otherRender);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  });

  test('for a mistyped value of plan, so that nothing starts by mistake', async () => {
    const job = jobOf(file().url);
    const { status, body } = await post<{ error: { code: string } }>(`${execute}?plan=onyl`, job);
    expect([status, body.error.code]).toEqual([400, 'invalid_params']);
    await expectNothing(job.id);
  });
});
