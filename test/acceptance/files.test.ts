import { get } from 'node:http';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');
let url: string;
let file: Buffer;

beforeAll(async () => {
  const input = { url: labFile('/media/amber-30/movie-360.mp4').url, ext: 'mp4' };
  const job = describeJob('convert_format', [input], 'mp4', {
    output: { ext: 'mp4', downloadName: 'Été à "Paris" / 1' },
  });
  const rendered = await render(service, job);
  url = rendered.event.output?.url ?? '';
  file = rendered.file;
});

describe('a download link', () => {
  test('returns the whole file under its name, and never as a page', async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(file.length),
      'accept-ranges': 'bytes',
      etag: expect.any(String),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''%C3%89t%C3%A9%20/),
    });
    await response.body?.cancel();
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=1000-', 1000, undefined],
    ['bytes=-500', -500, undefined],
  ])('returns the range %s', async (range, from, to) => {
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(206);
    const part = file.subarray(from, to);
    expect(response.headers.get('content-length')).toBe(String(part.length));
    expect(Buffer.from(await response.arrayBuffer()).equals(part)).toBe(true);
  });

  test('returns 416 for a range outside the file', async () => {
    const response = await fetch(url, { headers: { range: `bytes=${file.length}-` } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${file.length}`);
  });

  test('returns no body for HEAD', async () => {
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(file.length)]);
  });

  test('returns 304 when the caller has the current file', async () => {
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
    // This test does not use fetch, which adds "Cache-Control: no-cache" to such a request.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      get(url, { headers: { 'if-none-match': etag } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(304);
  });

  test('returns 404 for any made-up path', async () => {
    for (const path of ['AAAA/a.mp4', '..%2f..%2fetc/passwd', '%2e%2e/a', `${'A'.repeat(200)}/a.mp4`]) {
      expect((await fetch(`${service}/files/${path}`)).status).toBe(404);
    }
  });

  test('cannot be guessed from the job', async () => {
    const [, link = ''] = /\/files\/([^/]+)\//.exec(url) ?? [];
    expect(link.length).toBeGreaterThan(40);
    // The last character is not changed, because some of its bits carry no data (base64).
    const altered = (link.startsWith('A') ? 'B' : 'A') + link.slice(1);
    for (const other of [altered, link.slice(0, -1), link.slice(0, 40), `${link}A`]) {
      expect((await fetch(url.replace(link, other))).status).toBe(404);
    }
  });
});
