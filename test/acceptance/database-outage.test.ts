/** @module-tag long */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../lab/tcp/proxy.ts';
import type { Result } from '../support/envelope.ts';
import { databasePort, freePort, throughPort } from '../support/free-port.ts';
import { describeJob, extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { stack, stackSettings } from '../support/storage-stack.ts';

// The embedded database is part of the service process.
describe.skipIf(stack === 'embedded')('a service during a database outage', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let proxy: TcpProxy;
  let service: RunningProcess;
  let metricsUrl: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const { DATABASE_URL = '' } = await stackSettings(folder.path);
    proxy = await startTcpProxy(databasePort(DATABASE_URL));
    const adminPort = String(await freePort());
    metricsUrl = `http://127.0.0.1:${adminPort}/metrics`;
    service = await startService(inject('labUrl'), folder.path, {
      ADMIN_PORT: adminPort,
      DATABASE_URL: throughPort(DATABASE_URL, proxy.port),
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await folder.delete();
  });

  const job = () =>
    describeJob('convert_format', [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }], 'mp4');
  const start = (description: unknown) =>
    post<StartedJob & Result>(`${service.url}/api/v1/render/execute`, description);

  /** Expects the error that callers receive during an outage of the database. */
  async function expectUnavailable() {
    const [started, extracted, health] = await Promise.all([
      start(job()),
      extract<Result>(`${service.url}/p5/v3/video/details?videoId=xlab2`),
      fetchJson<Result>(`${service.url}/health`),
    ]);
    for (const { status, body } of [started, extracted, health]) {
      expect([status, body.error?.code]).toEqual([503, 'service_unavailable']);
    }
  }

  async function expectWork() {
    const description = job();
    // A connection that was lost a moment ago may still be reported.
    await expect.poll(async () => (await start(description)).status).toBeLessThan(300);
    expect((await outcome(`${service.url}/api/v1/render/status/sse/${description.id}`)).status).toBe('done');
    expect((await extract<Result>(`${service.url}/p5/v3/video/details?videoId=xlab2`)).status).toBe(200);
  }

  test('opens new connections after all of them were cut', async () => {
    await expectWork();
    proxy.cut();
    await expectWork();
  });

  test('returns 503 in time while the database is silent, and recovers with it', async () => {
    proxy.blackHole();
    await expectUnavailable();
    // The outage continues, and now no new connection can be opened.
    await expectUnavailable();
    proxy.open();
    await expectWork();
    const metrics = await (await fetch(metricsUrl)).text();
    expect(metrics.match(/^millrace_database_errors_total\{.*$/gm)).toContainEqual(
      expect.stringMatching(/\{call="query"\} [1-9]/),
    );
  });
});
