/** @module-tag long */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createServer } from '../http/server.ts';
import { readPageAssets, readReferenceAssets } from './assets.ts';
import { addPageRoutes } from './routes.ts';

const MAX_FIRST_VIEW_BYTES = 90_000;
const MAX_REFERENCE_BYTES = 1_500_000;

/** The members of a manifest that name its icons. */
interface Manifest {
  readonly icons: readonly {
    readonly src: string;
    readonly sizes: string;
    readonly type: string;
    readonly purpose?: string;
  }[];
}

/** Returns the size of a PNG image as a manifest states it, from its first chunk (https://www.w3.org/TR/png-3/#11IHDR). */
function pngSize(file: Buffer | undefined): string | undefined {
  return file && `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`;
}

const addresses = () => ({
  base: 'https://api.example/millrace',
  api: 'https://api.example/millrace',
  render: 'https://render.example',
});

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(isOpen = true, store?: string) {
  const app = await createServer(pino({ level: 'silent' }));
  const state = { isOpen };
  const storeOrigin = store === undefined ? undefined : () => Promise.resolve(store);
  const account = { isOpen: () => Promise.resolve(state.isOpen) };
  addPageRoutes(app, { account, addresses, storeOrigin, about: { operator: {}, terms: {}, retention: [] } });
  closers.push(() => app.close());
  return { app, state };
}

test('the first view is less than 90 KB compressed', async () => {
  const { app } = await serve();
  const { files, preloads } = await readPageAssets();
  const document = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  const sizes = [...preloads, 'page.css', 'icon.svg'].map((path) => files.get(path)?.br.length ?? Number.NaN);
  expect(sizes.reduce((sum, size) => sum + size, document.rawPayload.length)).toBeLessThan(MAX_FIRST_VIEW_BYTES);
});

test('the API reference is at most 1.5 MB compressed in either coding, and is not a part of the page', async () => {
  const { app } = await serve();
  const { files, folder } = await readReferenceAssets();
  for (const coding of ['br', 'gzip'] as const) {
    const sizes = [...files.values()].map((file) => file[coding].length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_REFERENCE_BYTES);
  }
  const page = await readPageAssets();
  expect([...page.files.keys()]).not.toContain('scalar.js');
  for (const url of ['/', '/about', '/service-worker.js']) expect((await app.inject(url)).body).not.toContain(folder);
  const { body } = await app.inject('/docs');
  for (const path of files.keys()) expect(body).toContain(`./${folder}/${path}`);
});

test('every imported script is served, and those that are loaded on demand are not preloaded', async () => {
  const { files, scripts, entry, preloads } = await readPageAssets();
  expect(preloads).toContain(entry);
  expect(preloads.length).toBeLessThan(scripts.length);
  for (const path of scripts) {
    const code = String(files.get(path)?.plain);
    expect(code).not.toMatch(/node:|sourceMappingURL/);
    for (const [, name = ''] of code.matchAll(/\b(?:from|import\(?)\s*['"`](\.[^'"`\s]+)['"`]/g)) {
      const importedPath = new URL(name, `file:///${path}`).pathname.slice(1);
      expect(scripts, `${path} imports ${name}`).toContain(importedPath);
    }
  }
});

test("the licences of the page's packages are served", async () => {
  const { app } = await serve();
  const { body } = await app.inject('/');
  const [, link = ''] = /<link rel="license" href="\.(.*?)">/.exec(body) ?? [];
  const { statusCode, headers, body: text } = await app.inject(link);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  for (const words of [/^preact\n/m, /^htm\n/m, /^client-zip\n/m, /Permission is hereby granted/, /Apache License/]) {
    expect(text).toMatch(words);
  }
});

test("the document may load only its own assets, only from the service's addresses", async () => {
  const { app } = await serve();
  const { statusCode, headers, body } = await app.inject('/');
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
  const { folder } = await readPageAssets();
  const own = `https://api.example/millrace/${folder}/ localhost:80/millrace/${folder}/`;
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; script-src ${own}; style-src ${own}; worker-src 'self'; manifest-src 'self'; ` +
      ['img', 'media', 'connect']
        .map((kind) => `${kind}-src 'self' https://api.example https://render.example; `)
        .join('') +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(body).not.toMatch(/\bstyle=|\bon[a-z]+=/);
  expect(body).toContain('data-open="true"');
});

test('the document and the manifest name icons of the stated sizes, and the colours of the page', async () => {
  const { app } = await serve();
  const { body: document } = await app.inject('/');
  const { statusCode, headers, body } = await app.inject('/manifest.webmanifest');
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/manifest+json; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const manifest: Manifest = JSON.parse(body);
  const [, touchIcon = ''] = /<link rel="apple-touch-icon" href="(.*?)">/.exec(document) ?? [];
  const icons = [...manifest.icons, { src: touchIcon, sizes: '180x180', type: 'image/png' }];
  const { folder, files } = await readPageAssets();
  for (const { src, sizes, type } of icons) {
    const file = files.get(src.replace(`./${folder}/`, ''));
    expect(file?.type, src).toBe(type);
    if (type === 'image/png') expect(pngSize(file?.plain), src).toBe(sizes);
  }
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['any', undefined],
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
    ['180x180', undefined],
  ]);
  const style = files.get('page.css')?.plain.toString();
  const [, light = '', dark = ''] = /--deep: light-dark\((.*?), (.*?)\)/.exec(style ?? '') ?? [];
  expect(document).toContain(`<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)">`);
  expect(document).toContain(`<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`);
  expect(manifest).toMatchObject({ theme_color: light, background_color: light });
  expect(document).toContain(`<meta property="og:image" content="https://api.example/millrace/${folder}/icons/`);
});

test('the manifest opens shared links with the page, and works below any path', async () => {
  const { app } = await serve();
  const { body } = await app.inject('/manifest.webmanifest');
  expect(JSON.parse(body)).toMatchObject({
    start_url: './',
    scope: './',
    display: 'standalone',
    share_target: { action: './', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
  });
  expect(body).not.toMatch(/"(?:\/|https?:)/);
});

test('the service worker changes with the document, keeps all scripts, and may load only the files of the page', async () => {
  const { app, state } = await serve();
  const worker = await app.inject('/service-worker.js');
  expect(worker.statusCode).toBe(200);
  expect(worker.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
  expect(worker.headers).not.toHaveProperty('service-worker-allowed');
  const [, shell = ''] = /^const shell = (.*);$/m.exec(worker.body) ?? [];
  const { version, folder, files } = JSON.parse(shell);
  const assets = await readPageAssets();
  expect(folder).toBe(assets.folder);
  expect(files).toEqual([...assets.scripts, 'page.css', 'icon.svg']);
  state.isOpen = false;
  expect((await app.inject('/service-worker.js')).body).not.toContain(version);
});

test('the policy allows media from an external store', async () => {
  const { app } = await serve(true, 'https://store.example');
  const policy = String((await app.inject('/')).headers['content-security-policy']);
  expect(policy).toContain("media-src 'self' https://api.example https://render.example https://store.example;");
  expect(policy.match(/store\.example/g)).toHaveLength(1);
});

test('the document states whether the page is on, and its ETag changes with it', async () => {
  const { app, state } = await serve(false);
  const off = await app.inject('/');
  expect(off.body).toContain('data-open="false"');
  const again = await app.inject({ url: '/', headers: { 'if-none-match': String(off.headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  state.isOpen = true;
  const on = await app.inject({ url: '/', headers: { 'if-none-match': String(off.headers.etag) } });
  expect([on.statusCode, on.body.includes('data-open="true"')]).toEqual([200, true]);
});

test('assets may be cached for ever and are served in the smallest coding that the browser accepts', async () => {
  const { app } = await serve();
  const { folder, entry, files } = await readPageAssets();
  const plain = files.get(entry)?.plain;
  const get = async (acceptEncoding?: string) => {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
    return app.inject({ url: `/${folder}/${entry}`, headers });
  };
  const [none, gzip, br] = [await get(), await get('gzip, deflate'), await get('gzip, br;q=0.9')];
  expect(none.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  expect([none, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
  expect((await get('br;q=0, gzip;q=0.0')).headers['content-encoding']).toBeUndefined();
  expect(none.rawPayload).toEqual(plain);
  expect(gunzipSync(gzip.rawPayload)).toEqual(plain);
  expect(brotliDecompressSync(br.rawPayload)).toEqual(plain);
});

test.each(['/assets/other/web/page/main.ts', '/assets/x/../../package.json', '/assets/x/%2e%2e/config.ts'])(
  'nothing else is served: %s',
  async (url) => {
    const { app } = await serve();
    expect((await app.inject(url)).statusCode).toBe(404);
  },
);
