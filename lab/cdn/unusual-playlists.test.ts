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

test('the clock of a segment can wrap around', async () => {
  const ticksOf = async (name: string) => {
    const { body } = await fetchThrough(lab, `${base}${name}`);
    return Number(body.readBigUInt64BE(body.indexOf('Timestamp') + 10));
  };
  const [plain, late, early] = await Promise.all(
    ['packed-3.aac', 'wraps-10-audio-3.aac', 'wraps-2-audio-3.aac'].map(ticksOf),
  );
  if (plain === undefined || late === undefined || early === undefined) throw new Error('a segment is missing');
  expect(late - plain).toBe(2 ** 33 - 11.4 * 90_000);
  expect(early - plain).toBe(-3.4 * 90_000);
});

test('the sample rate of packed segments changes with the fourth one, which begins when the third one ends', async () => {
  const segments = await Promise.all([3, 4, 5].map((number) => fetchThrough(lab, `${base}rates-${number}.aac`)));
  const heads = segments.map(({ body }) => ({
    ticks: Number(body.readBigUInt64BE(65)),
    rate: (body.readUInt8(75) >> 2) & 15,
  }));
  // The indexes of 48 and 44.1 kHz.
  expect(heads.map(({ rate }) => rate)).toEqual([3, 4, 4]);
  const [first, second, third] = heads.map(({ ticks }) => ticks / 90_000) as [number, number, number];
  expect([second - first, third - second]).toEqual([expect.closeTo(4, 1), expect.closeTo((4 * 48) / 44.1, 1)]);
});

test('faults apply to them, and other names return 404', async () => {
  expect((await fetchThrough(lab, `${base}vod.m3u8?status=503`)).status).toBe(503);
  expect((await fetchThrough(lab, `${base}packed-7.aac`)).status).toBe(404);
});
