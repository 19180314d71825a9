// What another origin can do to the page, and what the page sends there: nothing, whatever a response or a window says.
/** @module-tag long */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { download, getFirst, hasBrowser, openBrowser, submit, submitAndWait, visit } from '../support/browser.ts';
import { openPageProxy, type PageProxy } from '../support/page-proxy.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { readZip } from '../support/zip.ts';

/** Another origin, which allows every origin to send it everything. It records what it receives. */
let received: string[] = [];
const other = createServer(({ method, url = '', headers }, response) => {
  if (url === '/opener') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Opener</title>');
    return;
  }
  received.push(`${method} ${url} ${JSON.stringify(headers)}`);
  response.writeHead(200, {
    'access-control-allow-origin': headers.origin ?? '*',
    'access-control-allow-headers': 'x-millrace-page, x-marketplace-key, x-marketplace-host, cache-control, range',
    'access-control-allow-credentials': 'true',
    'content-type': 'application/json',
  });
  response.end('{}');
});

describe.skipIf(!hasBrowser)('another origin', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let proxy: PageProxy;
  let service: RunningProcess;
  let otherOrigin = '';
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder();
    proxy = await openPageProxy();
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const address = proxy.url.replace(/\/$/, '');
    service = await startService(inject('labUrl'), folder.path, { BASE_URL: address, RENDER_URL: address });
    proxy.forwardTo(service.url);
  });
  beforeEach(() => {
    received = [];
    proxy.intercept = undefined;
  });
  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await service.stop();
    await folder.delete();
    other.close();
    other.closeAllConnections();
  });

  /** Redirects the requests whose path begins so. Returns how many there were. */
  function redirect(path: string, status: number, mode?: string): () => number {
    let count = 0;
    proxy.intercept = ({ url = '', headers }, response) => {
      if (!url.startsWith(path) || (mode !== undefined && headers['sec-fetch-mode'] !== mode)) return false;
      count += 1;
      response.writeHead(status, { location: otherOrigin + url, 'access-control-allow-origin': '*' }).end();
      return true;
    };
    return () => count;
  }

  const link = 'https://www.youtube.com/watch?v=lab-plain30';
  const lookUp = (page: Page) => submit(page, link);
  const startRender = async (page: Page) => {
    await submitAndWait(page, link);
    await getFirst(page);
  };

  test.each<[string, (page: Page) => Promise<void>]>([
    ['/p1/v3/', lookUp],
    ['/status', async () => undefined],
    ['/relay/', lookUp],
    ['/api/v1/render/execute', startRender],
    ['/api/v1/render/status/', startRender],
  ])('receives nothing if the service redirects %s to it', async (path, act) => {
    for (const status of [302, 307]) {
      const redirected = redirect(path, status);
      const { page, close } = await visit(browser, proxy.url);
      await act(page);
      await expect.poll(redirected).toBeGreaterThan(0);
      // A later request has a response, so the browser has also handled the redirect.
      await page.evaluate("fetch('./health')");
      await close();
      expect(received).toEqual([]);
    }
  });

  test.each([
    ['/', 'the document', 'cors'],
    ['/assets/', 'its files', 'cors'],
    ['/service-worker.js', 'its script', 'same-origin'],
  ])('receives nothing from the service worker if %s (%s) is redirected to it', async (path, _what, mode) => {
    const redirected = redirect(path, 307, mode);
    const { page, close } = await visit(browser, proxy.url, { serviceWorkers: 'allow' });
    await expect.poll(redirected).toBeGreaterThan(0);
    const isIdle = `navigator.serviceWorker.getRegistration().then((found) => found?.installing == null)`;
    await expect.poll(() => page.evaluate(isIdle)).toBe(true);
    expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull();
    await close();
    expect(received).toEqual([]);
  });

  test('receives no key that the API reference sends to this service', async () => {
    const redirected = redirect('/p1/v3/', 307);
    const { page, close } = await visit(browser, `${proxy.url}docs`);
    const outcome = await page.evaluate(`fetch('./p1/v3/video/details?videoId=lab', {
      headers: { 'X-Marketplace-Key': 'a-secret-key' },
    }).then(() => 'followed', () => 'refused')`);
    expect([outcome, redirected()]).toEqual(['refused', 1]);
    await close();
    expect(received).toEqual([]);
  });

  test.each(['', 'docs', 'about'])('opens no window with /%s that it can reach, and frames none', async (path) => {
    const { page, close } = await visit(browser, `${otherOrigin}/opener`);
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`globalThis.handle = open(${JSON.stringify(proxy.url + path)})`),
    ]);
    await opened.locator('main').last().waitFor();
    expect(await opened.evaluate('opener')).toBeNull();
    expect(await page.evaluate('handle.closed')).toBe(true);
    await page.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(proxy.url + path)} });
      frame.addEventListener('load', resolve);
      document.body.append(frame);
    })`);
    expect(page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await close();
  });

  test.each(['', 'docs', 'about'])('is not listened to by /%s', async (path) => {
    const { page, close } = await visit(browser, proxy.url + path);
    await page.locator('main').last().waitFor();
    const session = await page.context().newCDPSession(page);
    for (const expression of ['window', 'document', 'navigator.serviceWorker']) {
      const { result } = await session.send('Runtime.evaluate', { expression });
      const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' });
      expect(listeners.filter(({ type }) => type.startsWith('message'))).toEqual([]);
    }
    const worker = await (await fetch(`${proxy.url}service-worker.js`)).text();
    expect(worker).not.toMatch(/message|postMessage|BroadcastChannel|importScripts|'push'|"push"/);
    await close();
  });
});

describe.skipIf(!hasBrowser)('an archive of the page', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let proxy: PageProxy;
  let service: RunningProcess;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder();
    proxy = await openPageProxy();
    service = await startService(inject('labUrl'), folder.path, { BASE_URL: proxy.url.replace(/\/$/, '') });
    proxy.forwardTo(service.url);
  });
  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await service.stop();
    await folder.delete();
  });

  beforeEach(() => {
    proxy.intercept = undefined;
  });

  const post = 'https://www.instagram.com/p/lab-caromix/';

  test('is whole', async () => {
    const { page, close } = await visit(browser, proxy.url);
    await submitAndWait(page, post);
    const { file } = await download(page, page.getByRole('button', { name: 'Download 5 as ZIP' }));
    const entries = readZip(file);
    expect(entries.map(({ name }) => name.slice(0, 3))).toEqual(['01 ', '02 ', '03 ', '04 ', '05 ']);
    for (const { bytes } of entries) expect(bytes.length).toBeGreaterThan(1_000);
    await close();
  });

  test('is whole if responses state neither a length nor chunks', async () => {
    let requests = 0;
    proxy.intercept = ({ url = '', headers: sent }, response) => {
      if (!url.startsWith('/relay/') || sent['sec-fetch-dest'] !== 'empty') return false;
      requests += 1;
      const headers = sent.range === undefined ? {} : { 'content-range': 'bytes */10' };
      response.useChunkedEncodingByDefault = false;
      response.writeHead(sent.range === undefined ? 200 : 416, headers);
      response.end(sent.range === undefined ? 'some bytes' : '');
      return true;
    };
    const { page, close } = await visit(browser, proxy.url);
    await submitAndWait(page, post);
    const { file } = await download(page, page.getByRole('button', { name: 'Download 5 as ZIP' }));
    expect(readZip(file).map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(Array(5).fill('some bytes'));
    expect(requests).toBe(10);
    await close();
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['ends before the length that its response states', { 'content-length': '100000' }],
    ['ends before 5 GiB', { 'content-length': String(5 * 1024 ** 3) }],
    ['ends within a chunk', { 'transfer-encoding': 'chunked' }],
    ['ends, and its response states neither a length nor chunks', {}],
    ['ends, and the length that its response states is not a number', { 'content-length': 'many' }],
  ])('is not saved if a file %s', async (_how, headers) => {
    const seen = new Set<string>();
    proxy.intercept = ({ url = '', headers: sent }, response) => {
      if (!url.startsWith('/relay/') || sent['sec-fetch-dest'] !== 'empty') return false;
      // It cannot be resumed, either.
      if (seen.has(url)) response.writeHead(410).end();
      else {
        seen.add(url);
        response.useChunkedEncodingByDefault = false;
        response.writeHead(200, { 'content-type': 'image/jpeg', ...headers });
        response.write('some bytes', () => response.socket?.end());
      }
      return true;
    };
    const { page, close } = await visit(browser, proxy.url);
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await submitAndWait(page, post);
    await page.getByRole('button', { name: 'Download 5 as ZIP' }).click();
    await page.getByText('Image 1 could not be downloaded.').first().waitFor();
    expect(downloads).toBe(0);
    await close();
  });
});
