// A job's ID is a credential: its status needs no key and contains the link of its file.
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { describeJob, fetchJson, outcome, post, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';

const service = inject('serviceUrl');
const execute = `${service}/api/v1/render/execute`;

interface RefusedJob {
  readonly error: {
    readonly code: string;
    readonly parameter?: string;
    readonly fields?: readonly { readonly path: string; readonly message: string }[];
  };
}
interface Batch {
  readonly results: readonly { readonly statusCode: number; readonly body: StartedJob & RefusedJob }[];
}

const job = (id: string) => ({
  ...describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a'),
  id,
});
/** A prefix that distinguishes runs of the tests, but that the service does not count as random. */
const run = `run-${randomBytes(4).readUInt32BE()}`;

describe('a start call', () => {
  const warned = [`${run}-test`, `${run}-2026-11-21T12:00:00Z`, `${run}-1763726400`, `${run}-aaaaaaaaaaaaaaaaaaaa`];
  const fine = [randomUUID(), `${run}-${randomUUID()}`, `job-${randomUUID().replaceAll('-', '')}`];
  const warning = /easy to guess.*UUID/s;

  test.each(warned)('warns of the guessable ID %s, and starts the job', async (id) => {
    const { status, body } = await post<StartedJob>(execute, job(id));
    expect(status).toBe(202);
    expect(body).toMatchObject({ jobId: id, status: 'queued', message: expect.stringMatching(warning) });
    const again = await post<StartedJob>(execute, job(id));
    expect([again.status, again.body.message]).toEqual([200, expect.stringMatching(warning)]);
  });

  test('does not warn of a random ID', async () => {
    for (const id of fine) {
      const { status, body } = await post<StartedJob>(execute, job(id));
      expect([status, body.message]).toEqual([202, expect.not.stringMatching(warning)]);
    }
  });

  test('warns of each guessable ID in a batch, and of the guessable ID of a stored description', async () => {
    const ids = [`${run}-1`, randomUUID()];
    const { body } = await post<Batch>(`${service}/api/v1/render/batch`, { jobs: ids.map(job) });
    expect(body.results.map(({ body: { message } }) => warning.test(message))).toEqual([true, false]);
    const stored = await post<{ executionUrl: string }>(`${service}/api/v1/render/cache`, job(`${run}-stored`));
    expect((await fetchJson<StartedJob>(stored.body.executionUrl)).body.message).toMatch(warning);
  });
});

test('the status of a job is available only to callers that know its ID', async () => {
  const id = randomUUID();
  const { body } = await post<StartedJob>(execute, job(id));
  const { output } = await outcome(body.sseStatusUrl);
  const knownJob = await fetch(`${service}/api/v1/render/jobs/${id}`);
  expect(((await knownJob.json()) as StatusEvent).output?.url).toBe(output?.url);
  for (const other of [id.slice(0, -1), id.toUpperCase(), `${id}%20`, '%25', `${id.slice(0, -1)}_`]) {
    expect((await fetch(`${service}/api/v1/render/jobs/${other}`)).status).toBe(404);
  }
});

describe('. and .. as IDs', () => {
  test.each(['.', '..'])('are refused in a job description: %s', async (id) => {
    for (const path of ['execute', 'cache', 'execute?plan=only']) {
      const { status, body } = await post<RefusedJob>(`${service}/api/v1/render/${path}`, job(id));
      expect([status, body.error.code]).toEqual([400, 'invalid_body']);
      expect(body.error.fields).toEqual([{ path: 'id', message: expect.stringContaining('not "." or ".."') }]);
    }
    const { body } = await post<Batch>(`${service}/api/v1/render/batch`, { jobs: [job(id)] });
    expect(body.results[0]?.statusCode).toBe(400);
  });

  const spellings = ['%2e', '%2E', '%2e%2e', '.%2e', '%2e.', '%2E%2E'];
  test.each(spellings)('are refused in a path: %s', async (id) => {
    for (const [method, path] of [
      ['GET', `/api/v1/render/jobs/${id}`],
      ['HEAD', `/api/v1/render/jobs/${id}`],
      ['DELETE', `/api/v1/render/jobs/${id}`],
      ['GET', `/api/v1/render/jobs/${id}/deliveries`],
      ['GET', `/api/v1/render/status/sse/${id}`],
      ['HEAD', `/api/v1/render/status/sse/${id}`],
      ['GET', `/api/v1/render/status/${id}`],
    ] as const) {
      // An ordinary client would normalise the path.
      const headers = [['authorization', `Bearer ${keys.render}`]] as const;
      const { status, body } = await sendRaw(service, { method, target: path, headers });
      expect([method, path, status]).toEqual([method, path, 400]);
      if (method === 'HEAD') continue;
      expect((JSON.parse(body) as RefusedJob).error).toMatchObject({ code: 'invalid_params', parameter: 'jobId' });
    }
  });

  test('do not open a WebSocket', async () => {
    const key = randomBytes(16).toString('base64');
    const headers = [
      ['upgrade', 'websocket'],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', key],
    ] as const;
    const { status } = await sendRaw(service, { method: 'GET', target: '/api/v1/render/status/%2e%2e', headers });
    expect(status).toBe(400);
  });

  test.each(['...', '.a', 'a..', ':.'])('%s within an ID is preserved by every client', async (dots) => {
    const id = `${dots}${randomUUID()}${dots}`;
    const { body } = await post<StartedJob>(execute, job(id));
    expect((await outcome(body.sseStatusUrl)).job_id).toBe(id);
    const { body: event } = await fetchJson<StatusEvent>(`${service}/api/v1/render/jobs/${id}`);
    expect(event.status).toBe('done');
    const first = await new Promise<string>((resolve, reject) => {
      const socket = new WebSocket(body.statusUrl);
      socket.once('message', (data) => resolve(String(data)));
      socket.once('error', reject);
    });
    expect(JSON.parse(first)).toMatchObject({ job_id: id });
  });
});
