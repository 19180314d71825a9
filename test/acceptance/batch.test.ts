import { describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');
const batchUrl = `${service}/api/v1/render/batch`;

interface RefusedJob {
  readonly error: {
    readonly code: string;
    readonly requestId: string;
    readonly fields?: readonly { readonly path: string }[];
  };
}

interface Batch {
  readonly results: readonly {
    readonly statusCode: number;
    readonly retryAfter?: number;
    readonly body: Partial<StartedJob> & Partial<RefusedJob>;
  }[];
}

const job = () => describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
const send = async (jobs: readonly unknown[], key?: string) =>
  (await post<Batch>(batchUrl, { jobs }, key)).body.results;
const codes = (results: Batch['results']) => results.map(({ statusCode }) => statusCode);

/** Returns the execution URL of a render config. */
async function executionUrl(): Promise<string> {
  const { body } = await extract<Result>(`${service}/p5/v3/video/details?videoId=xlab2&renderableFormats=lowres`);
  return body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
}

describe('a batch', () => {
  test('starts descriptions, execution URLs and stored descriptions, and renders all of them', async () => {
    const [one, two] = [job(), job()];
    const storedJob = (await post<{ cacheId: string; executionUrl: string }>(`${service}/api/v1/render/cache`, two))
      .body;
    const other = job();
    const linkedJob = (await post<{ executionUrl: string }>(`${service}/api/v1/render/cache`, other)).body;
    const sealedUrl = await executionUrl();
    const { status, headers, body } = await post<Batch>(batchUrl, {
      jobs: [
        one,
        { cacheId: storedJob.cacheId },
        { executionUrl: sealedUrl },
        one,
        { executionUrl: storedJob.executionUrl },
        { executionUrl: linkedJob.executionUrl },
      ],
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(codes(body.results)).toEqual([202, 202, 202, 200, 200, 202]);
    expect(body.results[0]?.body).toEqual({
      jobId: one.id,
      status: 'queued',
      message: expect.any(String),
      statusUrl: expect.stringMatching(/^wss?:\/\//),
      sseStatusUrl: expect.stringMatching(/^https?:\/\//),
    });
    const ids = body.results.map(({ body }) => body.jobId);
    expect([ids[0], ids[1], ids[3], ids[4], ids[5]]).toEqual([one.id, two.id, one.id, two.id, other.id]);
    for (const { body: started } of body.results) {
      expect(await outcome(started.sseStatusUrl ?? '')).toMatchObject({ status: 'done' });
    }
    // A single call with the same execution URL attaches to the job that the batch started.
    expect((await fetchJson<StartedJob>(sealedUrl)).body).toMatchObject({ jobId: ids[2], status: 'already_exists' });
  });

  test('starts some jobs and refuses others, each as the single call does', async () => {
    const theirs = job();
    await post(`${service}/api/v1/render/execute`, theirs, keys.otherRender);
    const good = job();
    const sealedUrl = await executionUrl();
    const results = await send([
      { ...job(), ttl: 1 },
      theirs,
      { cacheId: 'A'.repeat(22) },
      { executionUrl: `${sealedUrl.slice(0, -4)}AAAA` },
      { executionUrl: 'https://example.com/' },
      'what?',
      good,
    ]);
    expect(codes(results)).toEqual([400, 403, 404, 403, 400, 400, 202]);
    expect(results.slice(0, 5).map(({ body }) => body.error?.code)).toEqual([
      'invalid_body',
      'forbidden',
      'not_found',
      'invalid_url',
      'invalid_url',
    ]);
    const single = await post<RefusedJob>(`${service}/api/v1/render/execute`, { ...job(), ttl: 1 });
    const requestId = results[0]?.body.error?.requestId;
    expect(results[0]?.body).toEqual({ error: { ...single.body.error, requestId } });
    expect((await outcome(results[6]?.body.sseStatusUrl ?? '')).status).toBe('done');
  });

  test('needs a key for descriptions, but not for links', async () => {
    const sealedUrl = await executionUrl();
    const results = await send([job(), { executionUrl: sealedUrl }], 'wrong');
    expect(codes(results)).toEqual([401, 202]);
  });

  test('accepts fifty jobs, and each ID only once', async () => {
    // The source is slow so that no job ends before it is cancelled.
    const { url } = labFile('/media/amber-2/sound.m4a', { latency: 60_000 });
    const jobs = Array.from({ length: 50 }, () => describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a'));
    const results = await send(jobs);
    expect(codes(results)).toEqual(Array(50).fill(202));
    expect(results.map(({ body }) => body.jobId)).toEqual(jobs.map(({ id }) => id));
    expect(codes(await send(jobs))).toEqual(Array(50).fill(200));
    const headers = { authorization: `Bearer ${keys.render}` };
    const cancels = jobs.map(({ id }) => fetch(`${service}/api/v1/render/jobs/${id}`, { method: 'DELETE', headers }));
    expect((await Promise.all(cancels)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  });

  test.each([
    ['a body that is not JSON', '{"jobs":', 400, 'invalid_body'],
    ['a body without a list', '{}', 400, 'invalid_body'],
    ['an empty list', '{"jobs":[]}', 400, 'invalid_body'],
    ['fifty-one jobs', JSON.stringify({ jobs: Array(51).fill({}) }), 400, 'invalid_body'],
    ['an unknown member', '{"jobs":[{}],"x":1}', 400, 'invalid_body'],
  ])('refuses %s', async (_name, text, expected, code) => {
    const { status, body } = await post<RefusedJob>(batchUrl, text);
    expect([status, body.error.code]).toEqual([expected, code]);
  });

  test('accepts a description up to the size limit of a single one, and no larger', async () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'x'.repeat(8_000)]));
    const batchOf = (count: number) => {
      const { url } = labFile('/media/amber-2/sound.m4a');
      return describeJob('no_process', [{ url, ext: 'm4a', requestOptions: { headers: headers(count) } }], 'm4a');
    };
    expect(codes(await send([batchOf(30), batchOf(40)]))).toEqual([202, 413]);
  });
});

describe('options of a job that are too large for all of its inputs together', () => {
  const body = 'a'.repeat(60_000);
  const input = { url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' };
  const large = () => ({
    ...describeJob(
      'join_streams',
      Array.from({ length: 64 }, () => input),
      'm4a',
    ),
    requestOptions: { method: 'POST', body },
  });
  const refusal = { error: { code: 'body_too_large', message: expect.stringMatching(/requestOptions .* 64 inputs/) } };

  test.each(['execute', 'execute?plan=only', 'cache'])('are refused by /render/%s', async (path) => {
    expect(await post(`${service}/api/v1/render/${path}`, large())).toMatchObject({ status: 413, body: refusal });
  });

  test('are refused in a batch, without its other jobs', async () => {
    const results = await send([large(), job()]);
    expect(results).toMatchObject([{ statusCode: 413, body: refusal }, { statusCode: 202 }]);
  });
});
