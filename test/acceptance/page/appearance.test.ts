import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  accessibilityFaults,
  download,
  field,
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
    await page.getByRole('button', { name: 'Get 360p video' }).click();
    await waitForResult(page).waitFor();
    await page.getByText('All source streams').click();
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
    await tabTo(/^<button.*Get\s*\d+p video/s);
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('id="file-');
    await waitForResult(page).waitFor();
    await tabTo(/^<a class="button".*Download/s);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/\.mp4$/);
    await close();
  });

  test('announces changes to screen readers', async () => {
    const { page, close } = await visit(browser, service);
    const status = page.locator('#page > [role=status]');
    await submitAndWait(page, 'lab-min-002');
    await page
      .getByRole('button', { name: /^Get .* video$/ })
      .last()
      .click();
    await expect.poll(() => status.textContent()).toMatch(/: Ready$/);
    await download(page, waitForResult(page));
    await close();
  });
});
