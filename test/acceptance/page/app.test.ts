/** @module-tag long */

import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { accessibilityFaults, field, hasBrowser, openBrowser, submitAndWait, visit } from '../../support/browser.ts';
import { openPageProxy, type PageProxy } from '../../support/page-proxy.ts';
import { type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';

const options = { serviceWorkers: 'allow' } as const;

/** Waits until the service worker of the page has its files and controls the page. */
async function untilControlled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
}

describe.skipIf(!hasBrowser)('the page as an app, below a path', () => {
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

  test('opens without a network after the first visit, and reports that it is offline', async () => {
    const { page, complaints, close } = await visit(browser, proxy.url, options);
    await untilControlled(page);
    expect(complaints).toEqual([]);
    proxy.isOffline = true;
    try {
      await page.goto(`${proxy.url}?q=dQw4w9WgXcQ`);
      await page.context().setOffline(true);
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
      expect(await field(page).inputValue()).toBe('dQw4w9WgXcQ');
      expect(await accessibilityFaults(page)).toEqual([]);
    } finally {
      proxy.isOffline = false;
    }
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText('You are offline.').count()).toBe(0);
    await close();
  });

  test('takes the document from the network, its scripts from the worker, and all else past the worker', async () => {
    const { page, complaints, close } = await visit(browser, proxy.url, options);
    await untilControlled(page);
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.reload();
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    await expect.poll(() => page.evaluate("document.querySelector('.media img').naturalWidth")).toBeGreaterThan(0);
    for (const path of ['files/none/a.mp4', 'docs', 'about', 'health', 'api/v1/render/jobs/none']) {
      await page.evaluate(`fetch(${JSON.stringify(proxy.url + path)})`);
    }
    const paths = (fromWorker: boolean) =>
      responses
        .filter((response) => response.url().startsWith(proxy.url) && response.fromServiceWorker() === fromWorker)
        .map((response) => response.url().slice(proxy.url.length).split(/[/?]/, 1)[0]);
    expect(new Set(paths(true))).toEqual(new Set(['', 'assets']));
    const others = ['p1', 'relay', 'status', 'files', 'docs', 'about', 'health', 'api'];
    expect(new Set(paths(false))).toEqual(new Set(others));
    // The lab has no such file and job.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await close();
  });

  test('is replaced by a new version without breaking an open page', async () => {
    const { page, close } = await visit(browser, proxy.url, options);
    await untilControlled(page);
    const cacheNames = (visited: Page) => visited.evaluate<string[]>('caches.keys()');
    const [oldCache, ...more] = await cacheNames(page);
    expect(more).toEqual([]);
    proxy.isNewVersion = true;
    try {
      const newPage = await page.context().newPage();
      await newPage.goto(proxy.url);
      await field(newPage).waitFor();
      expect(await newPage.locator('link[rel=stylesheet]').getAttribute('href')).toMatch(/-2\/page\.css$/);
      const isWaiting = 'navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)';
      await expect.poll(() => newPage.evaluate(isWaiting)).toBe(true);
      // The old page loads a script on demand that the service no longer has.
      const onDemand = `caches.open(${JSON.stringify(oldCache)})
        .then((cache) => cache.keys())
        .then((requests) => requests.map(({ url }) => url).find((url) => url.includes('/parts/client-zip')))`;
      const script = String(await page.evaluate(onDemand));
      expect((await fetch(script)).status).toBe(404);
      expect(await page.evaluate(`import(${JSON.stringify(script)}).then((module) => typeof module)`)).toBe('object');
      await page.close();
      // The last page of the old version is left for one that is not the page's.
      await newPage.goto(new URL('/elsewhere', proxy.url).href);
      const hasWaiting = `navigator.serviceWorker.getRegistration(${JSON.stringify(proxy.url)})
        .then(({ waiting, active }) => waiting !== null || active.state !== 'activated')`;
      await expect.poll(() => newPage.evaluate(hasWaiting)).toBe(false);
      await newPage.goto(proxy.url);
      await untilControlled(newPage);
      await expect.poll(() => cacheNames(newPage)).toEqual([expect.not.stringContaining(String(oldCache))]);
    } finally {
      proxy.isNewVersion = false;
    }
    await close();
  });

  test('can be installed', async () => {
    const { page, close } = await visit(browser, proxy.url, options);
    await untilControlled(page);
    const session = await page.context().newCDPSession(page);
    const manifest = await session.send('Page.getAppManifest');
    expect(manifest.url).toBe(`${proxy.url}manifest.webmanifest`);
    expect(manifest.errors).toEqual([]);
    const { icons } = JSON.parse(manifest.data ?? '{}');
    for (const { src } of icons) expect((await fetch(new URL(src, manifest.url))).status, src).toBe(200);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A private window cannot install anything.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    await close();
  });

  test.each([
    '?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dlab-plain30',
    '?title=Film&text=Look%3A%20https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dlab-plain30%20!',
  ])('looks up a shared link and renders nothing: %s', async (search) => {
    const starts: string[] = [];
    const { page, complaints, close } = await visit(browser, 'about:blank', options);
    page.on('request', (request) => {
      if (request.url().includes('/render/execute')) starts.push(request.url());
    });
    await page.goto(proxy.url + search);
    await page.locator('#result-title').waitFor();
    await page.waitForLoadState('networkidle');
    expect(starts).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
