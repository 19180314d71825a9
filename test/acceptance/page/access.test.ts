import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { accessibilityFaults, hasBrowser, openBrowser, visit } from '../../support/browser.ts';
import { extract } from '../../support/http-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');
const path = '/p1/v3/video/details?videoId=lab-min-002';

describe('the key of the page', () => {
  test('is nobody else’s: a request counts as the page’s only if the browser says where it came from', async () => {
    const ask = async (headers: Record<string, string>) => (await fetch(service + path, { headers })).status;
    expect(await ask({ 'x-millrace-page': '1' })).toBe(401);
    expect(await ask({ 'x-millrace-page': '1', 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await ask({ 'x-millrace-page': '1', 'sec-fetch-site': 'same-site' })).toBe(401);
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(401);
  });

  test('stays with the service, and its links lead through it', async () => {
    const headers = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${service}${path}&renderableFormats=lowres`, { headers });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toContain('test-mega-key');
    const { contents, metadata } = JSON.parse(text);
    expect(metadata.thumbnailUrl).toMatch(/\/relay\//);
    for (const { url } of contents[0].videos) expect(url).toMatch(/\/relay\//);
    // Callers with a key of their own get what they always got.
    expect(
      (await extract<{ metadata: { thumbnailUrl: string } }>(service + path)).body.metadata.thumbnailUrl,
    ).not.toMatch(/\/relay\//);
  });
});

describe.skipIf(!hasBrowser)('the page', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let closed: RunningProcess;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder();
    closed = await startService(lab, folder.path, { WEB_KEY: '' });
  });
  afterAll(async () => {
    await browser.close();
    await closed.stop();
    await folder.delete();
  });

  test('cannot be spoken for by a page of another site', async () => {
    const { page, close } = await visit(browser, lab);
    const status = await page.evaluate(
      async (url) => (await fetch(url, { headers: { 'x-millrace-page': '1' } })).status,
      service + path,
    );
    expect(status).toBe(401);
    await close();
  });

  test('says how to switch it on where it is off; the platforms’ health is shown all the same', async () => {
    const { page, complaints, close } = await visit(browser, closed.url);
    await page.getByRole('heading', { name: 'This page is not switched on' }).waitFor();
    expect(await page.getByText('WEB_KEY').count()).toBeGreaterThan(0);
    await page.getByText('YouTube').waitFor();
    await page.getByText('not asked lately').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'The API, with examples' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(complaints).toEqual([]);
    await close();
  });
});
