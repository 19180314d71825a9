import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { findBox } from '../media/boxes.ts';
import { fetchThrough, startTestLab } from '../testing.ts';
import { patches } from './hostile-mp4.ts';
import { disguisedTexts } from './hostile-text.ts';

const base = 'https://cdn.lab.example/hostile/';
let lab: Lab;

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

const get = (link: string, options = {}) => fetchThrough(lab, `${base}${link}`, options);
const text = async (link: string) => (await get(link)).body.toString();

describe('hostile playlists', () => {
  test('endless.m3u8 sends segments without end and without Content-Length', async () => {
    const { status, headers, body } = await get('endless.m3u8', { enough: 2_000_000, headers: { range: 'bytes=0-9' } });
    expect([status, headers['content-length'], headers['accept-ranges']]).toEqual([200, undefined, undefined]);
    expect(body.length).toBeGreaterThanOrEqual(2_000_000);
    const lines = body.toString().split('\n').slice(0, -1);
    expect(lines[0]).toBe('#EXTM3U');
    expect(lines.slice(4, 24).every((line, index) => line.startsWith(index % 2 === 0 ? '#EXTINF:' : '/hls/'))).toBe(
      true,
    );
  });

  test('million.m3u8 has a million segments, each with its own address', { tags: ['long'] }, async () => {
    const { headers, body } = await get('million.m3u8');
    expect(headers['content-length']).toBe(`${body.length}`);
    let count = 0;
    for (let at = body.indexOf('\n/'); at >= 0; at = body.indexOf('\n/', at + 1)) count++;
    expect(count).toBe(1_000_000);
    const end = body.subarray(-100).toString();
    expect(end).toMatch(/\n(\/hls\/amber-2\/180\/seg-00001\.ts\?n=0999999)\n#EXT-X-ENDLIST\n$/);
    const tail = await get('million.m3u8', { headers: { range: 'bytes=-100' } });
    expect(tail.body.toString()).toBe(end);
    expect((await fetchThrough(lab, new URL('/hls/amber-2/180/seg-00001.ts?n=0999999', base).href)).status).toBe(200);
  });

  test.each([
    ['maps', '#EXT-X-MAP:URI="i0089999"'],
    ['discontinuities', '#EXT-X-DISCONTINUITY'],
    ['keys', '#EXT-X-KEY:METHOD=AES-128,URI="k0089999"'],
  ])('%s.m3u8 has 90,000 segments with as many changes, in less than 8 MB', async (name, last) => {
    const { headers, body } = await get(`${name}.m3u8`);
    expect([headers['content-length'], body.length < 8_000_000]).toEqual([`${body.length}`, true]);
    const lines = body.toString().trimEnd().split('\n');
    expect(lines.slice(-4)).toEqual([last, '#EXTINF:2,', 's0089999', '#EXT-X-ENDLIST']);
    expect(lines).toHaveLength(4 + 3 * 90_000 + 1);
  });

  test('nested.m3u8 refers to itself, and chain.m3u8 always to a new name', async () => {
    const last = (playlist: string) => playlist.trimEnd().split('\n').at(-1) ?? '';
    expect(last(await text('nested.m3u8?token=n'))).toBe('nested.m3u8?token=n');
    const second = last(await text('chain.m3u8?token=c'));
    expect(second).toBe('chain.m3u8?token=c&depth=1');
    expect(last(await text(second))).toBe('chain.m3u8?token=c&depth=2');
  });

  test.each([
    ['segment', (target: string) => `\n${target}\n`],
    ['key', (target: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${target}"\n`],
    ['init', (target: string) => `#EXT-X-MAP:URI="${target}"\n`],
    ['variant', (target: string) => `#EXT-X-STREAM-INF:BANDWIDTH=1000000\n${target}\n`],
    ['audio', (target: string) => `DEFAULT=YES,URI="${target}"\n`],
  ])('internal.m3u8 and scheme.m3u8 contain the target as %s', async (place, line) => {
    for (const [name, target] of [
      ['internal.m3u8', 'http://169.254.169.254/latest?a=b&c=d'],
      ['scheme.m3u8', 'file:///etc/passwd'],
      ['scheme.m3u8', 'concat:/etc/passwd|/etc/hosts'],
      ['scheme.m3u8', 'data:video/mp2t;base64,AAAA'],
    ] as const) {
      expect(await text(`${name}?as=${place}&target=${encodeURIComponent(target)}`)).toContain(line(target));
    }
  });

  test.each([
    'internal.m3u8',
    'internal.m3u8?target=file:///etc/passwd',
    'scheme.m3u8?target=a%0Ab',
    'scheme.m3u8?target=x&as=y',
    'ffconcat.mp4?target=here',
  ])('%s returns 400', async (link) => {
    expect((await get(link)).status).toBe(400);
  });
});

describe('texts that are declared as video', () => {
  const marks: Readonly<Record<string, string>> = {
    'ffconcat.mp4': 'ffconcat version 1.0\n',
    'mpd.mp4': '<MPD ',
    'sdp.mp4': 'v=0\r\n',
    'svg.mp4': '<svg ',
    'm3u8.mp4': '#EXTM3U\n',
  };

  test.each(Object.keys(disguisedTexts))('%s contains the file and the target', async (name) => {
    const { status, headers, body } = await get(`${name}?target=http://127.0.0.1:7777/a`);
    expect([status, headers['content-type']]).toEqual([200, 'video/mp4']);
    const content = body.toString();
    expect(content).toContain(marks[name]);
    expect(content).toContain('file:///etc/passwd');
    expect(content).toContain('http://127.0.0.1:7777/a');
    expect(await text(name)).toContain('http://127.0.0.1/');
  });
});

describe('MP4 files with false declarations', () => {
  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
  const entry = (bytes: Buffer, type: string) => findBox(bytes, [...table, type]).content + 8;
  const most = 0xffff_ffff;
  const claims: Readonly<Record<string, (bytes: Buffer, real: Buffer) => [unknown, unknown][]>> = {
    'huge-dimensions.mp4': (bytes, real) => [
      [bytes.readUInt16BE(entry(bytes, 'stsd') + 32), 65_535],
      [bytes.readUInt16BE(entry(bytes, 'stsd') + 34), 65_535],
      [real.readUInt16BE(entry(real, 'stsd') + 32), 320],
      [real.readUInt16BE(entry(real, 'stsd') + 34), 180],
      [real.readUInt32BE(findBox(real, ['moov', 'trak', 'tkhd']).end - 8), 320 * 65_536],
    ],
    'huge-samples.mp4': (bytes, real) => [
      [bytes.readUInt32BE(entry(bytes, 'stsz')), most],
      [real.readUInt32BE(entry(real, 'stsz')), 50],
      [bytes.readUInt32BE(entry(bytes, 'stts')), most],
      [real.readUInt32BE(entry(real, 'stts')), 50],
    ],
    'huge-tables.mp4': (bytes) => [[bytes.readUInt32BE(entry(bytes, 'stco') - 4), most]],
    'huge-box.mp4': (bytes, real) => [
      [bytes.readUInt32BE(findBox(real, [...table, 'stsd']).start), 0x7fff_ffff],
      [bytes.readUInt32BE(findBox(real, ['mdat']).start), most],
    ],
  };

  test.each(Object.keys(patches))('%s has the size of the real file and a false declaration', async (name) => {
    const real = (await fetchThrough(lab, 'https://cdn.lab.example/media/amber-2/movie-180.mp4')).body;
    const { headers, body } = await get(name);
    expect(headers['content-type']).toBe('video/mp4');
    expect(body.length).toBe(real.length);
    expect(body.equals(real)).toBe(false);
    const claimResults = claims[name]?.(body, real) ?? [];
    expect(claimResults.length).toBeGreaterThan(0);
    expect(claimResults.map(([claim]) => claim)).toEqual(claimResults.map(([, expected]) => expected));
  });
});

test('faults apply to hostile files, and other names return 404', async () => {
  expect((await get('million.m3u8?cut=500')).body.length).toBe(500);
  expect((await get('mpd.mp4?status=503')).status).toBe(503);
  for (const name of ['other.mp4', 'constructor', '__proto__']) expect((await get(name)).status).toBe(404);
});
