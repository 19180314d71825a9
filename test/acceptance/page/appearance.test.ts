/** @module-tag long */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  accessibilityFaults,
  download,
  field,
  getFirst,
  getQuality,
  hasBrowser,
  horizontalOverflow,
  openBrowser,
  submit,
  submitAndWait,
  visit,
  waitForResult,
} from '../../support/browser.ts';

const service = inject('serviceUrl');

/** States of the page, and how to reach them. */
const sights: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the start page': async (page) => {
    await field(page).waitFor();
  },
  'a video with a finished file': async (page) => {
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    await getQuality(page, '360p');
    await waitForResult(page).waitFor();
    await page.getByText('All source streams').click();
  },
  'the tools of a video': async (page) => {
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-dubbed1');
    // The tools are loaded on demand.
    await page.locator('.tools summary').first().waitFor();
    for (const summary of await page.locator('.tools summary').all()) await summary.click();
    await page.getByRole('slider', { name: 'Start' }).press('ArrowRight');
    await page.getByRole('textbox', { name: 'Date' }).fill('soon');
    await page.getByText('Enter a date').waitFor();
  },
  'the QR code of a video': async (page) => {
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-min-002');
    await page.getByText('Share', { exact: true }).click();
    await page.getByRole('button', { name: 'Send to phone' }).click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
  },
  'a carousel': async (page) => {
    await submitAndWait(page, 'https://www.instagram.com/p/lab-caromix/');
    await page.getByRole('checkbox', { name: 'Select all 5' }).check();
  },
  'an ID of several platforms': async (page) => {
    await field(page).fill('dQw4w9WgXcQ');
    await page.getByRole('radio', { name: 'Instagram post' }).waitFor();
  },
  'search results': async (page) => {
    await submitAndWait(page, 'old bridges');
    await page.locator('.card').first().waitFor();
  },
  'a channel': async (page) => {
    await submitAndWait(page, 'https://www.youtube.com/@thelab');
    await page.locator('.card').first().waitFor();
  },
  'an error': async (page) => {
    await submit(page, 'lab-http429');
    await page.getByRole('alert').waitFor();
  },
  'what the operator tells about the service': async (page) => {
    await page.getByRole('link', { name: 'About' }).click();
    await page.getByRole('heading', { name: 'What the service keeps' }).waitFor();
  },
};

describe.skipIf(!hasBrowser)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each(Object.keys(sights))('shows %s accessibly: light, dark, and 320 pixels wide', async (sight) => {
    const { page, close } = await visit(browser, service);
    await sights[sight]?.(page);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await accessibilityFaults(page), 'light').toEqual([]);
    // The other rules do not depend on colours.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await accessibilityFaults(page, ['color-contrast', 'link-in-text-block']), 'dark').toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await accessibilityFaults(page), 'narrow').toEqual([]);
    await close();
  });

  test('applies and remembers the selected theme', async () => {
    const { page, close } = await visit(browser, service, { colorScheme: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByLabel('Theme').selectOption('dark');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await field(page).waitFor();
    expect(await ground()).toBe(dark);
    await close();
  });

  test('appears in the language of the browser, and changes it without losing the result', async () => {
    const { page, complaints, close } = await visit(browser, service, { locale: 'de-DE' });
    const language = () => page.evaluate('document.documentElement.lang');
    await page.getByRole('heading', { name: 'Link einfügen. Datei erhalten.' }).waitFor();
    expect(await language()).toBe('de');
    await page.getByRole('textbox').fill('https://youtu.be/lab-min-002 https://youtu.be/lab-plain30');
    await page.getByRole('textbox').press('Enter');
    await page.getByRole('heading', { name: '2 Links' }).waitFor();
    const box = page.getByRole('checkbox').last();
    await box.check();
    await page.getByLabel('Sprache').selectOption('fr');
    await page.getByRole('heading', { name: '2 liens' }).waitFor();
    expect(await box.isChecked()).toBe(true);
    await expect.poll(() => page.title()).toBe('2 liens · Millrace');
    expect(await language()).toBe('fr');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: '2 liens' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('shows long words in narrow windows', async () => {
    const { page, close } = await visit(browser, service, { locale: 'de', viewport: { width: 320, height: 640 } });
    await page.getByRole('heading', { name: 'Unterstützte Websites' }).waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    await page.getByRole('textbox').fill('https://www.youtube.com/watch?v=lab-dubbed1');
    await page.getByRole('textbox').press('Enter');
    await page.getByRole('button', { name: 'Bestes Video' }).click();
    await page.getByRole('link', { name: 'Erneut speichern' }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.getByRole('textbox', { name: 'Kommentar' }).waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    await close();
  });

  test('appears in English while its language cannot be loaded', async () => {
    const context = await browser.newContext({ locale: 'de' });
    const page = await context.newPage();
    await page.route(/german/, (route) => route.abort());
    await page.goto(service);
    await field(page).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.unroute(/german/);
    await page.reload();
    await page.getByLabel('Sprache').waitFor();
    await context.close();
  });

  test('works by keyboard only, from the field to the file', async () => {
    const { page, close } = await visit(browser, service);
    const focused = () => page.evaluate('document.activeElement.outerHTML + document.activeElement.textContent');
    const tabTo = async (what: RegExp) => {
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press('Tab');
        const now = String(await focused());
        if (what.test(now)) return;
      }
      throw new Error(`no way by Tab to ${what}`);
    };
    await field(page).waitFor();
    await expect.poll(focused).toContain('id="paste"');
    await page.keyboard.type('https://youtu.be/lab-min-002');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('result-title');
    await tabTo(/^<button.*Best video/s);
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    const saved = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('id="file-');
    expect((await saved).suggestedFilename()).toMatch(/\.mp4$/);
    await waitForResult(page).waitFor();
    await tabTo(/^<a class="button".*Save again/s);
    const [again] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(again.suggestedFilename()).toMatch(/\.mp4$/);
    await close();
  });

  test('lets a visitor who is typing the next link keep the focus, and announces the result', async () => {
    const { page, close } = await visit(browser, service);
    const released = Promise.withResolvers<void>();
    await page.route('**/p1/v3/**', async (route) => {
      await released.promise;
      await route.continue();
    });
    await submit(page, 'lab-min-002');
    await page.locator('.coming').waitFor();
    await field(page).press('End');
    await page.keyboard.type(' and more');
    // As when the visitor looks at another window: the field reports it, but remains the active element.
    await field(page).dispatchEvent('focusout');
    released.resolve();
    const title = await page.locator('#result-title').textContent();
    await expect.poll(() => page.locator('#page > [role=status]').textContent()).toBe(title);
    expect(await page.evaluate('document.activeElement.id')).toBe('paste');
    expect(await field(page).inputValue()).toBe('lab-min-002 and more');
    // Once the link is complete, its result gets the focus.
    await submitAndWait(page, 'lab-plain30');
    // A field that disappears while the visitor types into it holds no focus.
    await page.getByText('Tags', { exact: true }).click();
    await page.getByLabel('Artist').fill('Someone');
    await page.goBack();
    await page.locator('#result-title:focus', { hasText: title ?? '' }).waitFor();
    await close();
  });

  test('announces changes to screen readers', async () => {
    const { page, close } = await visit(browser, service);
    const status = page.locator('#page > [role=status]');
    await submitAndWait(page, 'lab-min-002');
    await getFirst(page);
    await expect.poll(() => status.textContent()).toMatch(/: Ready$/);
    await download(page, waitForResult(page));
    await close();
  });
});
