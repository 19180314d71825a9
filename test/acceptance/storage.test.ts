import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { describeJob, outcome, post, type Started } from '../support/client.ts';
import { labFile } from '../support/lab.ts';
import { startService, temporaryFolder } from '../support/processes.ts';

test('a result that cannot be stored fails its job, /health says 503, and once the store is back the job is done', async () => {
  const folder = await temporaryFolder();
  const store = join(folder.path, 'store');
  const service = await startService(inject('labUrl'), join(folder.path, 'data'), { STORAGE_URL: `file:${store}` });
  try {
    const job = describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');
    const start = () => post<Started>(`${service.url}/api/v1/render/execute`, job);
    // A file where the folder was: nothing can be put into it, whoever runs this.
    await rename(store, `${store}.away`);
    await writeFile(store, '');
    const { body } = await start();
    expect(await outcome(body.sseStatusUrl)).toMatchObject({
      status: 'failed',
      output: null,
      error: expect.stringMatching(/could not be stored/),
    });
    await rm(store);
    expect((await fetch(`${service.url}/health`)).status).toBe(503);

    await rename(`${store}.away`, store);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect((await start()).status).toBe(202);
    expect(await outcome(body.sseStatusUrl)).toMatchObject({ status: 'done' });
  } finally {
    await service.stop();
    await folder.delete();
  }
});
