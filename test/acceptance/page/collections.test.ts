/** @module-tag long */

import { readFile } from 'node:fs/promises';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  accessibilityFaults,
  field,
  hasBrowser,
  horizontalOverflow,
  openBrowser,
  paste,
  submitAndWait,
  visit,
} from '../../support/browser.ts';

const service = inject('serviceUrl');

/** A playlist of eleven short entries, of which one is private. */
const playlist = 'https://www.youtube.com/playlist?list=PLWRjEoDaDVmPviMPAcrS8dXGhvkRjcnJR';
const links = ['lab-min-002', 'lab-plain30', 'lab-old-30s', 'lab-a-short', 'lab-60fps-1'].map(
  (id) => `https://www.youtube.com/watch?v=${id}`,
);
/** Starts of renders. */
const starts = /\/render\/execute/;
/** Renders take long on a busy machine. */
const untilRendered = { timeout: 540_000 };
/** Status streams of renders. */
const statusStreams = /\/render\/[^?]*(?:sse|events)/;

/** Collects the downloads of a page. */
function collectDownloads(page: Page): Download[] {
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  return downloads;
}

const queueOf = (page: Page) => page.getByRole('region', { name: /[Dd]ownload/ });
/** Returns the checkbox of the first link. Its name changes once the title of the link is known. */
const firstBox = (page: Page) => page.locator('.card').first().getByRole('checkbox');
const headingOf = (page: Page) => page.locator('#queue-title').textContent();

describe.skipIf(!hasBrowser)('collections on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a playlist of ten is downloaded with one click', async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    const downloads = collectDownloads(page);
    await submitAndWait(page, playlist);
    await page.getByRole('button', { name: 'Download all 10 videos' }).click();
    await expect.poll(() => headingOf(page)).toMatch(/^Downloading 10 items/);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('queue-title');
    expect(await page.title()).toMatch(/\d\/10 · /);
    await expect.poll(() => headingOf(page), untilRendered).toBe('All 10 downloads finished');
    await expect.poll(() => downloads.length).toBe(10);
    const names = downloads.map((download) => download.suggestedFilename());
    expect(new Set(names).size).toBe(10);
    for (const name of names) expect(name).toMatch(/\.mp4$/);
    const file = await readFile((await downloads[0]?.path()) ?? '');
    expect(file.toString('latin1', 4, 8)).toBe('ftyp');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });

  test('a queue can be paused, survives a reload, and continues', async () => {
    const { page, complaints, close } = await visit(browser, service);
    page.on('dialog', (dialog) => dialog.accept());
    const downloads = collectDownloads(page);
    const paused = Promise.withResolvers<void>();
    // No render ends before the click, so that three of them run.
    await page.route(statusStreams, async (route) => {
      await paused.promise;
      await route.continue();
    });
    await paste(page, links.join('\n'));
    await page.getByRole('heading', { name: '5 links' }).waitFor();
    await page.locator('.card .author').first().waitFor();
    await page.getByRole('button', { name: 'Download all 5 items' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => headingOf(page)).toBe('Downloads paused');
    paused.resolve();
    await expect.poll(() => queueOf(page).getByText('Finished').count(), untilRendered).toBe(3);
    expect(await queueOf(page).getByText('Waiting').count()).toBe(2);
    await expect.poll(() => downloads.length).toBe(3);
    await page.reload();
    await expect.poll(() => headingOf(page)).toBe('Downloads paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => headingOf(page), untilRendered).toBe('All 5 downloads finished');
    await expect.poll(() => downloads.length).toBe(5);
    await page.getByRole('button', { name: 'Clear list' }).click();
    await expect.poll(() => queueOf(page).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a queue attaches after a reload to the render that was running', async () => {
    const { page, complaints, close } = await visit(browser, service);
    page.on('dialog', (dialog) => dialog.accept());
    const downloads = collectDownloads(page);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (starts.test(request.url()) || request.url().includes('/v3/')) requests.push(request.url());
    });
    const started = () => requests.filter((url) => starts.test(url));
    let streams = 0;
    // One event arrives; then the status is silent until the render is started again.
    await page.route(statusStreams, (route) => {
      streams += 1;
      if (started().length > 1) return route.continue();
      if (streams > 1) return;
      const event = { job_id: 'job', status: 'processing', progress: 40, output: null, error: null, input: null };
      return route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(event)}\n\n` });
    });
    await submitAndWait(page, links.slice(2, 4).join(' '));
    await firstBox(page).check();
    await page.getByRole('button', { name: 'Download 1 item' }).click();
    await queueOf(page).getByText('40%').waitFor();
    const first = started();
    expect(first).toHaveLength(1);
    // Without the query, no result is requested after the reload.
    await page.evaluate("history.replaceState(null, '', '/')");
    const before = requests.length;
    await page.reload();
    await expect.poll(() => headingOf(page), untilRendered).toBe('1 download finished');
    await expect.poll(() => downloads.length).toBe(1);
    expect(requests.slice(before)).toEqual(first);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a stopped queue cancels its renders, and runs again on request', async () => {
    const { page, close } = await visit(browser, service);
    const methods: string[] = [];
    page.on('request', (request) => {
      if (starts.test(request.url())) methods.push(request.method());
    });
    // The status is silent until the render is started again.
    await page.route(statusStreams, (route) => (methods.includes('DELETE') ? route.continue() : undefined));
    await submitAndWait(page, [links[4], links[0]].join(' '));
    await firstBox(page).check();
    await page.getByRole('button', { name: 'Download 1 item' }).click();
    await expect.poll(() => methods.length).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => headingOf(page)).toBe('Downloads stopped');
    await expect.poll(() => methods.includes('DELETE')).toBe(true);
    await page.getByRole('button', { name: 'Retry 1 item' }).click();
    await expect.poll(() => headingOf(page), untilRendered).toBe('1 download finished');
    await close();
  });

  test('a queue waits for a busy service, says why an item failed, and tries it again', async () => {
    const { page, close } = await visit(browser, service);
    let calls = 0;
    await page.route(starts, (route) => {
      calls += 1;
      const [status, code] = calls === 1 ? [429, 'rate_limited'] : [410, 'unavailable'];
      if (calls > 2) return route.continue();
      const error = { code, message: 'Not now.', statusCode: status, retryable: true };
      return route.fulfill({ status, headers: { 'retry-after': '1' }, json: { error } });
    });
    await submitAndWait(page, links.slice(0, 2).join(' '));
    await firstBox(page).check();
    await page.getByRole('button', { name: 'Download 1 item' }).click();
    await page.getByText('The service is busy.').waitFor();
    await expect.poll(() => headingOf(page)).toBe('1 download failed');
    await queueOf(page).getByText('Not now.').waitFor();
    await page.getByRole('button', { name: 'Retry 1 item' }).click();
    await expect.poll(() => headingOf(page), untilRendered).toBe('1 download finished');
    expect(calls).toBe(3);
    await close();
  });

  test('several links become one archive, also if they share a title, without the link that fails', async () => {
    const { page, complaints, close } = await visit(browser, service);
    const downloads = collectDownloads(page);
    const ids = ['lab-named-1', 'lab-named-2', 'lab-removed'];
    await field(page).fill(ids.map((id) => `https://www.youtube.com/watch?v=${id}`).join(' '));
    await field(page).press('Enter');
    await page.locator('.card .why').waitFor();
    await page.getByLabel('Save as').selectOption('One ZIP file');
    await page.getByRole('button', { name: 'Download all 2 items' }).click();
    await expect.poll(() => downloads.length).toBe(1);
    expect(downloads[0]?.suggestedFilename()).toBe('Pasted links.zip');
    const listing = await readFile((await downloads[0]?.path()) ?? '');
    const title = 'Café \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f1eb}\u{1f1f7} می\u200cخواهم क्\u200dष';
    for (const number of [1, 2]) expect(listing.includes(`${number} ${title}.mp4`)).toBe(true);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await close();
  });

  test('a profile lists its posts, from which a range is selected; another says that it cannot', async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.instagram.com/thelab/');
    const boxes = page.locator('.card').getByRole('checkbox');
    await boxes.nth(1).check();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Download 4 items' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all 12' }).check();
    await page.getByRole('button', { name: 'Download 12 items' }).waitFor();
    await submitAndWait(page, 'https://www.tiktok.com/@thelab');
    await page.getByText('TikTok does not list the posts of this profile').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('a long list is loaded as a whole before all of it is selected', async () => {
    const { page, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/playlist?list=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR');
    await page.getByRole('button', { name: 'Select all 250' }).click();
    await page.getByRole('button', { name: 'Download 249 videos' }).waitFor();
    await close();
  });
});
