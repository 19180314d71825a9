/** @module-tag long */

// A black box through the client library: the only acceptance test that imports a part of the project, and only the
// part that callers get.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as library from '#client/index.ts';
import { describeJob } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';
import { keys } from '../support/processes.ts';

const url = inject('serviceUrl');
const client = library.createClient({ url, key: keys.MEGA, renderKey: keys.render });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-client-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function examplesOf(page: string): Promise<[string, string][]> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return blocks.map((code, index) => [`${page} ${index + 1}: ${code.split('\n', 1)[0]}`, code]);
}

// Turns examples into functions. Their parameters are the names that an example may use without declaring them.
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor;

/** Runs an example with a client of the service under test and the given names, and returns its output. */
async function runExample(code: string, more: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const output: string[] = [];
  const knownNames = {
    ...library,
    client,
    createClient: () => client,
    console: { log: (...words: unknown[]) => output.push(words.join(' ')) },
    writeFile: (name: string, content: ReadableStream<Uint8Array>) => writeFile(join(folder, name), content),
    ...more,
  };
  const body = stripTypeScriptTypes(code.replace(/^import .*$/gm, ''));
  await new AsyncFunction(...Object.keys(knownNames), `{ ${body} }`)(...Object.values(knownNames));
  return output;
}

describe.each([
  ['docs/how-to/use-the-client.md', 15],
  ['README.md', 1],
])('the examples of %s', async (page, least) => {
  const examples = await examplesOf(page);

  test('are all found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(least);
  });

  test.each(examples)('%s', async (_, code) => {
    const output = await runExample(code);
    expect(output.length > 0).toBe(code.includes('console.log'));
  });
});

test('the receiver of docs/how-to/receive-webhooks.md accepts the webhooks of the service, and handles each once', async () => {
  const [[, example = ''] = []] = await examplesOf('docs/how-to/receive-webhooks.md');
  const receiver = labFile('/media/amber-2/still-720.jpg');
  const secret = `whsec_${Buffer.from('any key of some length').toString('base64')}`;
  const { job_id: jobId } = await client.renders.finish({
    inputs: [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'no_process' },
    webhook: { url: receiver.url, secret },
  });
  const delivered = async () => (await client.renders.deliveries(jobId)).deliveries[0]?.state;
  await expect.poll(delivered).toBe('delivered');
  const [webhookRequest] = await requestsWithToken(inject('labUrl'), receiver.token);
  const request = () =>
    new Request('https://receiver.example/', {
      method: 'POST',
      headers: { ...webhookRequest?.headers },
      body: webhookRequest?.body ?? '',
    });
  const statuses: number[] = [];
  const twice = `${example}\nfor (const each of [0, 1]) heard((await receive(request())).status);`;
  const output = await runExample(twice, { secret, request, heard: (status: number) => statuses.push(status) });
  expect([statuses, output]).toEqual([[204, 204], [expect.stringContaining(`${jobId} done http`)]]);
});

test('the file that the guide renders is a video with audio', async () => {
  const { tracks } = await inspect(await readFile(join(folder, 'video.mp4')));
  expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
});

test('every platform has its methods', async () => {
  const responses = await Promise.all([
    client.p1.search.suggestions({ query: 'bri' }),
    client.p2.media.post.details({ shortcode: 'lab-reel-30' }),
    client.p3.post.details({ url: 'https://www.facebook.com/reel/770000000000001' }),
    client.p4.post.details({ url: 'https://www.tiktok.com/@thelab/video/7559142440960000001' }),
    client.p5.video.details({ videoId: 'xlab30' }),
    client.p6.pin.details({ pinId: '600000000000000105' }),
  ]);
  for (const response of responses) expect(response).toMatchObject({ error: null, metadata: expect.any(Object) });
});

test('a pasted link leads to its result', async () => {
  for (const text of [
    'https://youtu.be/lab-plain30',
    'see https://www.facebook.com/reel/770000000000001, nice',
    'dai.ly/xlab30',
    'https://www.pinterest.com/pin/600000000000000105/',
  ]) {
    const link = library.recogniseLink(text);
    if (link === undefined) throw new Error(`${text} is not recognised`);
    const { contents } = await client.extractLink(link, { renderableFormats: undefined });
    expect(contents?.length).toBeGreaterThan(0);
  }
});

test('the pages of a list contain every item exactly once', async () => {
  const ids: string[] = [];
  for await (const { id } of client.items('p1', 'video/comments', { videoId: 'lab-plain30' })) ids.push(id);
  expect(ids.length).toBeGreaterThan(20);
  expect(new Set(ids).size).toBe(ids.length);
});

test('ten videos of a playlist become ten files, with a stop and a resumption in between', async () => {
  const link = library.recogniseLink('https://www.youtube.com/playlist?list=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR');
  if (link === undefined) throw new Error('the playlist is not recognised');
  /** The next videos of the playlist, after an entry. Only short ones: they are cheap. */
  async function* videos(list: library.RecognisedLink, count: number, resume?: string) {
    let remaining = count;
    for await (const entry of client.collection(list, { resume })) {
      if (entry.duration !== 30) continue;
      yield entry;
      remaining -= 1;
      if (remaining === 0) return;
    }
  }
  async function prepare(entry: library.CollectionEntry, signal: AbortSignal) {
    if (entry.link === undefined) throw new Error('the entry has no link');
    const { contents } = await client.extractLink(entry.link, { renderableFormats: ['lowres'] }, { signal });
    const [item] = contents?.[0]?.renderableVideos ?? [];
    if (item?.renderConfig === undefined) throw new Error(item?.error ?? 'the entry has no video');
    return item;
  }
  const outputs = new Map<number, library.RenderOutput>();
  let last: library.CollectionEntry | undefined;
  async function run(batch: library.RenderBatch<library.CollectionEntry>, enough: number) {
    for await (const { item, output, error } of batch) {
      if (error !== undefined) throw error;
      if (item.index > (last?.index ?? 0)) last = item;
      if (output !== undefined) outputs.set(item.index, output);
      if (outputs.size === enough) batch.stop();
    }
  }

  const first = client.renders.many(videos(link, 10), { concurrency: 2, prepare });
  await run(first, 4);
  const { done, stopped } = first.counts;
  expect([first.remaining().length, outputs.size]).toEqual([stopped, done]);
  const stoppedItems = first.remaining();
  async function* rest() {
    yield* stoppedItems;
    if (done + stopped < 10 && link !== undefined) yield* videos(link, 10 - done - stopped, last?.resumeToken);
  }
  const second = client.renders.many(rest(), { concurrency: 2, prepare });
  await run(second, Number.POSITIVE_INFINITY);
  expect(second.counts).toMatchObject({ done: 10 - done, failed: 0, stopped: 0 });

  expect(outputs.size).toBe(10);
  expect(new Set(Array.from(outputs.values(), ({ key }) => key)).size).toBe(10);
  const [output] = outputs.values();
  const { tracks } = await inspect(Buffer.from(await new Response(client.renders.download(output?.url ?? '')).bytes()));
  expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
});

test.each([
  [
    'a wrong key',
    () => library.createClient({ url, key: 'wrong' }).p6.pin.details({ pinId: '1' }),
    { code: 'invalid_user_details', statusCode: 401, retryable: false },
  ],
  [
    'an invalid value',
    () => client.p1.video.details({ videoId: 'short' }),
    { code: 'invalid_params', statusCode: 400, parameter: 'videoId' },
  ],
  [
    'a removed video',
    () => client.p1.video.details({ videoId: 'lab-removed' }),
    { code: 'not_found', statusCode: 404, retryable: false },
  ],
  [
    'an invalid job',
    () => client.renders.start({ inputs: [], output: { ext: 'mp4' }, operation: { type: 'join_streams' } }),
    { code: 'invalid_body', fields: [expect.objectContaining({ path: 'inputs' })] },
  ],
  ['an unknown document', () => client.openapi('p9'), { code: 'not_found', statusCode: 404 }],
])('%s throws a typed error', async (_, ask, expected) => {
  const error = await ask().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(library.MillraceApiError);
  expect(error).toMatchObject(expected);
});

test('a failed or unknown render throws a typed error', async () => {
  const { url: source } = labFile('/media/amber-30/movie-360.mp4', { status: 404 });
  const job = describeJob('convert_format', [{ url: source, ext: 'mp4' }], 'mp4') as library.NewJob;
  const error = await client.renders.finish(job).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(library.MillraceRenderError);
  const failure = { code: 'source_refused', retryable: false, input: 0, cancelled: false };
  expect(error).toMatchObject({ jobId: job.id, status: 'failed', message: expect.stringContaining('404'), ...failure });
  const events = client.renders.status('never-started');
  await expect(events.next()).rejects.toMatchObject({ name: 'MillraceRenderError', status: 'not_found' });
});

test('a stored job starts from its link without a key, and its file can be downloaded in parts', async () => {
  const { url: source } = labFile('/media/amber-30/movie-360.mp4');
  const stored = await client.renders.store({
    inputs: [{ url: source, ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  });
  const { output } = await library.createClient({ url }).renders.finish(stored);
  const bytes = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).bytes();
  const whole = await bytes(client.renders.download(output));
  expect(whole.length).toBe(output.size);
  const rest = await bytes(client.renders.download(output, { from: 100_000 }));
  expect(Buffer.from(rest).equals(Buffer.from(whole).subarray(100_000))).toBe(true);
});

test('the client reads the health and the documents of the service', async () => {
  expect(await client.health()).toEqual({ status: 'ok' });
  expect((await client.documents()).platforms.map(({ id }) => id)).toContain('p1');
  expect(await client.openapi('p5')).toMatchObject({ openapi: expect.any(String) });
});
