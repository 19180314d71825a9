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

/** What the page is brought to show. */
const sights: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'nothing yet': async (page) => {
    await field(page).waitFor();
  },
  'a video with a finished file': async (page) => {
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    await page.getByRole('button', { name: 'Get 360p video' }).click();
    await waitForResult(page).waitFor();
    await page.getByText('Every stream, as the platform has it').click();
  },
  'a carousel': async (page) => {
    await submitAndWait(page, 'https://www.instagram.com/p/lab-caromix/');
    await page.getByRole('checkbox', { name: 'Select all 5' }).check();
  },
  'an id of several platforms': async (page) => {
    await field(page).fill('dQw4w9WgXcQ');
    await page.getByRole('radio', { name: 'Instagram post' }).waitFor();
  },
  'found videos': async (page) => {
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
};

describe.skipIf(!hasBrowser)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each(Object.keys(sights))('shows %s to everybody: light, dark, and 320 pixels wide', async (sight) => {
    const { page, close } = await visit(browser, service);
    await sights[sight]?.(page);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await accessibilityFaults(page), 'light').toEqual([]);
    // The other rules do not depend on the colours.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await accessibilityFaults(page, ['color-contrast', 'link-in-text-block']), 'dark').toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await accessibilityFaults(page), 'narrow').toEqual([]);
    await close();
  });

  test('takes the colours that are chosen, and keeps them', async () => {
    const { page, close } = await visit(browser, service, { colorScheme: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByLabel('Colours').selectOption('dark');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await field(page).waitFor();
    expect(await ground()).toBe(dark);
    await close();
  });

  test('is used by keyboard alone, from the field to the file', async () => {
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

  test('tells screen readers what happens', async () => {
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
