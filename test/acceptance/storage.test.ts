/** @module-tag long */

import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { describeJob, outcome, post, render, type StartedJob } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { startS3 } from '../support/s3.ts';

test('a result that cannot be stored waits, /health returns 503, and the job completes when the store is back', async () => {
  const folder = await temporaryFolder();
  const store = join(folder.path, 'store');
  const service = await startService(inject('labUrl'), join(folder.path, 'data'), { STORAGE_URL: `file:${store}` });
  try {
    const { url, token } = labFile('/media/amber-2/sound.m4a');
    const job = describeJob('no_process', [{ url, ext: 'm4a' }], 'm4a');
    // A file takes the path of the folder, so that nothing can be stored in it, even by root.
    await rename(store, `${store}.away`);
    await writeFile(store, '');
    const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
    await expect.poll(() => service.output()).toContain('the upload is retried');
    const requestCount = (await requestsWithToken(inject('labUrl'), token)).length;
    await rm(store);
    expect((await fetch(`${service.url}/health`)).status).toBe(503);

    await rename(`${store}.away`, store);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(await outcome(body.sseStatusUrl)).toMatchObject({ status: 'done' });
    expect(await requestsWithToken(inject('labUrl'), token)).toHaveLength(requestCount);
  } finally {
    await service.kill();
    await folder.delete();
  }
});

test('a link of the service redirects to a fresh link of the store for every request', async () => {
  const folder = await temporaryFolder();
  const store = await startS3('files', join(folder.path, 'store'));
  const service = await startService(inject('labUrl'), join(folder.path, 'data'), {
    ...store.environment,
    STORAGE_URL: 's3://files/made',
    STORE_DOWNLOADS: 'redirect',
  });
  try {
    const job = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a', {
      output: { ext: 'm4a', downloadName: 'Ton' },
    });
    // The file is downloaded as by a caller that follows the redirect.
    const { event, file } = await render(service.url, job);
    expect(file.length).toBe(event.output?.size);
    const link = event.output?.url ?? '';
    expect(link).toMatch(new RegExp(`^${service.url}/files/`));
    const redirect = await fetch(link, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
    expect(redirect.headers.get('location')).toMatch(
      new RegExp(`^${store.environment.AWS_ENDPOINT_URL_S3}/files/made/`),
    );
    const head = await fetch(link, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
    expect(head.headers.get('content-disposition')).toMatch(/^attachment; filename="?Ton\.m4a"?/);
    const part = await fetch(link, { headers: { range: 'bytes=10-19' } });
    expect(Buffer.from(await part.arrayBuffer())).toEqual(file.subarray(10, 20));
  } finally {
    await service.kill();
    await store.stop();
    await folder.delete();
  }
});
