/** @module-tag long */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { download, hasBrowser, openBrowser, submitAndWait, visit } from '../../support/browser.ts';

const service = inject('serviceUrl');

describe.skipIf(!hasBrowser)('lists on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('show search results by kind, load more, and lead to a video', async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    await submitAndWait(page, 'old bridges');
    const cards = page.locator('.card');
    await cards.first().waitFor();
    const before = await cards.count();
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => cards.count()).toBeGreaterThan(before);
    const videos = page.getByRole('button', { name: 'Videos' });
    await videos.click();
    expect(await videos.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => cards.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Channels' }).click();
    await page
      .getByText(/subscribers/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    const link = cards.locator('.name a').first();
    await link.click();
    await page
      .getByText(/^YouTube (?:video|channel|playlist)$/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });

  test('continue after a page that could not be loaded', async () => {
    const { page, close } = await visit(browser, service);
    let pages = 0;
    await page.route(/nextToken/, (route) => {
      pages += 1;
      return pages === 1 ? route.abort('connectionreset') : route.continue();
    });
    await submitAndWait(page, 'https://www.youtube.com/playlist?list=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR');
    const cards = page.locator('.card');
    await expect.poll(() => cards.count()).toBe(100);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => cards.count()).toBe(200);
    const links = await cards.locator('.name a').evaluateAll((names) => names.map((name) => name.getAttribute('href')));
    expect(new Set(links).size).toBe(links.length);
    await close();
  });

  test('show the videos, shorts and playlists of a channel, also by handle', async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/@thelab');
    await page.getByText('YouTube channel').first().waitFor();
    const cards = page.locator('.card');
    await cards.first().waitFor();
    const first = await cards.first().textContent();
    await page.getByRole('button', { name: 'Playlists' }).click();
    await expect.poll(async () => (await cards.count()) > 0 && (await cards.first().textContent())).not.toBe(first);
    expect(complaints).toEqual([]);
    await close();
  });

  test('show the account of a name on the selected platform', async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, '@thelab');
    const choices = page.getByRole('radio');
    expect(await choices.count()).toBe(3);
    expect(await choices.first().isChecked()).toBe(true);
    for (const name of ['YouTube channel', 'Instagram profile', 'TikTok profile']) {
      await page.getByRole('radio', { name }).check();
    }
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { name: 'The Lab' }).waitFor();
    await page.locator('.result').getByText('TikTok profile').waitFor();
    expect(new URL(page.url()).searchParams.get('as')).toBe('p4');
    expect(complaints).toEqual([]);
    await close();
  });

  test('show a carousel as a grid, from which a selection becomes one archive', async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.instagram.com/p/lab-caromix/');
    const all = page.getByRole('checkbox', { name: 'Select all 5' });
    const each = page.getByRole('checkbox', { name: /^Select (?:Image|Video) \d$/ });
    expect(await each.count()).toBe(5);
    await all.check();
    for (const box of await each.all()) expect(await box.isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'Select Video 2' }).uncheck();
    expect(await all.isChecked()).toBe(false);
    let broken = 0;
    await page.route('**/relay/**', (route) => {
      const first = broken === 0 && route.request().resourceType() === 'fetch';
      broken += first ? 1 : 0;
      return first ? route.abort('connectionreset') : route.continue();
    });
    const archive = await download(page, page.getByRole('button', { name: 'Download 4 as ZIP' }));
    expect(broken).toBe(1);
    expect(archive.name).toMatch(/\.zip$/);
    const listing = archive.file.toString('latin1');
    for (const name of ['01 picture.', '03 picture.', '04 video.mp4', '05 picture.']) expect(listing).toContain(name);
    expect(listing).not.toContain('02 video');
    const one = await download(page, page.getByRole('link', { name: 'Download Image 1' }));
    expect(one.file.readUInt16BE(0)).toBe(0xffd8);
    expect(complaints).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });
});
