import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { fetchThrough, startTestLab } from '../testing.ts';
import { unusualPlaylists } from './unusual-playlists.ts';

const base = 'https://cdn.lab.example/playlists/';
let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

test.each(Object.keys(unusualPlaylists))('%s is a playlist', async (name) => {
  const { status, headers, body } = await fetchThrough(lab, `${base}${name}`);
  expect([status, headers['content-type']]).toEqual([200, 'application/vnd.apple.mpegurl']);
  expect(body.toString()).toMatch(/^#EXTM3U\n/);
});

test('a segment of packed audio begins with its timestamp, then with a frame', async () => {
  const { body } = await fetchThrough(lab, `${base}packed-2.aac`);
  expect(body.toString('latin1', 0, 64)).toContain('com.apple.streaming.transportStreamTimestamp');
  expect(body.readUInt16BE(73) & 0xfff6).toBe(0xfff0);
});

test('faults apply to them, and other names return 404', async () => {
  expect((await fetchThrough(lab, `${base}vod.m3u8?status=503`)).status).toBe(503);
  expect((await fetchThrough(lab, `${base}packed-7.aac`)).status).toBe(404);
});
