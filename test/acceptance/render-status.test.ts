import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  describeJob,
  fetchJson,
  follow,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { listen } from '../support/web-socket.ts';

const service = inject('serviceUrl');
const states = ['pending', 'queued', 'downloading_inputs', 'processing', 'uploading_output', 'done', 'failed'];

async function start(
  faults: Record<string, string | number> = {},
  more: Record<string, unknown> = {},
): Promise<StartedJob> {
  const { url } = labFile('/media/amber-30/movie-360.mp4', faults);
  const { body } = await post<StartedJob>(
    `${service}/api/v1/render/execute`,
    describeJob('convert_format', [{ url, ext: 'mp4', ...more }], 'mp4'),
  );
  return body;
}

describe('the status streams', () => {
  test('send the state of a job about once a second, the same over both transports, and close after its end', async () => {
    const { jobId, statusUrl, sseStatusUrl } = await start({ throttle: 60_000 }, { chunkDownload: { concurrency: 1 } });
    const times: number[] = [];
    const [overSse, overWebSocket] = await Promise.all([
      follow(sseStatusUrl, () => times.push(performance.now())),
      listen(statusUrl),
    ]);
    for (const events of [overSse, overWebSocket.events]) {
      expect(events.length).toBeGreaterThan(2);
      for (const event of events) {
        expect(event).toEqual({
          job_id: jobId,
          status: expect.stringMatching(new RegExp(`^(${states.join('|')})$`)),
          progress: expect.any(Number),
          output: event.status === 'done' ? expect.any(Object) : null,
          ...{ error: null, error_code: null, retryable: null, input: null },
          request_id: expect.any(String),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        });
      }
      const progress = events.map((event) => event.progress);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
      expect(new Set(progress).size).toBeGreaterThan(2);
      expect(events.at(-1)).toMatchObject({ status: 'done', progress: 100 });
    }
    // A machine with much other work delays some events. The unit tests of the ticker measure the second.
    const gaps = times.slice(1, -1).map((time, index) => time - (times[index] ?? time));
    const median = gaps.toSorted((a, b) => a - b)[gaps.length >> 1];
    expect(median).toBeLessThan(10_000);
    expect(overWebSocket.code).toBe(1000);
    expect(overSse.at(-1)?.output).toEqual({
      url: expect.stringMatching(/^https?:\/\//),
      size: expect.any(Number),
      sizeText: expect.stringMatching(/^\d+\.\d\d (B|KB|MB|GB)$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      key: expect.any(String),
      receipt: expect.stringMatching(/^https?:\/\/.*\.receipt$/),
      notes: [],
    });
  });

  test('replay the final event immediately, as often as requested', async () => {
    const { statusUrl, sseStatusUrl } = await start();
    const first = await outcome(sseStatusUrl);
    for (let again = 0; again < 3; again += 1) {
      expect(await follow(sseStatusUrl)).toEqual([first]);
      expect(await listen(statusUrl)).toEqual({ events: [first], code: 1000 });
    }
  });

  test('continue after a subscriber disconnects and returns, and the job also runs without subscribers', async () => {
    const { sseStatusUrl } = await start({ latency: 1500 });
    const leaving = new AbortController();
    const stream = await fetch(sseStatusUrl, { signal: leaving.signal });
    await stream.body?.getReader().read();
    leaving.abort();
    expect((await outcome(sseStatusUrl)).status).toBe('done');
  });

  test('send not_found once, with the field id, for a job that was never started', async () => {
    const id = randomUUID();
    const failure = { error: expect.any(String), error_code: 'not_found', retryable: false, input: null };
    const expected = { id, status: 'not_found', ...failure };
    expect(await follow(`${service}/api/v1/render/status/sse/${id}`)).toEqual([expected]);
    const { events, code } = await listen(`${service.replace('http', 'ws')}/api/v1/render/status/${id}`);
    expect([events, code]).toEqual([[expected], 1000]);
  });

  test.each(['%00', '%F0%9F%98%80', 'a%20b', '%2e%2e%2fa', 'a'.repeat(500), `%27;drop%20table%20render_jobs`])(
    'send not_found for an invalid ID: %s',
    async (id) => {
      const events = await follow(`${service}/api/v1/render/status/sse/${id}`);
      const failure = { error: expect.any(String), error_code: 'not_found', retryable: false, input: null };
      expect(events).toEqual([{ id: decodeURIComponent(id), status: 'not_found', ...failure }]);
    },
  );

  test('contain the reason of a failed job', async () => {
    const { statusUrl, sseStatusUrl } = await start({ status: 404 });
    const last = await outcome(sseStatusUrl);
    expect(last).toMatchObject({ status: 'failed', output: null, error: expect.stringContaining('404') });
    expect((await listen(statusUrl)).events).toEqual([last]);
  });

  test('can be opened by pages of any origin, and are not cached', async () => {
    const { sseStatusUrl } = await start();
    const response = await fetch(sseStatusUrl, { headers: { origin: 'https://app.example' } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    await response.body?.cancel();
  });

  test('reject a plain GET at the WebSocket address', async () => {
    const { status, body } = await fetchJson<{ error: { message: string } }>(
      `${service}/api/v1/render/status/${randomUUID()}`,
    );
    expect(status).toBe(426);
    expect(body.error.message).toContain('WebSocket');
  });
});

describe('the status of a job as plain JSON', () => {
  const lookAt = (id: string) => fetchJson<StatusEvent>(`${service}/api/v1/render/jobs/${id}`);

  test('is that of the streams, while the job runs and after its end', async () => {
    const { jobId, sseStatusUrl } = await start({ throttle: 80_000 }, { chunkDownload: { concurrency: 1 } });
    const looks: Promise<StatusEvent>[] = [];
    const events = await follow(sseStatusUrl, ({ status }) => {
      if (status === 'downloading_inputs') looks.push(lookAt(jobId).then(({ body }) => body));
    });
    const responses = await Promise.all(looks);
    expect(responses.length).toBeGreaterThan(0);
    for (const event of responses) expect(Object.keys(event)).toEqual(Object.keys(events[0] ?? {}));
    const progress = responses.map((event) => event.progress);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const { status, headers, body } = await lookAt(jobId);
    expect([status, body]).toEqual([200, events.at(-1)]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each(['never-started', '%00', '%F0%9F%98%80', 'a'.repeat(500)])('returns 404 for %s', async (id) => {
    const { status, headers, body } = await fetchJson<{ error: { code: string } }>(
      `${service}/api/v1/render/jobs/${id}`,
    );
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

test('an altered, forged or foreign message of a subscriber changes nothing', async () => {
  const { statusUrl } = await start({ latency: 1_500 });
  const socket = new WebSocket(statusUrl);
  const last = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('open', () => {
      for (const message of ['', '{}', '{"status":"done"}', 'a'.repeat(100_000), Buffer.alloc(1000)])
        socket.send(message);
    });
    socket.on('message', (data) => {
      text = String(data);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  await last;
  const { sseStatusUrl } = { sseStatusUrl: statusUrl.replace(/^ws/, 'http').replace('/status/', '/status/sse/') };
  expect((await outcome(sseStatusUrl)).status).toBe('done');
});

test.each([
  ['by the default brackets', undefined, [0, 50]],
  [
    "by the job's own brackets",
    { downloading_inputs: [10, 90], processing: [90, 95], uploading_output: [95, 100] },
    [10, 90],
  ],
] as const)('progress is split %s', async (_name, brackets, [least, most]) => {
  const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 100_000 });
  const { body } = await post<StartedJob>(
    `${service}/api/v1/render/execute`,
    describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', {
      ...(brackets === undefined ? {} : { progressBrackets: brackets }),
      chunkDownload: { concurrency: 1 },
    }),
  );
  const events = await follow(body.sseStatusUrl);
  const downloading = events.filter(({ status }) => status === 'downloading_inputs').map(({ progress }) => progress);
  expect(Math.max(...downloading)).toBeGreaterThan(least + 10);
  // Until the first heartbeat of its worker, the progress is 0.
  for (const progress of downloading.slice(downloading.findIndex((each) => each > 0))) {
    expect(progress).toBeGreaterThanOrEqual(least);
    expect(progress).toBeLessThanOrEqual(most);
  }
});
