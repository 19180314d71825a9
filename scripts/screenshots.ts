import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { field, getFirst, openBrowser, submitAndWait, visit, waitForResult } from '../test/support/browser.ts';
import { startLab, startService, temporaryFolder } from '../test/support/processes.ts';

/** Takes the screenshots for the documentation, of the real page against the lab. */

const images = fileURLToPath(new URL('../docs/images/', import.meta.url));
const MAX_BYTES = 150_000;
/** High enough that text has no visible artefacts. */
const QUALITY = 88;
const TALL = { width: 1200, height: 860 };
const PHONE = { width: 390, height: 844 };

interface Shot {
  readonly name: string;
  readonly viewport: typeof TALL;
  readonly colorScheme: 'light' | 'dark';
  readonly prepare: (page: Page) => Promise<void>;
}

async function showHome(page: Page): Promise<void> {
  await field(page).waitFor();
  await page.getByRole('link', { name: 'Operational' }).waitFor();
}

async function showVideo(page: Page): Promise<void> {
  await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
  await getFirst(page);
  await waitForResult(page).waitFor();
  await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-feature');
  await waitForPictures(page);
  await page.evaluate('scrollTo(0, 0)');
}

async function showClip(page: Page): Promise<void> {
  await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-feature');
  await page.getByText('Cut a clip').click();
  await page.getByRole('textbox', { name: 'Start' }).fill('0:10');
  await page.getByRole('textbox', { name: 'End' }).fill('0:25');
  await page.keyboard.press('Enter');
  await waitForPictures(page);
  await page.evaluate('scrollTo(0, 0)');
}

async function showSearch(page: Page): Promise<void> {
  await submitAndWait(page, 'weekend ideas');
  await page.locator('.card').first().waitFor();
  await waitForPictures(page);
}

async function showPlaylist(page: Page): Promise<void> {
  await submitAndWait(page, 'https://www.youtube.com/playlist?list=PLlab-ten-videos');
  await page.getByRole('button', { name: /^Download all 10/ }).click();
  await page
    .getByText(/[3-9] of 10|All 10/)
    .first()
    .waitFor();
  await waitForPictures(page);
  await page.evaluate('scrollTo(0, 0)');
}

async function showCarousel(page: Page): Promise<void> {
  await submitAndWait(page, 'https://www.instagram.com/p/lab-caroten/');
  await page.getByRole('checkbox', { name: /^Select .* 1$/ }).check();
  await page.getByRole('checkbox', { name: /^Select .* 3$/ }).check();
  await waitForPictures(page);
  await page.evaluate('scrollTo(0, 0)');
}

/** Waits until the visible images are loaded. */
async function waitForPictures(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
}

const shots: readonly Shot[] = [
  { name: 'page-home', viewport: TALL, colorScheme: 'light', prepare: showHome },
  { name: 'page', viewport: TALL, colorScheme: 'light', prepare: showVideo },
  { name: 'page-playlist', viewport: TALL, colorScheme: 'light', prepare: showPlaylist },
  { name: 'page-search', viewport: TALL, colorScheme: 'light', prepare: showSearch },
  { name: 'page-carousel', viewport: TALL, colorScheme: 'dark', prepare: showCarousel },
  { name: 'page-dark', viewport: TALL, colorScheme: 'dark', prepare: showClip },
  { name: 'page-phone', viewport: PHONE, colorScheme: 'light', prepare: showVideo },
];

const folder = await temporaryFolder();
const lab = await startLab();
const service = await startService(lab.url, folder.path);
const browser = await openBrowser();
try {
  await mkdir(images, { recursive: true });
  for (const { name, viewport, colorScheme, prepare } of shots) {
    const { page, close } = await visit(browser, service.url, { viewport, colorScheme, reducedMotion: 'reduce' });
    await prepare(page);
    const path = `${images}${name}.jpg`;
    await page.screenshot({ path, type: 'jpeg', quality: QUALITY });
    const { size } = await stat(path);
    process.stdout.write(`${path}: ${size} bytes\n`);
    if (size > MAX_BYTES) throw new Error(`${name}.jpg is larger than ${MAX_BYTES} bytes`);
    await close();
  }
} finally {
  await browser.close();
  await service.stop();
  await lab.stop();
  await folder.delete();
}
