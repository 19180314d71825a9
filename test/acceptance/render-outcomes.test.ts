import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeJob, fetchJson, outcome, post, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { listen } from '../support/web-socket.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

type Outcome = Pick<StatusEvent, 'output' | 'error' | 'error_code' | 'retryable' | 'input'>;
interface Batch {
  readonly results: readonly ({ readonly statusCode: number } & Outcome)[];
}

const input = (path: string, faults: Record<string, string | number> = {}) => ({
  url: labFile(path, faults).url,
  ext: path.split('.').at(-1) ?? '',
});
const video = () => input('/media/amber-2/video-360.mp4');
/** MPEG-TS cannot store the chapters of the second input. */
const withNote = () => describeJob('join_streams', [video(), input('/media/amber-2/chapters.mp3')], 'ts');
const note = { code: 'chapters_left_out', message: expect.stringMatching(/chapters of input 2/), input: 1 };
const none = { error: null, error_code: null, retryable: null, input: null };

/**
 * Starts a job that posts its last event to a receiver of the lab. Returns its events and the request that the receiver
 * got.
 */
async function ended(job: ReturnType<typeof describeJob>) {
  const receiver = labFile('/media/amber-2/still-720.jpg');
  const webhook = { url: receiver.url, secret: 'a secret of a receiver' };
  const { body } = await post<StartedJob>(`${service}/api/v1/render/execute`, { ...job, webhook });
  const [overSse, overWebSocket] = await Promise.all([outcome(body.sseStatusUrl), listen(body.statusUrl)]);
  await expect.poll(() => requestsWithToken(lab, receiver.token)).toHaveLength(1);
  const [webhookRequest] = await requestsWithToken(lab, receiver.token);
  const asJson = (await fetchJson<StatusEvent>(`${service}/api/v1/render/jobs/${job.id}`)).body;
  return { overSse, same: [overWebSocket.events.at(-1), asJson, JSON.parse(webhookRequest?.body ?? '')] };
}

const batch = async (jobs: readonly unknown[]) =>
  (await post<Batch>(`${service}/api/v1/render/batch`, { jobs })).body.results;

test('a note is in the last event of both streams, in the JSON status, in the webhook and in a batch', async () => {
  const job = withNote();
  const { overSse, same } = await ended(job);
  expect(overSse).toMatchObject({ status: 'done', output: { notes: [note] }, ...none });
  expect(same).toEqual([overSse, overSse, overSse]);
  expect(await batch([job])).toMatchObject([{ statusCode: 200, output: overSse.output, ...none }]);
});

test('a file without notes has an empty list of them, also when it is stored unchanged', async () => {
  for (const type of ['convert_format', 'no_process']) {
    const { overSse } = await ended(describeJob(type, [input('/media/amber-2/movie-360.mp4')], 'mp4'));
    expect(overSse.output?.notes).toEqual([]);
  }
});

describe('a failure reports its code, whether a retry may help, and the failed input', () => {
  const tooLarge = { limits: { inputSize: { perInput: 100_000 } } };
  const together = { limits: { inputSize: { total: 80_000 } } };
  const movie = (faults?: Record<string, string | number>) => input('/media/amber-2/movie-360.mp4', faults);
  const text = () => ({ url: labFile('/hostile/ffconcat.mp4').url, ext: 'mp4' });
  const convert = (source: ReturnType<typeof input>, ext = 'mp4', more = {}) =>
    describeJob('convert_format', [source], ext, more);
  const join = (second: ReturnType<typeof input>, more = {}) =>
    describeJob('join_streams', [video(), second], 'mp4', more);

  test.each([
    ['a removed source', () => convert(movie({ status: 404 })), 'source_refused', false, 0],
    ['a web page instead of media', () => join(movie({ html: 1 })), 'source_refused', false, 1],
    ['an unreachable source', () => join(movie({ status: 503 })), 'source_unreachable', true, 1],
    ['an internal address', () => join({ url: 'http://127.0.0.1/a.mp4', ext: 'mp4' }), 'address_refused', false, 1],
    ['an interrupted source', () => join(movie({ cut: 1_000 })), 'download_incomplete', true, 1],
    ['a slow source', () => join({ ...movie({ hang: 1 }), timeout: 1_000 } as never), 'download_timeout', true, 1],
    ['an oversized input', () => join(input('/media/amber-30/movie-360.mp4'), tooLarge), 'input_too_large', false, 1],
    [
      'inputs that are too large together',
      () => describeJob('join_streams', [movie(), movie()], 'mp4', together),
      'input_too_large',
      false,
      null,
    ],
    [
      'a file that is not the expected playlist',
      () => join({ ...movie(), ext: 'm3u8' }),
      'source_unsupported',
      false,
      1,
    ],
    ['a second input that is not media', () => join(text()), 'input_unreadable', false, 1],
    ['incompatible codecs', () => convert(movie(), 'webm'), 'incompatible_codecs', false, 0],
  ])('for %s', async (_what, job, error_code, retryable, at) => {
    const { overSse, same } = await ended(job());
    const failure = { status: 'failed', output: null, error: expect.stringMatching(/\w/), error_code, retryable };
    expect(overSse).toMatchObject({ ...failure, input: at });
    expect(same).toEqual([overSse, overSse, overSse]);
  });

  test('when a batch refuses it', async () => {
    const good = convert(movie());
    const wrong = join(movie());
    const [, second] = wrong.inputs;
    const results = await batch([
      good,
      { ...wrong, inputs: [video(), { ...second, url: 'ftp://cdn.lab.example/a.mp4' }] },
      { ...good, ttl: 1 },
      { cacheId: 'A'.repeat(22) },
    ]);
    expect(results).toMatchObject([
      { statusCode: 202, output: null, ...none },
      { statusCode: 400, error_code: 'invalid_body', retryable: false, input: 1 },
      { statusCode: 400, error_code: 'invalid_body', retryable: false, input: null },
      {
        statusCode: 404,
        output: null,
        error: expect.any(String),
        error_code: 'not_found',
        retryable: false,
        input: null,
      },
    ]);
  });
});

describe('after a restart of the service', { tags: ['long'] }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let port: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    port = String(await freePort());
  });
  afterAll(() => folder.delete());

  const start = () => startService(lab, folder.path, { PORT: port });
  const execute = async (url: string, job: object) =>
    (await post<StartedJob>(`${url}/api/v1/render/execute`, job)).body;

  test('notes and failures are replayed', async () => {
    let running = await start();
    const [noted, refused] = await Promise.all(
      [
        withNote(),
        describeJob('join_streams', [video(), input('/media/amber-2/sound.m4a', { status: 410 })], 'mp4'),
      ].map(async (job) => (await execute(running.url, job)).sseStatusUrl),
    );
    const before = await Promise.all([outcome(noted ?? ''), outcome(refused ?? '')]);
    expect(before).toMatchObject([{ output: { notes: [note] } }, { error_code: 'source_refused', input: 1 }]);

    await running.kill();
    running = await start();
    try {
      expect(await Promise.all([outcome(noted ?? ''), outcome(refused ?? '')])).toEqual(before);
    } finally {
      await running.kill();
    }
  });
});
