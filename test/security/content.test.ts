// Files and relayed media are data: browsers never run or frame them, whatever type or name a source or a caller gives
// them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, post, run } from '../support/http-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';

const mediaHost = 'rr1---sn-lab7ne7s.googlevideo.com';
const manifestHost = 'manifest.googlevideo.com';
const hls = 'application/vnd.apple.mpegurl';

/** Valid as a script, as a style sheet and as the start of a page. */
const polyglot = '/*<html><body>*/globalThis.pwned = 1;//<script>globalThis.pwned = 1</script>';
/** An image of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The response of the hostile origin to every request without its own response below. */
let next: { type: string | readonly string[]; body: string | Buffer } = { type: '', body: '' };

/** Represents the site's CDN, the source of direct jobs, and another site's page. */
const hostile = createServer(({ headers, url = '' }, response) => {
  if (headers.host === manifestHost && url.includes('hls_variant')) {
    const master = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"\nhttps://${manifestHost}/list.m3u8`;
    response.writeHead(200, { 'content-type': hls }).end(master);
  } else if (url === '/embedder') {
    const isolated = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };
    response.writeHead(200, { 'content-type': 'text/html', ...isolated }).end('<!doctype html>');
  } else if (url.startsWith('/file.')) {
    response.writeHead(200).end(url === '/file.png' ? picture : polyglot);
  } else {
    if (next.type !== '') response.setHeader('content-type', next.type);
    response.end(next.body);
  }
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let otherSite: string;
let relayedFile: string;
let relayedPlaylist: string;
/** Links of finished files, by extension. */
const files = new Map<string, string>();

const active = ['js', 'mjs', 'html', 'svg', 'xml', 'css', 'wasm', 'pdf', 'swf', 'm3u8'];

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    hostile.listen(0, '127.0.0.1', resolve);
  });
  otherSite = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, {
    EGRESS_CONNECT_TO: [
      `hostile.example=${otherSite}`,
      `${mediaHost}=${otherSite}`,
      `${manifestHost}=${otherSite}`,
      `*=${inject('labUrl')}`,
    ].join(','),
  });
  relayedFile = await relayLink('lab-plain30');
  relayedPlaylist = await relayLink('lab-live-on');
  const renders = [...active, 'png'].map(async (ext) => {
    const job = describeJob('no_process', [{ url: `http://hostile.example/file.${ext}`, ext: 'bin' }], ext);
    files.set(ext, (await run(service.url, job)).output?.url ?? '');
  });
  await Promise.all(renders);
});
afterAll(async () => {
  await service?.kill();
  await folder?.delete();
  hostile.close();
  hostile.closeAllConnections();
});

async function relayLink(videoId: string): Promise<string> {
  const query = `videoId=${videoId}&urlAccess=proxied&fields=contents.videos`;
  const { body } = await extract<Result>(`${service.url}/p1/v3/video/details?${query}`);
  const url = body.contents?.[0]?.videos?.[0]?.url;
  if (url === undefined) throw new Error(`${videoId} has no relay link: ${JSON.stringify(body)}`);
  return url;
}

/** Expects the headers of a response that no browser runs or frames, whatever it contains. */
function expectInert(headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
}

/** Expects the headers of a file or of relayed media, which other sites may embed. */
function expectData(headers: Headers): void {
  expectInert(headers);
  expect(headers.get('content-security-policy')).toMatch(/(?:^|; )sandbox(?:;|$)/);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename/);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
}

describe('relayed media', () => {
  test.each([
    'text/html',
    'text/html; charset=utf-8',
    'TEXT/HTML;video/mp4',
    'application/xhtml+xml',
    'image/svg+xml',
    'Image/SVG+XML ; charset=utf-8',
    'video/svg+xml',
    'audio/svg+xml',
    'image/x+xml',
    'image/vnd.example+xml',
    'video/html',
    'text/xml',
    'application/xml',
    'application/dash+xml',
    'application/javascript',
    'text/javascript',
    'text/css',
    'application/json',
    'application/pdf',
    'application/wasm',
    'application/x-shockwave-flash',
    'multipart/x-mixed-replace; boundary=a',
  ])('that a source labels %s is refused', async (type) => {
    next = { type, body: polyglot };
    const response = await fetch(relayedFile);
    expect(response.status).toBe(502);
    expectInert(response.headers);
    expect(await response.text()).not.toContain('pwned');
  });

  test.each<[string | readonly string[], string]>([
    ['', 'video/mp4'],
    ['mp4', 'video/mp4'],
    ['video/mp4, text/html', 'video/mp4'],
    [['video/webm', 'text/html'], 'video/mp4'],
    ['VIDEO/WebM; codecs="vp9, text/html"', 'video/webm'],
    ['application/octet-stream', 'video/mp4'],
  ])('that a source labels "%s" is sent as %s', async (type, contentType) => {
    next = { type, body: polyglot };
    const { headers, status } = await fetch(relayedFile);
    expect([status, headers.get('content-type')]).toEqual([200, contentType]);
    expectData(headers);
  });
});

const places: Readonly<Record<string, (uri: string) => string>> = {
  'a segment': (uri) => `#EXTINF:4,\n${uri}`,
  'a segment after white space': (uri) => `#EXTINF:4,\n \t${uri}`,
  'a variant': (uri) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${uri}`,
  'a key': (uri) => `#EXT-X-KEY:METHOD=AES-128,URI="${uri}"\n#EXTINF:4,\na.ts`,
  'a key without quotes': (uri) => `#EXT-X-KEY:METHOD=AES-128,URI=${uri}\n#EXTINF:4,\na.ts`,
  'a second URI of a key': (uri) => `#EXT-X-KEY:METHOD=AES-128,URI="k",URI="${uri}"\n#EXTINF:4,\na.ts`,
  'a session key': (uri) => `#EXT-X-SESSION-KEY:METHOD=AES-128,URI="${uri}"`,
  'an initialisation section': (uri) => `#EXT-X-MAP:URI="${uri}"\n#EXTINF:4,\na.m4s`,
  'a rendition': (uri) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${uri}"`,
  'an I-frame playlist': (uri) => `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="${uri}"`,
  'a partial segment': (uri) => `#EXT-X-PART:DURATION=1,URI="${uri}"`,
  'a preload hint': (uri) => `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${uri}"`,
  'a rendition report': (uri) => `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=1`,
  'session data': (uri) => `#EXT-X-SESSION-DATA:DATA-ID="a",URI="${uri}"`,
  'the value of session data': (uri) => `#EXT-X-SESSION-DATA:DATA-ID="a",VALUE="${uri}"`,
  'content steering': (uri) => `#EXT-X-CONTENT-STEERING:SERVER-URI="${uri}"`,
  'an asset of a date range': (uri) =>
    `#EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2026-11-21T00:00:00Z",X-ASSET-URI="${uri}"`,
  'an asset list of a date range': (uri) =>
    `#EXT-X-DATERANGE:ID="a",START-DATE="2026-11-21T00:00:00Z",X-ASSET-LIST="${uri}"`,
  'an unknown attribute': (uri) => `#EXT-X-STREAM-INF:BANDWIDTH=1,X-HOME="${uri}"\nlow.m3u8`,
  'an unknown URI attribute': (uri) => `#EXT-X-STREAM-INF:BANDWIDTH=1,X-URI="${uri}"\nlow.m3u8`,
  'an unknown tag': (uri) => `#EXT-X-ADVERTISEMENT:HREF="${uri}"`,
  'the text of an unknown tag': (uri) => `#EXT-X-ADVERTISEMENT:${uri}`,
  'a comment': (uri) => `# ${uri}`,
  'the title of a segment': (uri) => `#EXTINF:4,${uri}\na.ts`,
  'a value that should be a number': (uri) => `#EXT-X-VERSION:${uri}`,
  'a variable': (uri) => `#EXT-X-DEFINE:NAME="a",VALUE="${uri}"\n#EXTINF:4,\n{$a}`,
  'a line that ends in a single CR': (uri) => `#EXT-X-VERSION:3\r${uri}`,
  'a name with a line separator': (uri) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="\u2028${uri}"`,
};
const addresses = [
  'file:///etc/passwd',
  'FILE:/etc/passwd',
  'javascript:alert(1)',
  'data:text/html;base64,PGI+',
  'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAA==',
  'blob:https://a.example/1',
  'skd://key',
  'ftp://a.example/a.ts',
  'concat:/etc/passwd',
  'https://tracker.example/a',
  '//tracker.example/a',
];

describe('a relayed playlist leads only through the relay', () => {
  test.each(Object.entries(places))('for %s', async (_place, write) => {
    for (const address of addresses) {
      next = { type: hls, body: `#EXTM3U\n${write(address)}\n` };
      const response = await fetch(relayedPlaylist);
      const text = await response.text();
      expectInert(response.headers);
      if (response.status !== 200) {
        expect(response.status).toBe(502);
        continue;
      }
      expectData(response.headers);
      expect(response.headers.get('content-type')).toBe(hls);
      const left = text.replaceAll(new RegExp(`(?<=^|")${service.url}/relay/[\\w-]+/[\\w.-]+(?=$|")`, 'gm'), '');
      expect(left).not.toContain(address);
      expect(left).not.toMatch(/URI="[^"]/);
      for (const line of left.split('\n')) expect(line).toMatch(/^(?:#EXT.*)?$/);
    }
  });

  test('when it contains a link to the web', async () => {
    next = { type: hls, body: '#EXTM3U\n#EXTINF:4,\nseg.ts\n' };
    const text = await (await fetch(relayedPlaylist)).text();
    next = { type: 'video/mp2t', body: 'bytes' };
    expect(await (await fetch(text.split('\n')[2] ?? '')).text()).toBe('bytes');
  });
});

describe('a file', () => {
  test.each(active)('whose name ends in .%s is sent as bytes to save', async (ext) => {
    const url = files.get(ext) ?? '';
    const whole = await fetch(url);
    const part = await fetch(url, { headers: { range: 'bytes=0-3' } });
    const head = await fetch(url, { method: 'HEAD' });
    expect([whole, part, head].map(({ status }) => status)).toEqual([200, 206, 200]);
    for (const { headers } of [whole, part, head]) {
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expectData(headers);
    }
    expect(await whole.text()).toBe(polyglot);
    const outside = await fetch(url, { headers: { range: 'bytes=9999-' } });
    expect(outside.status).toBe(416);
    expectInert(outside.headers);
  });

  test('of an image is sent as an image, also to pages of other sites', async () => {
    const { headers } = await fetch(files.get('png') ?? '');
    expect(headers.get('content-type')).toBe('image/png');
    expectData(headers);
  });

  test('that does not exist returns an error that no browser runs', async () => {
    const response = await fetch(`${service.url}/files/AAAA/a.js`);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    expectInert(response.headers);
  });
});

describe('this origin', () => {
  test('serves no service worker besides that of the page', async () => {
    const worker = await fetch(`${service.url}/service-worker.js`, { headers: { 'service-worker': 'script' } });
    expect(worker.status).toBe(200);
    expect(worker.headers.get('service-worker-allowed')).toBeNull();
    for (const url of [files.get('js') ?? '', relayedFile, `${service.url}/`, `${service.url}/health`]) {
      const response = await fetch(url, { headers: { 'service-worker': 'script' } });
      expect(response.status).toBe(400);
      expectInert(response.headers);
    }
  });

  test.each(['/health', '/status', '/openapi', '/nowhere', '/', '/docs', '/%zz', '/api/v1/render/jobs/none'])(
    'returns %s so that it is not framed or sniffed',
    async (path) => expectInert((await fetch(service.url + path)).headers),
  );

  test('returns a start call and a status stream so that they are not framed or sniffed', async () => {
    const started = await post(`${service.url}/api/v1/render/execute`, {});
    expectInert(started.headers);
    const stream = await fetch(`${service.url}/api/v1/render/status/sse/none`);
    expectInert(stream.headers);
    await stream.body?.cancel();
  });

  test('lets the page load only its own scripts and styles', async () => {
    for (const [host, own] of [
      [new URL(service.url).host, new URL(service.url).host],
      ["a.example;script-src 'unsafe-inline'", undefined],
      ['[::1]:8080', undefined],
    ] as const) {
      const { hostname, port } = new URL(service.url);
      const response = await sendRaw(`http://${hostname}:${port}`, { method: 'GET', target: '/', host });
      const policy = response.headers.get('content-security-policy') ?? '';
      const directives = new Map(policy.split('; ').map((each) => [each.split(' ', 1)[0], each.split(' ').slice(1)]));
      expect(directives.get('worker-src')).toEqual(["'self'"]);
      for (const name of ['script-src', 'style-src']) {
        const sources = (directives.get(name) ?? []).filter((source) => !source.startsWith("'sha256-"));
        const allowed = [service.url, ...(own === undefined ? [] : [own])].map((place) => `${place}/assets/`);
        expect(sources).toEqual(allowed.map((start) => expect.stringMatching(new RegExp(`^${start}[\\w-]{16}/$`))));
      }
    }
  });
});

describe.skipIf(!hasBrowser)('a browser', { tags: ['long'] }, () => {
  test("runs no part of a file, even on the service's own page", async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${service.url}/`);
      await page.locator('main, form').first().waitFor();
      // The function is passed as text, because the tests are type-checked without browser types.
      const outcome = await page.evaluate(`(async (url) => {
        const load = (name, members) =>
          new Promise((resolve) => {
            const element = Object.assign(document.createElement(name), members);
            element.addEventListener('load', () => resolve('loaded'));
            element.addEventListener('error', () => resolve('refused'));
            document.head.append(element);
          });
        const settled = (work) => work.then(() => 'loaded', () => 'refused');
        const worker = async () => {
          const started = new Worker(url);
          await new Promise((resolve, reject) => started.addEventListener('error', reject));
        };
        return {
          script: await load('script', { src: url }),
          style: await load('link', { rel: 'stylesheet', href: url }),
          module: await settled(import(url)),
          worker: await settled(worker()),
          serviceWorker: await settled(navigator.serviceWorker.register(url)),
          ran: 'pwned' in globalThis,
        };
      })(${JSON.stringify(files.get('js'))})`);
      expect(outcome).toEqual({
        script: 'refused',
        style: 'refused',
        module: 'refused',
        worker: 'refused',
        serviceWorker: 'refused',
        ran: false,
      });
    } finally {
      await browser.close();
    }
  });

  test('displays a file on an isolated page of another site', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${otherSite}/embedder`);
      const width = await page.evaluate(`(async (src) => {
        const image = Object.assign(new Image(), { src });
        await image.decode();
        return image.naturalWidth;
      })(${JSON.stringify(files.get('png'))})`);
      expect(width).toBe(1);
    } finally {
      await browser.close();
    }
  });
});
