/** @module-tag long */

import type { Browser, Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  accessibilityFaults,
  download,
  files,
  getQuality,
  hasBrowser,
  openBrowser,
  submitAndWait,
  visit,
  waitForResult,
} from '../../support/browser.ts';
import type { Item, Result } from '../../support/envelope.ts';
import { inspect } from '../../support/media.ts';

const service = inject('serviceUrl');
const link = 'https://www.youtube.com/watch?v=lab-plain30';

/** Whether a request is an extraction that does not accept cached results. */
const isFresh = (request: Request) => request.headers()['cache-control'] === 'no-cache';

/** Lists the extractions of the page: whether each was a fresh one. */
function watchExtractions(page: Page): boolean[] {
  const extractions: boolean[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/p1/v3/')) extractions.push(isFresh(request));
  });
  return extractions;
}

/** Has the first job of the page fail, or the first few. */
async function failJobs(page: Page, failure: Readonly<Record<string, unknown>>, times = 1): Promise<void> {
  let left = times;
  await page.route('**/api/v1/render/status/sse/*', async (route) => {
    if (left === 0) return route.continue();
    left -= 1;
    const job_id = route.request().url().split('/').at(-1);
    const created_at = new Date().toISOString();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const event = { job_id, status: 'failed', progress: 5, output: null, input: 0, ...failure, created_at, expires_at };
    return route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(event)}\n\n` });
  });
}

const refused = { error: 'Input 0: the server returned 403.', error_code: 'source_refused', retryable: false };

async function failedCard(page: Page): Promise<Locator> {
  await submitAndWait(page, link);
  await getQuality(page, '360p');
  const card = files(page).getByRole('listitem');
  await card.getByRole('alert').waitFor();
  return card;
}

/** Has cached results state that their media links have expired. Returns how many fresh results were requested. */
async function expireCachedLinks(page: Page, changeUrl: (url: string) => string): Promise<{ fresh: number }> {
  const requests = { fresh: 0 };
  await page.route(/\/p[14]\/v3\//, async (route) => {
    if (isFresh(route.request())) {
      requests.fresh += 1;
      return route.continue();
    }
    // Requests of the browser carry this header, which shows that they come from the page.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    const body = (await response.json()) as Result;
    const expire = (item: Item) => ({
      ...item,
      url: changeUrl(item.url),
      metadata: { ...item.metadata, expires_at: new Date(Date.now() - 1_000).toISOString() },
    });
    const contents = body.contents?.map(({ videos = [], audios = [], ...others }) => ({
      ...others,
      videos: videos.map(expire),
      audios: audios.map(expire),
    }));
    return route.fulfill({ response, json: { ...body, contents } });
  });
  return requests;
}

describe.skipIf(!hasBrowser)('a page whose links no longer work', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('requests a fresh link by itself when a failed render is tried again', async () => {
    const { page, complaints, close } = await visit(browser, service);
    const extractions = watchExtractions(page);
    await failJobs(page, refused);
    const card = await failedCard(page);
    const before = extractions.length;
    await page.route('**/p1/v3/video/details?*', async (route) => {
      await card.getByRole('button', { name: /Requesting a new link/ }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await route.continue();
    });
    const started = page.waitForRequest(/\/api\/v1\/render\/execute/);
    await card.getByRole('button', { name: 'Try again' }).click();
    await started;
    expect(extractions.slice(before)).toEqual([true]);
    const { file } = await download(page, waitForResult(page));
    const { tracks } = await inspect(file);
    expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect(await card.count()).toBe(1);
    expect(await card.textContent()).toContain('360p');
    expect(complaints).toEqual([]);
    await close();
  });

  test('repeats the query of a render that was saved before a reload', async () => {
    const { page, close } = await visit(browser, service);
    await failJobs(page, refused);
    const card = await failedCard(page);
    await page.goto(service);
    const extractions = watchExtractions(page);
    await card.getByRole('button', { name: 'Try again' }).click();
    await waitForResult(page).waitFor();
    expect(extractions).toEqual([true]);
    await close();
  });

  test('starts the same job again if the failure was not caused by its links', async () => {
    const { page, close } = await visit(browser, service);
    await failJobs(page, { error: 'The file could not be stored.', error_code: 'storage_failed', retryable: true });
    const card = await failedCard(page);
    const extractions = watchExtractions(page);
    await card.getByRole('button', { name: 'Try again' }).click();
    await waitForResult(page).waitFor();
    expect(extractions).toEqual([]);
    await close();
  });

  test('shows why no fresh link can be requested, and keeps the render', async () => {
    const { page, close } = await visit(browser, service);
    await failJobs(page, refused);
    const card = await failedCard(page);
    await page.route('**/p1/v3/video/details?*', (route) =>
      route.fulfill({
        json: {
          error: { code: 'not_found', message: 'The video is gone.', statusCode: 404, retryable: false },
          metadata: {},
        },
      }),
    );
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText('Nothing found at this link').waitFor();
    expect(await card.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await close();
  });

  test('downloads files through fresh links when theirs have expired, with one request for all', async () => {
    const { page, complaints, close } = await visit(browser, service);
    const requests = await expireCachedLinks(page, (url) => url);
    await submitAndWait(page, link);
    await page.getByText('All source streams').click();
    const links = page.getByRole('table').getByRole('link', { name: /^Download/ });
    const first = await download(page, links.nth(0));
    const second = await download(page, links.nth(1));
    for (const { file } of [first, second]) expect((await inspect(file)).tracks).toHaveLength(1);
    expect(requests.fresh).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test('shows why an expired link cannot be replaced', async () => {
    const { page, close } = await visit(browser, service);
    await expireCachedLinks(page, (url) => url);
    await submitAndWait(page, link);
    await page.route('**/p1/v3/video/details?*', (route) => route.abort());
    await page.getByText('All source streams').click();
    await page
      .getByRole('table')
      .getByRole('link', { name: /^Download/ })
      .first()
      .click();
    const reason = page.getByRole('table').getByText(/^The link has expired\. Millrace is not responding/);
    await reason.waitFor();
    // The reason must not run out of the page, where nobody sees its end.
    const { x = 0, width = 0 } = (await reason.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await close();
  });

  test('plays a preview through a fresh link when its link has expired', async () => {
    const { page, close } = await visit(browser, service);
    await page.route('**/expired/*', (route) => route.fulfill({ status: 410, body: '' }));
    const requests = await expireCachedLinks(page, () => `${service}/expired/video.mp4`);
    await submitAndWait(page, 'https://www.tiktok.com/@thelab/video/7559142440960000001');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect.poll(() => page.evaluate("document.querySelector('.media video')?.videoHeight")).toBeGreaterThan(0);
    expect(requests.fresh).toBe(1);
    await close();
  });
});
