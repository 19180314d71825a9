import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const newClient = {
  id: 28,
  version: '1.65.10',
  userAgent: 'com.google.android.apps.youtube.vr.oculus/1.65.10 (Linux; U; Android 12L) gzip',
  device: { deviceMake: 'Oculus', deviceModel: 'Quest 3', osName: 'Android', androidSdkVersion: 32 },
  origin: 'https://youtubei.googleapis.com',
  visitor: true,
  endpoint: 'player',
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  const clients = { ANDROID_VR: newClient, mediaOrder: ['ANDROID_VR', 'ANDROID'] };
  service = await startService(inject('labUrl'), folder.path, { P1_CLIENTS: JSON.stringify(clients) });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

test('a client that P1_CLIENTS adds gets the media of a video', async () => {
  const { body } = await extract<Result>(`${service.url}/p1/v3/video/details?videoId=lab-min-002`);
  expect(body.error).toBeNull();
  const links = (body.contents?.[0]?.videos ?? []).map(({ url }) => new URL(url).searchParams.get('c'));
  expect(new Set(links)).toEqual(new Set(['ANDROID_VR']));
  expect(JSON.stringify(body)).toContain(newClient.userAgent);
});
