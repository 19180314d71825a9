/** @module-tag long */

import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
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
let service: RunningProcess | undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await service?.kill();
});
afterAll(async () => {
  await folder.delete();
});

/** Requests a short video with the operator's client profiles. */
async function detailsWith(clients: object): Promise<Result> {
  service = await startService(inject('labUrl'), folder.path, { P1_CLIENTS: JSON.stringify(clients) });
  return (await extract<Result>(`${service.url}/p1/v3/video/details?videoId=lab-min-002&renderableFormats=720p,360p`))
    .body;
}

test('a client that P1_CLIENTS adds gets the media of a video', async () => {
  const body = await detailsWith({ ANDROID_VR: newClient, mediaOrder: ['ANDROID_VR', 'ANDROID'] });
  expect(body.error).toBeNull();
  const links = (body.contents?.[0]?.videos ?? []).map(({ url }) => new URL(url).searchParams.get('c'));
  expect(new Set(links)).toEqual(new Set(['ANDROID_VR']));
  expect(JSON.stringify(body)).toContain(newClient.userAgent);
});

test('the profile for HLS gets the playlists of a video, which can be rendered', async () => {
  const { error, contents, notes } = await detailsWith({ mediaOrder: ['VISIONOS_HLS', 'VISIONOS'] });
  expect(error).toBeNull();
  const [content] = contents ?? [];
  expect(content?.videos?.map(({ label, metadata }) => [label, metadata.mime_type])).toEqual(
    ['720p', '360p', '144p'].map((label) => [label, 'application/vnd.apple.mpegurl']),
  );
  expect(content?.renderableVideos?.map(({ label }) => label)).toEqual(['720p', '360p']);
  expect(notes?.join()).not.toContain('missing');
});
