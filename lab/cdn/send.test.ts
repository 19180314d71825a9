import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { fetchThrough, startTestLab } from '../testing.ts';

const sound = 'https://cdn.lab.example/media/amber-2/sound.mp3';
let lab: Lab;
let whole: Buffer;

beforeAll(async () => {
  lab = await startTestLab();
  whole = (await fetchThrough(lab, sound)).body;
});
afterAll(() => lab.close());

const range = (value: string) => ({ headers: { range: value } });

describe('faults in the body', () => {
  test('encoding sends gzip regardless of Accept-Encoding, and ranges of the compressed bytes', async () => {
    const packed = await fetchThrough(lab, `${sound}?encoding=gzip`, { headers: { 'accept-encoding': 'identity' } });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'audio/mpeg' });
    expect(packed.headers['content-length']).toBe(`${packed.body.length}`);
    expect(gunzipSync(packed.body)).toEqual(whole);
    const part = await fetchThrough(lab, `${sound}?encoding=gzip`, range('bytes=10-19'));
    expect([part.status, part.body]).toEqual([206, packed.body.subarray(10, 20)]);
  });

  test.each([1, 5_000, 16 * 1024 * 1024, 40_000_000])('bomb sends gzip that inflates to %i zeros', async (size) => {
    const { headers, body } = await fetchThrough(lab, `${sound}?bomb=${size}`);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': `${body.length}` });
    expect(body.length).toBeLessThan(50 + size / 900);
    expect(gunzipSync(body).equals(Buffer.alloc(size))).toBe(true);
  });

  test('html sends a page with status 200', async () => {
    const { status, headers, body } = await fetchThrough(lab, `${sound}?html=1`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain('<!doctype html>');
  });

  test('instead sends another body with the same type', async () => {
    const at = (instead: string) => fetchThrough(lab, `${sound}?instead=${instead}`);
    const { status, headers, body } = await at('json');
    expect([status, headers['content-type']]).toEqual([200, (await fetchThrough(lab, sound)).headers['content-type']]);
    expect(JSON.parse(body.toString())).toEqual({ error: 'token expired' });
    expect((await at('empty')).body).toHaveLength(0);
    expect((await at('tables')).body).toEqual(whole.subarray(0, 3 * 188));
    expect((await at('third')).body.length).toBeLessThan(whole.length / 3);
    expect((await at('twice')).body).toEqual(Buffer.concat([whole, whole]));
  });

  test('etagChange sends another version from the given request on, separately for each token', async () => {
    const at = (token: string, headers = {}) => fetchThrough(lab, `${sound}?etagChange=3&token=${token}`, { headers });
    const [first, second, third] = [await at('v-a'), await at('v-a'), await at('v-a')];
    expect(first.body).toEqual(whole);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(third.headers.etag).not.toBe(first.headers.etag);
    expect(third.body.equals(whole)).toBe(false);
    expect(third.body).toEqual((await fetchThrough(lab, sound.replace('amber', 'birch'))).body);
    const resumed = await at('v-a', { range: 'bytes=5-9', 'if-range': first.headers.etag });
    expect([resumed.status, resumed.body]).toEqual([200, third.body]);
    expect((await at('v-b')).body).toEqual(whole);
  });

  test('etagChange is rejected for playlists', async () => {
    const { status, body } = await fetchThrough(lab, 'https://cdn.lab.example/hls/amber-2/180/index.m3u8?etagChange=1');
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('etagChange')]);
  });
});

describe('faults in the headers', () => {
  test.each([
    ['bytes=100-199', 101, 200],
    [`bytes=-100`, -101, -2],
    ['bytes=0-', 0, -2],
  ])('wrongRange returns other bytes for %s', async (option, first, last) => {
    const [from, to] = [first, last].map((place) => (place < 0 ? whole.length + place : place));
    const { status, headers, body } = await fetchThrough(lab, `${sound}?wrongRange=1`, range(option));
    expect([status, headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${whole.length}`]);
    expect(body).toEqual(whole.subarray(from, (to ?? 0) + 1));
  });

  test('wrongRange has no effect on whole files', async () => {
    expect((await fetchThrough(lab, `${sound}?wrongRange=1`)).body).toEqual(whole);
  });

  test('redirectLoop redirects to the same link', async () => {
    const link = `${sound}?redirectLoop=1&token=loop`;
    const { status, headers } = await fetchThrough(lab, link);
    expect([status, new URL(headers.location ?? '', link).href]).toEqual([302, link]);
  });
});

describe('endless bodies', () => {
  const enough = 3_000_000;

  test('endless=1 repeats the file without Content-Length', async () => {
    const { status, headers, body } = await fetchThrough(lab, `${sound}?endless=1`, { enough });
    expect([status, headers['content-length'], headers['transfer-encoding']]).toEqual([200, undefined, 'chunked']);
    expect(body.length).toBeGreaterThanOrEqual(enough);
    expect(body.subarray(0, 2 * whole.length)).toEqual(Buffer.concat([whole, whole]));
  });

  test('endless=length declares a pebibyte', async () => {
    const { headers, body } = await fetchThrough(lab, `${sound}?endless=length`, { enough });
    expect(headers['content-length']).toBe(`${2 ** 50}`);
    expect(body.length).toBeGreaterThanOrEqual(enough);
  });

  test('endless continues after the end of a requested range', async () => {
    const { status, headers, body } = await fetchThrough(lab, `${sound}?endless=1`, {
      ...range('bytes=10-19'),
      enough,
    });
    expect([status, headers['content-range']]).toEqual([206, `bytes 10-19/${whole.length}`]);
    expect(body.subarray(0, whole.length - 10)).toEqual(whole.subarray(10));
    expect(body.length).toBeGreaterThanOrEqual(enough);
  });

  test('endless can be combined with cut', async () => {
    const { body, broken } = await fetchThrough(lab, `${sound}?endless=1&cut=100000`);
    expect([body.length, broken]).toEqual([100_000, true]);
  });

  test('trickle sends a byte at a time', async () => {
    const { body, times } = await fetchThrough(lab, `${sound}?trickle=20&range=0-7`);
    expect(body).toEqual(whole.subarray(0, 8));
    expect(times.end).toBeGreaterThanOrEqual(155);
  });
});
