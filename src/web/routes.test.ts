import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createServer } from '../http/server.ts';
import { readAssets } from './assets.ts';
import { addPageRoutes } from './routes.ts';

const MAX_BYTES = 100_000;
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

test('the page is at most 100 KB compressed', async () => {
  const { app } = await serve();
  const { files } = await readAssets();
  const document = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  const sizes = [...files.values()].map(({ br }) => br.length);
  expect(sizes.reduce((sum, size) => sum + size, document.rawPayload.length)).toBeLessThanOrEqual(MAX_BYTES);
});

test('all imported modules are served under the imported names', async () => {
  const { files, importMap, entry, preloads } = await readAssets();
  expect(preloads).toContain(entry);
  expect(preloads).not.toContain(importMap.get('client-zip'));
  for (const [path, { plain }] of files) {
    if (!/\.(?:ts|js)$/.test(path)) continue;
    const code = plain.toString();
    expect(code).not.toMatch(/node:|sourceMappingURL/);
    for (const [, name = ''] of code.matchAll(/\b(?:from|import\()\s*['"]([^'"\s]+)['"]/g)) {
      const assetPath = name.startsWith('.')
        ? new URL(name, `file:///${path}`).pathname.slice(1)
        : (importMap.get(name) ?? '');
      expect(files.has(assetPath), `${path} imports ${name}`).toBe(true);
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
  const [, map = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(body) ?? [];
  const hash = createHash('sha256').update(map).digest('base64');
  const { folder } = await readAssets();
  const own = `https://api.example/millrace/${folder}/ localhost:80/millrace/${folder}/`;
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; script-src ${own} 'sha256-${hash}'; style-src ${own}; worker-src 'none'; ` +
      ['img', 'media', 'connect']
        .map((kind) => `${kind}-src 'self' https://api.example https://render.example; `)
        .join('') +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(body).not.toMatch(/\bstyle=|\bon[a-z]+=/);
  expect(body).toContain('data-open="true"');
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
  const { folder, entry, files } = await readAssets();
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
