/** @module-tag long */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { linkRequestsFor, turnOn } from '../support/lab-links.ts';
import { type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let lab: RunningProcess;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  service = await startService(lab.url, folder.path, { HEAL_LINKS: 'off' });
});
afterAll(async () => {
  await service.kill();
  await lab.stop();
  await folder.delete();
});

const item = 'lab-plain30';
const details = (more: string) =>
  extract<Result>(`${service.url}/p1/v3/video/details?videoId=${item}&renderableFormats=720p${more}`);

test('with HEAL_LINKS=off, a link that dies fails its job, and the platform is not asked again', async () => {
  const { body } = await details('');
  const requests = await linkRequestsFor(lab.url, item);
  await turnOn(lab.url, 'p1', 'dies', { item, file: 136, at: 300_000, times: 1 });
  const { status, error, error_code } = await renderItem(body.contents?.[0]?.renderableVideos?.[0]);
  expect([status, error_code]).toEqual(['failed', 'source_refused']);
  expect(error).toMatch(/403/);
  expect(await linkRequestsFor(lab.url, item)).toEqual(requests);
});

test('with HEAL_LINKS=off, a relay link returns the refusal of its source', async () => {
  const { body } = await details('&urlAccess=proxied&lang=de');
  await turnOn(lab.url, 'p1', 'refused', { item });
  const url = body.contents?.[0]?.videos?.find(({ label }) => label === '720p')?.url ?? '';
  const requests = await linkRequestsFor(lab.url, item);
  expect((await fetch(url)).status).toBe(403);
  expect(await linkRequestsFor(lab.url, item)).toEqual(requests);
});
