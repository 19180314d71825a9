import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingsFolders } from '../../test/support/recordings.ts';
import type { Lab } from '../lab.ts';
import { fetchThrough, json, startTestLab } from '../testing.ts';
import { openReplay } from './replay.ts';

const search = 'https://www.tube.example/youtubei/v1/search?prettyPrint=false';

function exchange(url: string, date: string, body: unknown, answer: unknown, method = 'POST'): Buffer {
  return gzipSync(
    JSON.stringify({
      source: { date },
      request: { method, url, headers: {}, body },
      response: { status: 203, headers: { 'content-type': ['application/json'], server: ['x'] }, body: answer },
    }),
  );
}

const asks = (query: string, clientName = 'WEB') => ({
  context: { client: { clientName, clientVersion: '1' } },
  query,
});

const files: Readonly<Record<string, string | Buffer>> = {
  'p1/INDEX.json': '[]',
  'p1/search/old.json.gz': exchange(search, '2024-01-01', asks('cats%3D'), { old: true }),
  'p1/search/new.json.gz': exchange(search, '2026-01-01', asks('cats%3D'), { old: false }),
  'p1/search/dogs.json.gz': exchange(search, '2026-01-01', asks('dogs'), { dogs: true }),
  'p1/suggest.json.gz': exchange(
    'https://suggest.tube.example/complete?q=a&xhr=t',
    '2026-01-01',
    undefined,
    '["a"]',
    'GET',
  ),
  'p1/lost.json.gz': gzipSync(
    JSON.stringify({ source: {}, request: { videoId: 'a' }, response: { body: { lost: 1 } } }),
  ),
  'p3/pages/capture.txt': "# a comment\nhome\t2026-07-29\tfetch 'https://www.face.example/home'\n",
  'p3/pages/home.html.gz': gzipSync('<html><link rel="canonical" href="https://www.face.example/other">home</html>'),
  'p3/pages/golden/home.json': '{}',
  'p4/page.html': '<html><link rel="canonical" href="https://www.clips.example/@a/"><body>a</body></html>',
  'p4/wall.SYNTHETIC.html': 'no recording',
  'p5/metadata_x1abc.json': JSON.stringify({
    qualities: { auto: [{ url: 'https://www.dailymotion.com/cdn/manifest/video/x1abc.m3u8?sec=gone' }] },
  }),
  'p5/master_x1abc.m3u8': '#EXTM3U\n',
  'p5/error.json': '{"error":{}}',
};

let folder: string;
let lab: Lab;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lab-recordings-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  lab = await startTestLab({ recordings: folder });
});
afterAll(async () => {
  await lab.close();
  await rm(folder, { recursive: true });
});

const post = (body: unknown, url = search) => fetchThrough(lab, url, { method: 'POST', body: JSON.stringify(body) });

describe('recorded exchange', () => {
  test('matches any client version, and the newest recording wins', async () => {
    const body = { ...asks('cats='), context: { client: { clientName: 'WEB', clientVersion: '99' } }, cpn: 'random' };
    const response = await post(body, `${search}&id=5`);
    expect([response.status, json(response), response.headers.server]).toEqual([203, { old: false }, undefined]);
    expect(response.headers['x-lab-recording']).toBe('p1/search/new.json.gz');
  });

  test('does not match another query, another client or a missing body', async () => {
    expect(json(await post(asks('dogs')))).toEqual({ dogs: true });
    for (const body of [asks('mice'), asks('dogs', 'ANDROID'), undefined, 5])
      expect((await post(body)).status).toBe(502);
  });

  test('matches a GET with additional parameters, but not with fewer', async () => {
    const response = await fetchThrough(lab, 'https://suggest.tube.example/complete?q=a&hl=en&xhr=t');
    expect(response.body.toString()).toBe('["a"]');
    expect((await fetchThrough(lab, 'https://suggest.tube.example/complete?q=a')).status).toBe(502);
  });
});

describe('recorded page', () => {
  test("is served at the address in the capture list, which takes precedence over the page's own address", async () => {
    expect((await fetchThrough(lab, 'https://www.face.example/home')).body.toString()).toContain('home');
    expect((await fetchThrough(lab, 'https://www.face.example/other')).status).toBe(502);
  });

  test('is served at its canonical link, with or without a trailing slash', async () => {
    for (const address of ['https://www.clips.example/@a', 'https://www.clips.example/@a/?lang=en']) {
      const { status, headers } = await fetchThrough(lab, address);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    }
  });

  test('recorded metadata and its manifest take precedence over the simulated site', async () => {
    const metadata = await fetchThrough(lab, 'https://www.dailymotion.com/player/metadata/video/x1abc?app=any');
    expect(json(metadata)).toHaveProperty('qualities');
    const manifest = await fetchThrough(lab, 'https://www.dailymotion.com/cdn/manifest/video/x1abc.m3u8?sec=other');
    expect(manifest.body.toString()).toBe('#EXTM3U\n');
    expect(json(await fetchThrough(lab, 'https://www.dailymotion.com/player/metadata/video/xlab30'))).toHaveProperty(
      'id',
      'xlab30',
    );
  });
});

test('the shelf serves every recording and nothing else', async () => {
  const shelf = 'https://recordings.lab.example/';
  const list = json(await fetchThrough(lab, shelf)).recordings as { path: string; url?: string }[];
  expect(list.map((each) => each.path).toSorted()).toEqual([
    'p1/lost.json.gz',
    'p1/search/dogs.json.gz',
    'p1/search/new.json.gz',
    'p1/search/old.json.gz',
    'p1/suggest.json.gz',
    'p3/pages/home.html.gz',
    'p4/page.html',
    'p5/error.json',
    'p5/master_x1abc.m3u8',
    'p5/metadata_x1abc.json',
  ]);
  expect(json(await fetchThrough(lab, `${shelf}p1/lost.json.gz`))).toEqual({ lost: 1 });
  expect(json(await fetchThrough(lab, `${shelf}p5/error.json`))).toEqual({ error: {} });
  for (const name of ['p1/INDEX.json', '..%2fsecret', 'p3/pages/golden/home.json']) {
    expect((await fetchThrough(lab, `${shelf}${name}`)).status).toBe(404);
  }
});

test('the error for a damaged recording names it', async () => {
  const damaged = path.join(folder, 'p9');
  await mkdir(damaged);
  await writeFile(path.join(damaged, 'bad.json'), '{"cut');
  await expect(openReplay(damaged)).rejects.toThrow('bad.json');
  await rm(damaged, { recursive: true });
});

const [recordingsFolder = ''] = recordingsFolders;

test.skipIf(recordingsFolder === '')(
  `the recordings of RECORDINGS_DIR (${recordingsFolder || 'unset'}) are readable`,
  async () => {
    const replay = await openReplay(recordingsFolder);
    process.stdout.write(`Looked through ${replay.count} recordings; ${replay.identified} have an address.\n`);
    expect(replay.count).toBeGreaterThan(0);
    const url = new URL('https://www.dailymotion.com/player/metadata/video/x96ndxe');
    expect(replay.find({ method: 'GET', url, identity: '' })?.name).toContain('metadata_x96ndxe.json');
  },
);
