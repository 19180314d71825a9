/** @module-tag long */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Item, Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import { fetchThroughLab } from '../support/lab-client.ts';
import { deathsOf, mediaRequestsFor, turnOff, turnOn } from '../support/lab-links.ts';
import { type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The tests' own lab, whose links they break. */
let lab: RunningProcess;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  service = await startService(lab.url, folder.path, { P1_CLIENTS: JSON.stringify({ mediaOrder: ['VISIONOS'] }) });
});
afterAll(async () => {
  await service.kill();
  await lab.stop();
  await folder.delete();
});

/** Returns the relay link of a video in 720p. */
async function relayLink(videoId: string): Promise<string> {
  const { body } = await extract<Result>(`${service.url}/p1/v3/video/details?videoId=${videoId}&urlAccess=proxied`);
  const item = body.contents?.[0]?.videos?.find(({ label }: Item) => label === '720p');
  if (item === undefined) throw new Error(`${videoId} has no 720p: ${body.error?.message}`);
  return item.url;
}

const original = async () =>
  (await fetchThroughLab(lab.url, 'https://cdn.lab.example/media/amber-30/video-720.mp4')).body;

test('a relay link whose source dies continues at the same byte', async () => {
  const item = 'lab-plain30';
  const url = await relayLink(item);
  await turnOn(lab.url, 'p1', 'dies', { item, file: 136, at: 300_000, times: 1 });
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(file.equals(await original())).toBe(true);
  const ranges = (await mediaRequestsFor(lab.url, item, 136)).map(({ range }) => range ?? '');
  const [, first] = /^bytes=(\d+)-/.exec(ranges.at(-1) ?? '') ?? [];
  expect(first).toBe('300000');
});

test('a relay link that is refused before its first byte is replaced, and a part as well', async () => {
  const item = 'lab-old-30s';
  const url = await relayLink(item);
  await turnOn(lab.url, 'p1', 'refused', { item, times: 1 });
  const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } });
  expect(part.status).toBe(206);
  const bytes = Buffer.from(await part.arrayBuffer());
  expect(bytes.equals((await original()).subarray(1000, 2000))).toBe(true);
  expect(await deathsOf(lab.url, item)).toBe(1);
});

test('a relay link returns the words of the platform when the item was removed', async () => {
  const item = 'lab-chapter';
  const url = await relayLink(item);
  await turnOn(lab.url, 'p1', 'removed', { item });
  await turnOn(lab.url, 'p1', 'refused', { item });
  const { body } = await fetchJson<Result>(url);
  const now = (await extract<Result>(`${service.url}/p1/v3/video/details?videoId=${item}&lang=fr`)).body.error;
  expect(body.error?.code).toBe(now?.code);
});

test('a relay link that always dies returns the refusal of its source', async () => {
  const item = 'lab-collab2';
  const url = await relayLink(item);
  await turnOn(lab.url, 'p1', 'refused', { item });
  const { status, body } = await fetchJson<Result>(url);
  expect([status, body.error?.code]).toEqual([403, 'unavailable']);
});

describe('the segments of a relayed HLS playlist', () => {
  let hlsService: RunningProcess;

  beforeAll(async () => {
    const settings = { P1_CLIENTS: JSON.stringify({ mediaOrder: ['VISIONOS_HLS'] }) };
    hlsService = await startService(lab.url, join(folder.path, 'hls'), settings);
  });
  afterAll(() => hlsService.kill());

  /** Returns the relay links of the segments of a video in 720p. */
  async function segmentLinks(videoId: string): Promise<string[]> {
    await turnOff(lab.url, videoId);
    const { body } = await extract<Result>(
      `${hlsService.url}/p1/v3/video/details?videoId=${videoId}&urlAccess=proxied`,
    );
    const item = body.contents?.[0]?.videos?.find(({ label }: Item) => label === '720p');
    const playlist = await (await fetch(item?.url ?? '')).text();
    return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  async function fetchAll(links: readonly string[]): Promise<Buffer> {
    const parts: ArrayBuffer[] = [];
    for (const link of links) parts.push(await (await fetch(link)).arrayBuffer());
    return Buffer.concat(parts.map((part) => Buffer.from(part)));
  }

  test.each([
    ['before their first byte', 'refused', 'lab-plain30', 0],
    ['after the first MiB', 'first_mib', 'lab-old-30s', 3],
  ])('are read from a new playlist when they are refused %s', async (_when, behaviour, item, first) => {
    const links = await segmentLinks(item);
    const whole = await fetchAll(links);
    expect(whole.length).toBeGreaterThan(2 ** 20);
    await turnOn(lab.url, 'p1', behaviour, { item, form: 'hls', times: 1 });
    const rest = await fetchAll(links.slice(first));
    expect(rest.equals(whole.subarray(whole.length - rest.length))).toBe(true);
    expect(await deathsOf(lab.url, item)).toBe(1);
  });

  test('return the words of the platform when the item was removed', async () => {
    const item = 'lab-chapter';
    const [link = ''] = await segmentLinks(item);
    await turnOn(lab.url, 'p1', 'removed', { item });
    await turnOn(lab.url, 'p1', 'refused', { item });
    const { status, body } = await fetchJson<Result>(link);
    expect([status, body.error?.code]).toEqual([404, 'not_found']);
  });
});
