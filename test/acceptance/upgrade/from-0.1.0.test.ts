/** @module-tag long */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../support/envelope.ts';
import { freePort } from '../../support/free-port.ts';
import { extract, fetchJson, outcome, post, type StartedJob, type StatusEvent } from '../../support/http-client.ts';
import { keys, type RunningProcess, startLab, startService, temporaryFolder } from '../../support/processes.ts';
import { copyFixture, type World, worlds } from '../../support/upgrade/copy-fixture.ts';
import {
  type FinishedJob,
  type FixtureRecord,
  idsOn,
  linkAt,
  receiverHost,
  sha256,
} from '../../support/upgrade/fixture-record.ts';
import { startReceiver } from '../../support/upgrade/webhook-receiver.ts';
import { listen } from '../../support/web-socket.ts';

const adminToken = 'token-of-the-upgrade-tests';

describe.each(worlds)('upgrading 0.1.0 data (%s)', (world: World) => {
  const missing = world === 'postgres' && process.env.TEST_DATABASE_URL === undefined;
  describe.skipIf(missing)(missing ? '(needs TEST_DATABASE_URL)' : 'under this version', () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    let lab: RunningProcess;
    let service: RunningProcess;
    let record: FixtureRecord;
    let admin: string;

    beforeAll(async () => {
      folder = await temporaryFolder();
      receiver = await startReceiver();
      const data = join(folder.path, 'data');
      const { settings, startingAt, ...fixture } = await copyFixture('0.1.0', world, data);
      record = fixture.record;
      const elsewhere = startingAt === undefined ? {} : { startingAt };
      lab = await startLab({}, elsewhere);
      const adminPort = String(await freePort());
      admin = `http://127.0.0.1:${adminPort}`;
      service = await startService(
        lab.url,
        data,
        {
          ...settings,
          EGRESS_CONNECT_TO: `${receiverHost}=${receiver.url},*=${lab.url}`,
          ADMIN_PORT: adminPort,
          ADMIN_TOKEN: adminToken,
        },
        elsewhere,
      );
    });
    afterAll(async () => {
      await service.stop();
      await lab.stop();
      await receiver.stop();
      await folder.delete();
    });

    const here = (link = '') => linkAt(service.url, link);
    const statusOf = (id: string) => fetchJson<StatusEvent>(`${service.url}/api/v1/render/jobs/${id}`);
    const socketOf = (id = '') => `${service.url.replace('http', 'ws')}/api/v1/render/status/${id}`;
    const endOf = (id: string) => outcome(`${service.url}/api/v1/render/status/sse/${id}`);

    async function expectFile({ event, sha256: expected }: FinishedJob): Promise<void> {
      const response = await fetch(here(event.output?.url));
      expect(response.status).toBe(200);
      expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(expected);
    }

    test.each(['copied', 'audio', 'sealed', 'notified'] as const)(
      'keeps the %s job done, and its old link downloads the same file',
      async (name) => {
        const job = record.jobs[name];
        const { status, progress, output, error } = job.event;
        const read = () => statusOf(job.event.job_id ?? '');
        // The old version did not hash files. The service hashes them soon after its start.
        await expect.poll(async () => (await read()).body.output?.sha256).toBe(job.sha256);
        const { body } = await read();
        const url = here(output?.url);
        expect(body).toMatchObject({ status, progress, error, output: { ...output, url }, error_code: null });
        expect(await endOf(job.event.job_id ?? '')).toEqual(body);
        expect((await listen(socketOf(job.event.job_id))).events).toEqual([body]);
        await expectFile(job);
      },
    );

    test('keeps the reasons of a failed and of a cancelled job', async () => {
      const { failed, cancelled } = record.jobs;
      expect((await statusOf(failed.job_id ?? '')).body).toMatchObject({
        status: 'failed',
        error: failed.error,
        error_code: 'other',
        progress: failed.progress,
      });
      expect((await statusOf(cancelled.job_id ?? '')).body).toMatchObject({
        status: 'failed',
        error: cancelled.error,
        error_code: 'cancelled',
      });
    });

    test.each(['underWay', 'queued', 'queuedWithWebhook'] as const)('completes the %s job', async (name) => {
      const last = await endOf(record.jobs[name]);
      expect(last).toMatchObject({ status: 'done', error: null });
      expect((await fetch(last.output?.url ?? '')).status).toBe(200);
    });

    test('delivers webhooks, the pending one under its old ID', async () => {
      const { notified, queuedWithWebhook } = record.jobs;
      const of = (id = '') => receiver.received.filter(({ event }) => event.job_id === id);
      await expect.poll(() => of(notified.event.job_id).length).toBe(1);
      expect(of(notified.event.job_id)[0]).toMatchObject({
        headers: { 'webhook-id': notified.deliveryId },
        event: { status: 'done', output: { key: notified.event.output?.key } },
      });
      await expect.poll(() => of(queuedWithWebhook).length).toBe(1);
    });

    test('starts a stored description', async () => {
      const started = await fetchJson<StartedJob>(here(record.stored.executionUrl));
      expect([started.status, started.body.jobId]).toEqual([202, record.stored.jobId]);
      expect(await endOf(record.stored.jobId)).toMatchObject({ status: 'done' });
    });

    test('keeps keys valid, replaced ones until their grace period ends, and revoked ones invalid', async () => {
      const { extraction, render, rotated, revoked } = record.keys;
      const search = (key: string) => extract<Result>(`${service.url}/p1/v3/search/suggestions?query=mills`, key);
      for (const key of [extraction.key, rotated.before, rotated.now, keys.MEGA]) {
        expect((await search(key)).status).toBe(200);
      }
      expect((await search(revoked.key)).status).toBe(403);
      // The render key is accepted, and another key owns the job.
      const id = record.jobs.copied.event.job_id;
      const headers = { authorization: `Bearer ${render.key}` };
      expect((await fetchJson(`${service.url}/api/v1/render/jobs/${id}`, { method: 'DELETE', headers })).status).toBe(
        403,
      );
    });

    test('continues the usage from its previous values', async () => {
      const usage = async () => {
        const headers = { authorization: `Bearer ${adminToken}` };
        const { body } = await fetchJson<{ usage: FixtureRecord['usage'][] }>(
          `${admin}/admin/keys/${record.keys.extraction.id}`,
          {
            headers,
          },
        );
        return body.usage[0];
      };
      const { credits, requests } = (await usage()) ?? { credits: 0, requests: 0 };
      expect(credits).toBeGreaterThanOrEqual(record.usage.credits);
      expect(requests).toBeGreaterThanOrEqual(record.usage.requests);
      const { status } = await extract(
        `${service.url}/p1/v3/search/suggestions?query=usage`,
        record.keys.extraction.key,
      );
      expect(status).toBe(200);
      await expect.poll(usage).toEqual({ month: expect.any(String), credits: credits + 1, requests: requests + 1 });
    });

    test('attaches to a job that is started again, for its owner only', async () => {
      const id = record.jobs.copied.event.job_id;
      const job = { id, inputs: [{ url: 'https://cdn.lab.example/media/amber-2/movie-144.mp4', ext: 'mp4' }] };
      const description = { ...job, output: { ext: 'mp4' }, operation: { type: 'convert_format' } };
      const start = (key: string) => post<StartedJob>(`${service.url}/api/v1/render/execute`, description, key);
      expect(await start(keys.render)).toMatchObject({ status: 200, body: { status: 'already_exists' } });
      expect((await start(record.keys.render.key)).status).toBe(403);
    });

    test('attaches a used execution URL to its job', async () => {
      const { executionUrl, event } = record.jobs.sealed;
      const { status, body } = await fetchJson<StartedJob>(here(executionUrl));
      expect([status, body.status, body.jobId]).toEqual([200, 'already_exists', event.job_id]);
    });

    // The server's clock is real, and these links are valid for hours.
    describe.skipIf(world === 'postgres')('sealed links', () => {
      test('of renders start their jobs', async () => {
        const { executionUrl, jobId } = record.order;
        expect(await fetchJson<StartedJob>(here(executionUrl))).toMatchObject({ status: 202, body: { jobId } });
        const last = await endOf(jobId);
        expect(last).toMatchObject({ status: 'done' });
        expect((await fetch(last.output?.url ?? '')).status).toBe(200);
      });

      test('of the relay stream', async () => {
        const response = await fetch(here(record.relayed.url));
        expect(response.status).toBe(200);
        expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(record.relayed.sha256);
      });

      test('of later pages lead to the same pages as before', async () => {
        for (const { request, nextToken, nextIds } of record.pages) {
          const url = `${service.url}${request}&nextToken=${nextToken}`;
          const { status, body } = await extract<Result>(url, record.keys.extraction.key);
          expect([request, status, idsOn(body.metadata)]).toEqual([request, 200, nextIds]);
        }
      });
    });
  });
});
