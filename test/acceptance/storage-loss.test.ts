/** @module-tag long */

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { describeJob, fetchJson, post, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { startService, temporaryFolder } from '../support/processes.ts';

/** The shortest lifetime of a job, in milliseconds. */
const TTL = 180_000;

test('a result whose store does not recover fails its job before it expires', async () => {
  const folder = await temporaryFolder();
  const store = join(folder.path, 'store');
  const service = await startService(inject('labUrl'), join(folder.path, 'data'), { STORAGE_URL: `file:${store}` });
  try {
    await rename(store, `${store}.away`);
    await writeFile(store, '');
    const input = { url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' };
    const job = describeJob('no_process', [input], 'm4a', { ttl: TTL });
    const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
    const now = async () => (await fetchJson<StatusEvent>(`${service.url}/api/v1/render/jobs/${body.jobId}`)).body;
    await expect.poll(async () => (await now()).status, { timeout: TTL, interval: 1_000 }).toBe('failed');
    expect(await now()).toMatchObject({
      output: null,
      error_code: 'storage_failed',
      retryable: true,
      error: expect.stringMatching(/could not be stored within \d+ (?:s|min) of retries \([A-Za-z]+\)/),
    });
  } finally {
    await service.kill();
    await folder.delete();
  }
});
