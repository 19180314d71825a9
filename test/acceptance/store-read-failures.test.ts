/** @module-tag long */

import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { startS3 } from '../support/s3.ts';
import { type StoreProxy, startStoreProxy } from '../support/store-proxy.ts';

let stops: (() => Promise<void>)[];
let proxy: StoreProxy;
let service: RunningProcess;
let url: string;
let file: Buffer;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const store = await startS3('files', join(folder.path, 'store'));
  proxy = await startStoreProxy(store.environment.AWS_ENDPOINT_URL_S3 ?? '');
  service = await startService(inject('labUrl'), join(folder.path, 'data'), {
    ...store.environment,
    AWS_ENDPOINT_URL_S3: proxy.url,
    STORAGE_URL: 's3://files/made',
  });
  stops = [service.kill, proxy.stop, store.stop, folder.delete];
  const job = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
  const result = await render(service.url, job);
  url = result.event.output?.url ?? '';
  file = result.file;
});
afterAll(async () => {
  for (const stop of stops) await stop();
});
beforeEach(() => {
  proxy.handle = ({ body, pass }) => pass(body);
});

/** Makes downloads from the store fail. */
function failReads(fail: (passing: Parameters<StoreProxy['handle']>[0]) => void): void {
  proxy.handle = (passing) => {
    if (passing.request.method === 'GET' && passing.request.headers.range !== undefined) fail(passing);
    else passing.pass(passing.body);
  };
}

test.each([
  ['is silent', () => undefined],
  ['returns 500', ({ response }) => response.writeHead(500).end()],
] satisfies [string, StoreProxy['handle']][])(
  'a store that %s causes 503 for a download, and keeps its file',
  async (_how, fail) => {
    failReads(fail);
    const { status, body } = await fetchJson<{ error: unknown }>(url);
    expect([status, body]).toMatchObject([503, { error: { code: 'service_unavailable', retryable: true } }]);
    proxy.handle = ({ body, pass }) => pass(body);
    const answer = await fetch(url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
  },
);

test('a store that stops sending in the middle of a file aborts the download', async () => {
  failReads(({ body, pass }) => pass(body, { bytes: 1_000 }));
  const response = await fetch(url);
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
});

test('a file that the store has lost is reported as lost', async () => {
  proxy.handle = ({ request: { method, url: path = '' }, body, response, pass }) => {
    // Only paths that end with a file's key fail; the store and its mark are available.
    if (!/[0-9a-f]{12}(?:\?|$)/.test(path)) return pass(body);
    response.writeHead(404, { 'content-type': 'application/xml' });
    response.end(method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code><Message>It is not there.</Message></Error>');
  };
  const { status, body } = await fetchJson<{ error: unknown }>(url);
  expect([status, body]).toMatchObject([410, { error: { code: 'file_lost' } }]);
});
