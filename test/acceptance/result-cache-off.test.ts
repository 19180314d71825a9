/** @module-tag long */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, { ANSWER_CACHE: '0' });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

test('ANSWER_CACHE=0 disables the result cache', async () => {
  for (const attempt of [1, 2]) {
    const { body, headers } = await extract<Result>(`${service.url}/p5/v3/video/details?videoId=xcacheoff`);
    expect(body.error).toBeNull();
    expect([headers.get('cache-control'), headers.get('age')]).toEqual(['private, no-store', null]);
    const path = '/player/metadata/video/xcacheoff?';
    expect(await findRequests(inject('labUrl'), { host: 'www.dailymotion.com', path })).toHaveLength(attempt);
  }
});
