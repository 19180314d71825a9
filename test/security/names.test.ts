import { describe, expect, inject, test } from 'vitest';
import { describeJob, post, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');
const clip = () => ({ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' });

describe('a download name is only ever a name', () => {
  test.each([
    ['traversal', '../../../../etc/passwd'],
    ['backslashes', '..\\..\\windows\\system32'],
    ['an absolute path', '/etc/passwd'],
    ['a header injection', 'a\r\nSet-Cookie: b=1'],
    ['quotes', 'a"; filename="b.exe'],
    ['right-to-left text', 'annual\u202Egpj.exe'],
    ['control characters', 'a\u0000b\u0007c\u001b[31m'],
    ['a reserved name', 'CON'],
    ['4 KB of emoji', '😀'.repeat(1000)],
    ['only dots', '....'],
    ['a percent sign', '100%41%2e%2e%2f'],
  ])('when it is %s', async (_name, downloadName) => {
    const job = { ...describeJob('convert_format', [clip()], 'm4a'), output: { ext: 'm4a', downloadName } };
    const { output } = await run(service, job);
    const url = new URL(output?.url ?? '');
    expect(url.pathname.split('/')).toHaveLength(4);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename=/);
    expect(response.headers.has('set-cookie')).toBe(false);
    const saved = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    expect(saved).toMatch(/\.m4a$/);
    expect(saved).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}]/u);
    expect(saved).not.toMatch(/^(con|nul)\./i);
    expect(Buffer.byteLength(saved)).toBeLessThan(200);
    await response.body?.cancel();
  });

  test('and is refused when longer than 4 KB', async () => {
    const job = {
      ...describeJob('convert_format', [clip()], 'm4a'),
      output: { ext: 'm4a', downloadName: 'a'.repeat(4097) },
    };
    expect((await post(`${service}/api/v1/render/execute`, job)).status).toBe(400);
  });
});

describe('request options that frame a request are refused', () => {
  test.each([
    [{ 'X-A': 'a\r\nX-B: b' }],
    [{ 'X-A': 'a\nb' }],
    [{ 'X-A\r\nX-B': 'a' }],
    [{ 'X A': 'a' }],
    [{ '': 'a' }],
    [{ Host: '127.0.0.1' }],
    [{ 'Content-Length': '5' }],
    [{ 'Transfer-Encoding': 'chunked' }],
    [{ Connection: 'upgrade' }],
    [{ 'X-A': '\u0000' }],
    [{ 'X-A': '€' }],
  ])('%j', async (headers) => {
    const job = describeJob('convert_format', [{ ...clip(), requestOptions: { headers } }], 'm4a');
    expect((await post(`${service}/api/v1/render/execute`, job)).status).toBe(400);
  });
});

test.each([
  'concat:a.mp4|b.mp4',
  'subfile,,start,0,end,1,,:/etc/passwd',
  'data:video/mp4;base64,AAAA',
  'file:///etc/passwd',
  '/etc/passwd',
  'gopher://a/',
  'http://',
  'https://a b/',
])('%s is not an accepted address of an input', async (url) => {
  const job = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4');
  expect((await post(`${service}/api/v1/render/execute`, job)).status).toBe(400);
});
