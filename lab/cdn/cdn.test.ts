import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../lab.ts';
import { fetchThrough, json, startTestLab } from '../testing.ts';

const sound = 'https://cdn.lab.example/media/amber-2/sound.mp3';
let lab: Lab;
let whole: Buffer;

beforeAll(async () => {
  lab = await startTestLab();
  whole = (await fetchThrough(lab, sound)).body;
});
afterAll(() => lab.close());

const requestsOf = async (token: string) =>
  json(await fetchThrough(lab, `${lab.url}/_lab/requests?token=${token}`)).requests as Record<string, unknown>[];

describe('files', () => {
  test('serves the whole file with an ETag and Accept-Ranges', async () => {
    const { status, headers, body } = await fetchThrough(lab, sound);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' });
    expect(headers['content-length']).toBe(`${body.length}`);
    expect(headers.etag).toMatch(/^"\w+"$/);
  });

  test('returns the same headers without a body for HEAD', async () => {
    const { status, headers, body } = await fetchThrough(lab, sound, { method: 'HEAD' });
    expect([status, headers['content-length'], body.length]).toEqual([200, `${whole.length}`, 0]);
  });

  test('serves a range with 206', async () => {
    const { status, headers, body } = await fetchThrough(lab, sound, { headers: { range: 'bytes=100-199' } });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes 100-199/${whole.length}`);
    expect(body).toEqual(whole.subarray(100, 200));
  });

  test('returns 416 for a range beyond the end', async () => {
    const { status, headers } = await fetchThrough(lab, sound, { headers: { range: `bytes=${whole.length}-` } });
    expect([status, headers['content-range']]).toEqual([416, `bytes */${whole.length}`]);
  });

  test('serves the whole file when If-Range has another ETag', async () => {
    const headers = { range: 'bytes=0-9', 'if-range': '"other"' };
    expect((await fetchThrough(lab, sound, { headers })).status).toBe(200);
    const { etag = '' } = (await fetchThrough(lab, sound)).headers;
    expect((await fetchThrough(lab, sound, { headers: { ...headers, 'if-range': etag } })).status).toBe(206);
  });

  test('serves chapters.mp3 as the audio of sound.mp3 after a tag with chapters', async () => {
    const { body } = await fetchThrough(lab, sound.replace('sound.mp3', 'chapters.mp3'));
    expect(body.toString('latin1', 0, 14)).toMatch(/^ID3.{7}CHAP/s);
    expect(body.subarray(-whole.length)).toEqual(whole);
  });

  test('returns 200 and only the requested bytes for the query form of a range', async () => {
    const { status, headers, body } = await fetchThrough(lab, `${sound}?range=5-14`);
    expect([status, headers['content-length'], headers['content-range']]).toEqual([200, '10', undefined]);
    expect(body).toEqual(whole.subarray(5, 15));
  });

  test.each([
    '/media/amber-1/sound.mp3',
    '/media/amber-1501/sound.mp3',
    '/media/nobody-30/sound.mp3',
    '/media/amber-2/sound-360.mp3',
    '/media/amber-2/movie.mp4',
    '/media/amber-2/..%2f..%2fsecret',
    '/hls/amber-2/180/seg-00002.ts',
    '/elsewhere',
  ])('returns 404 for %s', async (path) => {
    expect((await fetchThrough(lab, `https://cdn.lab.example${path}`)).status).toBe(404);
  });

  test('returns 502 for an unknown host', async () => {
    expect((await fetchThrough(lab, 'https://nowhere.example/')).status).toBe(502);
  });
});

describe('faults', () => {
  test('cut breaks the connection at the given byte on every request', async () => {
    const first = await fetchThrough(lab, `${sound}?cut=1000`);
    expect([first.status, first.broken, first.body.length]).toEqual([200, true, 1000]);
    const later = await fetchThrough(lab, `${sound}?cut=1000`, { headers: { range: 'bytes=900-1999' } });
    expect([later.status, later.broken]).toEqual([206, true]);
    expect(later.body).toEqual(whole.subarray(900, 1000));
    const behind = await fetchThrough(lab, `${sound}?cut=1000`, { headers: { range: 'bytes=1001-1999' } });
    expect([behind.broken, behind.body.length]).toEqual([false, 999]);
  });

  test('cut at the first byte still sends the headers', async () => {
    expect(await fetchThrough(lab, `${sound}?cut=0`)).toMatchObject({ status: 200, broken: true });
  });

  test('cutOnce breaks only the first request of each token and file', async () => {
    expect((await fetchThrough(lab, `${sound}?cutOnce=500&token=once-a`)).broken).toBe(true);
    expect((await fetchThrough(lab, `${sound}?cutOnce=500&token=once-a`)).body).toEqual(whole);
    expect((await fetchThrough(lab, `${sound}?cutOnce=500&token=once-b`)).broken).toBe(true);
    // Each file has its own history within a token.
    const other = sound.replace('.mp3', '.m4a');
    expect((await fetchThrough(lab, `${other}?cutOnce=500&token=once-a`)).broken).toBe(true);
  });

  test('noRanges serves the whole file without Accept-Ranges', async () => {
    const { status, headers, body } = await fetchThrough(lab, `${sound}?noRanges=1`, {
      headers: { range: 'bytes=5-9' },
    });
    expect([status, headers['accept-ranges'], body.length]).toEqual([200, undefined, whole.length]);
  });

  test('a positive length declares more bytes than are sent', async () => {
    const { headers, broken, body } = await fetchThrough(lab, `${sound}?length=10`);
    expect([headers['content-length'], broken]).toEqual([`${whole.length + 10}`, true]);
    expect(body).toEqual(whole);
  });

  test('a negative length declares fewer bytes than are sent', async () => {
    // An HTTP client rejects such a response, so this test reads the raw connection.
    const socket = connect(lab.port, '127.0.0.1');
    socket.write(`GET /media/amber-2/sound.mp3?length=-10 HTTP/1.1\r\nHost: cdn.lab.example\r\n\r\n`);
    const bytes = await buffer(socket);
    const head = bytes.toString('latin1').split('\r\n\r\n')[0] ?? '';
    expect(head).toContain(`content-length: ${whole.length - 10}`);
    expect(bytes.subarray(head.length + 4)).toEqual(whole);
  });

  test('denyFrom refuses range requests that reach the given byte', async () => {
    const at = (range: string) => fetchThrough(lab, `${sound}?denyFrom=1000&deny=410`, { headers: { range } });
    expect([(await at('bytes=0-999')).status, (await at('bytes=0-1000')).status]).toEqual([206, 410]);
  });

  test('denyAfter refuses every file once the token has reached the given age', async () => {
    const status = async (file: string) => (await fetchThrough(lab, `${file}?denyAfter=0&deny=404&token=aged`)).status;
    await fetchThrough(lab, `${sound}?token=old`);
    expect((await fetchThrough(lab, `${sound}?denyAfter=600000&token=old`)).status).toBe(200);
    expect(await status(sound)).toBe(404);
  });

  test('status applies to the first requests only', async () => {
    const go = async () => (await fetchThrough(lab, `${sound}?status=503&times=2&token=busy`)).status;
    expect([await go(), await go(), await go()]).toEqual([503, 503, 200]);
  });

  test('redirects lead to the same host or to any address', async () => {
    const first = await fetchThrough(lab, `${sound}?redirect=2&token=hop`);
    expect(first.status).toBe(302);
    const second = await fetchThrough(lab, new URL(first.headers.location ?? '', sound).href);
    const third = await fetchThrough(lab, new URL(second.headers.location ?? '', sound).href);
    expect([second.status, third.status, third.body.length]).toEqual([302, 200, whole.length]);
    const inside = await fetchThrough(
      lab,
      `${sound}?redirectTo=${encodeURIComponent('http://127.0.0.1:1/')}&redirectStatus=307`,
    );
    expect([inside.status, inside.headers.location]).toEqual([307, 'http://127.0.0.1:1/']);
    const away = await fetchThrough(lab, `${sound}?redirectHost=cdn2.lab.example`);
    expect((await fetchThrough(lab, away.headers.location ?? '')).status).toBe(200);
  });

  test('latency delays the headers, and throttle slows down the body', async () => {
    const late = await fetchThrough(lab, `${sound}?latency=150`);
    expect(late.times.head).toBeGreaterThanOrEqual(145);
    const slow = await fetchThrough(lab, `${sound}?throttle=50000&range=0-9999`);
    expect(slow.body.length).toBe(10_000);
    expect(slow.times.end).toBeGreaterThanOrEqual(190);
  });

  test('hang sends nothing, and stall stops within the body', async () => {
    const hung = await fetchThrough(lab, `${sound}?hang=1&token=hung`, { timeoutMs: 1_000 });
    expect([hung.status, hung.broken]).toEqual([0, true]);
    const stalled = await fetchThrough(lab, `${sound}?stall=700`, { timeoutMs: 2_000 });
    expect([stalled.status, stalled.broken, stalled.body.length]).toEqual([200, true, 700]);
    expect(await requestsOf('hung')).toMatchObject([{ status: 0, bytesSent: 0, complete: false }]);
  });

  test('a fault with an invalid value returns 400', async () => {
    const { status, body } = await fetchThrough(lab, `${sound}?throttle=fast`);
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('throttle=fast')]);
  });
});

describe('HLS', () => {
  const base = 'https://cdn.lab.example/hls/amber-10/';

  test('a master playlist links to its variants, and the variants link to their segments', async () => {
    const master = await fetchThrough(lab, `${base}master.m3u8?token=hls&segment.cut=188&segment.only=3`);
    expect(master.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    const variants = master.body
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(variants).toHaveLength(3);
    const variant = new URL(variants[0] ?? '', base);
    const index = (await fetchThrough(lab, variant.href)).body.toString();
    const segments = index.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(segments).toHaveLength(3);
    expect(index).toContain('#EXT-X-ENDLIST');
    const responses = await Promise.all(segments.map((link) => fetchThrough(lab, new URL(link, variant).href)));
    expect(responses.map(({ status, broken }) => [status, broken])).toEqual([
      [200, false],
      [200, false],
      [200, true],
    ]);
    expect(responses[0]?.headers['content-type']).toBe('video/mp2t');
    expect((responses[0]?.body.length ?? 1) % 188).toBe(0);
    expect(responses[2]?.body.length).toBe(188);
  });
});

test('a live playlist has no end tag', async () => {
  const master = await fetchThrough(lab, 'https://cdn.lab.example/hls/amber-10/master.m3u8?live=1');
  expect(master.body.toString()).toContain('180/index.m3u8?live=1\n');
  const index = (await fetchThrough(lab, 'https://cdn.lab.example/hls/amber-10/180/index.m3u8?live=1')).body.toString();
  expect(index).not.toMatch(/ENDLIST|VOD/);
});

describe('journal', () => {
  test('records how each request was made and what was sent', async () => {
    const link = `${sound}?token=seen&cut=1000`;
    await fetchThrough(lab, link, { headers: { range: 'bytes=0-4999', referer: 'https://site.example/' } });
    await fetchThrough(lab, link, { method: 'POST', body: '{"a":1}' });
    expect(await requestsOf('seen')).toMatchObject([
      {
        method: 'GET',
        host: 'cdn.lab.example',
        range: 'bytes=0-4999',
        status: 206,
        bytesSent: 1000,
        complete: false,
        headers: { referer: 'https://site.example/' },
      },
      { method: 'POST', range: null, body: '{"a":1}', bytesSent: 1000 },
    ]);
  });
});
