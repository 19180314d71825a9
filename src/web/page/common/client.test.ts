import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

test("the page's requests carry its headers to its own origin only, and follow no redirect", async () => {
  const requests: [url: string, init: RequestInit][] = [];
  // As in all tests of the page: the files of one process load the client once.
  vi.stubGlobal('location', new URL('https://page.example/'));
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    requests.push([String(url), init]);
    return Response.json({ error: null, metadata: {} });
  });
  const { client, freshClient } = await import('./client.ts');
  await client.extract('p1', 'video/details', { videoId: 'a' });
  await freshClient.extract('p1', 'video/details', { videoId: 'a' });
  await client.renders.start('https://render.example/api/v1/render/execute?order=a').catch(() => undefined);
  const [own, fresh, other] = requests.map(([url, { redirect, headers }]) => ({
    origin: new URL(url).origin,
    redirect,
    headers: Object.fromEntries(new Headers(headers)),
  }));
  expect(own).toEqual({
    origin: 'https://page.example',
    redirect: 'error',
    headers: { 'x-millrace-page': '1' },
  });
  expect(fresh?.headers).toEqual({ 'x-millrace-page': '1', 'cache-control': 'no-cache' });
  expect(other).toEqual({ origin: 'https://render.example', redirect: undefined, headers: {} });
});
