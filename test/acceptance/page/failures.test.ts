/** @module-tag long */

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  accessibilityFaults,
  download,
  field,
  files,
  getFirst,
  getQuality,
  hasBrowser,
  openBrowser,
  submit,
  submitAndWait,
  visit,
  waitForResult,
} from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { inspect } from '../../support/media.ts';
import { type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** Submits a link, renders its first video, and waits until the render has failed. */
async function failedCard(page: Page, link: string): Promise<Locator> {
  await submitAndWait(page, link);
  await getFirst(page);
  const card = files(page).getByRole('listitem');
  await card.getByRole('alert').waitFor();
  return card;
}

/** Has the status streams of the page report that the job has failed. */
async function failJobsWith(page: Page, failure: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route('**/api/v1/render/status/sse/*', async (route) => {
    const times = { created_at: new Date().toISOString(), expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    const job_id = route.request().url().split('/').at(-1);
    const event = { job_id, status: 'failed', progress: 5, output: null, input: 0, ...failure, ...times };
    await route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(event)}\n\n` });
  });
}

/** For a page that shows progress for long: drawing its motion takes as much time as the rest of a test. */
const still = { reducedMotion: 'reduce' } as const;

type Settings = Readonly<Record<string, string>>;
const wide: Settings = { EGRESS_PROXIES: `fr=http://fr:password@${new URL(lab).host}` };
/** A visitor may send one request in thirty seconds. */
const narrow: Settings = { WEB_RATE: '2/1' };

describe.skipIf(!hasBrowser)('the page after an error', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let port: string;
  /** The service of the tests that need their own, and its settings. */
  let current: { readonly service: RunningProcess; readonly settings: Settings } | undefined;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder();
    port = String(await freePort());
  });
  afterAll(async () => {
    await browser.close();
    await current?.service.kill();
    await folder.delete();
  });

  /** Starts a service for the tests that need their own, or returns it if it runs with these settings. */
  async function startOwn(settings: Settings): Promise<RunningProcess> {
    if (current?.settings === settings) return current.service;
    await current?.service.kill();
    current = { service: await startService(lab, folder.path, { PORT: port, ...settings }), settings };
    return current.service;
  }

  test.each([
    ['a removed video', 'https://youtu.be/lab-removed', 'This video was removed', false],
    ['a removed video by its ID', 'lab-removed', 'This video was removed', false],
    ['a private video', 'https://youtu.be/lab-private', 'This is private', false],
    ['an age gate', 'https://youtu.be/lab-agegate', 'Age-restricted', false],
    ['a sign-in wall', 'https://youtu.be/lab-sign-in', 'Sign-in required', false],
    ['a refusal by the platform', 'lab-http429', 'The site refused the request', true],
  ] as const)('explains %s', async (_what, text, title, retryable) => {
    const { page, close } = await visit(browser, service);
    await submit(page, text);
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: title, exact: true }).waitFor();
    expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(retryable ? 1 : 0);
    await close();
  });

  test('keeps what the service reported below a disclosure, from which it can be copied', async () => {
    const { page, complaints, close } = await visit(browser, service, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await submit(page, 'lab-removed');
    const alert = page.getByRole('alert');
    await alert.getByText('YouTube says: “Video unavailable. This video has been removed by the uploader.”').waitFor();
    const code = alert.getByText('not_found', { exact: true });
    expect(await code.isVisible()).toBe(false);
    await alert.getByText('Details', { exact: true }).click();
    await code.waitFor();
    await alert.getByRole('button', { name: 'Copy details' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /Error code: not_found\nRequest ID: [0-9a-f-]{36}/,
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    // Some words look like an ID.
    await alert.getByRole('link', { name: 'Search YouTube for “lab-removed”' }).click();
    await page.getByRole('heading', { name: 'lab-removed' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('says which sites work for a link of another site, typed, pasted or in the address', async () => {
    const { page, complaints, close } = await visit(browser, service);
    // A test that submitted a link before the heading has the focus would lose it to the heading.
    const unknown = page.locator('#error-title:focus', { hasText: 'This site is not supported' });
    await submit(page, 'vimeo.com/76979871');
    await unknown.waitFor();
    await page.getByText('Millrace cannot download anything from vimeo.com.').waitFor();
    await page.getByText('dailymotion.com/video/…').waitFor();
    expect(await field(page).inputValue()).toBe('vimeo.com/76979871');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await unknown.waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Paste a link. Get the file.' }).waitFor();

    await page.evaluate(`document.activeElement?.blur();
      const data = new DataTransfer();
      data.setData('text/plain', 'https://vimeo.com/1');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));`);
    await unknown.waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('https://vimeo.com/1');
    await submit(page, 'https://www.youtube.com/feed/subscriptions');
    await page.getByRole('heading', { name: 'There is nothing to download at this YouTube link' }).waitFor();
    expect(await page.getByText('dailymotion.com/video/…').count()).toBe(0);
    await page.goto(`${service}/?url=${encodeURIComponent('https://vimeo.com/2')}`);
    await unknown.waitFor();
    await submitAndWait(page, 'lab-min-002');
    expect(await page.getByRole('heading', { name: 'This site is not supported' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('marks a live stream, and offers nothing that would fail', async () => {
    const { page, close } = await visit(browser, service, { timezoneId: 'Europe/Berlin' });
    await submitAndWait(page, 'https://youtu.be/lab-live-on');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'This stream is live' }).waitFor();
    expect(await page.getByRole('button', { name: /Get|Download/ }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('heading', { name: 'This stream is live' }).waitFor();

    await submit(page, 'https://youtu.be/lab-live-up');
    await page.getByRole('heading', { name: /^Starts \w+, \w+ \d+ at \d+:\d\d [AP]M GMT\+[12]$/ }).waitFor();
    await submitAndWait(page, 'https://www.dailymotion.com/video/xlablive');
    await page.getByRole('heading', { name: 'This stream is live' }).waitFor();
    await close();
  });

  test('shows the shape of the result, and a way out while a platform is slow', async () => {
    const { page, close } = await visit(browser, service, still);
    await page.clock.install();
    await page.route('**/v3/**', () => undefined);
    await submit(page, 'https://youtu.be/lab-plain30');
    await page.getByText('Loading from YouTube…').first().waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel' });
    expect(await cancel.count()).toBe(0);
    await page.clock.fastForward(8_100);
    await page.getByText('YouTube is slow to respond.').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await cancel.click();
    await page.getByRole('heading', { name: 'Paste a link. Get the file.' }).waitFor();
    await close();
  });

  test('names the countries of a locked video, and looks it up from one', async () => {
    const own = await startOwn(wide);
    const { page, close } = await visit(browser, own.url);
    await submit(page, 'https://youtu.be/lab-geo-fr1');
    await page.getByRole('heading', { name: 'Not available in this country' }).waitFor();
    await page.getByText('Available in: Belgium and France.').waitFor();
    const country = page.getByLabel('Look up in');
    await country.selectOption('Belgium');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('This service can send requests only from: France.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await country.selectOption('France');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.locator('#result-title').waitFor();
    expect(new URL(page.url()).searchParams.get('country')).toBe('FR');
    await page.reload();
    await page.locator('#result-title').waitFor();
    await page.getByText('Country France').click();
    expect(await country.inputValue()).toBe('FR');
    await close();
  });

  test('gives the reason why a job cannot succeed, and does not offer a retry', async () => {
    const { page, close } = await visit(browser, service);
    await failJobsWith(page, { error: 'Input 0 cannot be read.', error_code: 'input_unreadable', retryable: false });
    const card = await failedCard(page, 'https://www.youtube.com/watch?v=lab-plain30');
    expect(await card.getByRole('alert').textContent()).toMatch(/The media is damaged/);
    expect(await card.getByRole('group').textContent()).toMatch(/Input 0 cannot be read\..*input_unreadable/);
    expect(await card.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await card.getByRole('link', { name: 'Render again' }).count()).toBe(1);
    await close();
  });

  test('gives the reason of a temporary failure, and offers a retry', async () => {
    const { page, close } = await visit(browser, service, still);
    const card = await failedCard(page, 'https://www.youtube.com/watch?v=lab-med-503');
    expect(await card.getByRole('alert').textContent()).toMatch(/The site is not responding/);
    expect(await card.getByRole('group').textContent()).toMatch(/503/);
    // The job fails again immediately, so its progress may disappear before the test can look.
    const started = page.waitForResponse((response) => response.url().includes('/api/v1/render/execute'));
    await card.getByRole('button', { name: 'Try again' }).click();
    expect((await started).status()).toBe(202);
    await card.getByRole('alert').waitFor();
    await close();
  });

  test('cancels an unwanted job by keyboard, announces it, and starts it again', async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-med-slo');
    const title = await page.locator('#result-title').textContent();
    await getQuality(page, '360p');
    const card = files(page).getByRole('listitem');
    const cancel = card.getByRole('button', { name: `Cancel ${title}` });
    await card.getByText('Fetching').waitFor();
    await cancel.focus();
    await page.keyboard.press('Enter');
    await card.getByText('Cancelled. No files were kept.').waitFor();
    await page.getByRole('status').getByText(`${title}: Cancelled`, { exact: true }).waitFor();
    expect(await cancel.count()).toBe(0);
    await expect
      .poll(() => page.evaluate('document.activeElement?.textContent'))
      .toBe(await card.getByRole('heading').textContent());
    expect(await card.getByRole('alert').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.reload();
    await card.getByText('Cancelled. No files were kept.').waitFor();
    await card.getByRole('button', { name: 'Start again' }).click();
    await card.getByText('Fetching').waitFor();
    await cancel.click();
    await card.getByText('Cancelled. No files were kept.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('reports a job that cannot be cancelled, and continues it', async () => {
    const { page, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-med-slo');
    await getQuality(page, '360p');
    const card = files(page).getByRole('listitem');
    await card.getByText('Fetching').waitFor();
    await page.route('**/api/v1/render/execute?*', (route) => route.abort());
    await card.getByRole('button', { name: /^Cancel / }).click();
    await card.getByRole('alert').getByText('The render could not be cancelled').waitFor();
    await page.unroute('**/api/v1/render/execute?*');
    await card.getByRole('button', { name: /^Cancel / }).click();
    await card.getByText('Cancelled. No files were kept.').waitFor();
    await close();
  });

  test('reports a lost connection, and continues when it is back', async () => {
    const { page, close } = await visit(browser, service);
    await page.context().setOffline(true);
    await submit(page, 'lab-min-002');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('#result-title').waitFor();
    await close();
  });

  test('shows progress and the file again after the service restarts during a job', async () => {
    const before = await startOwn(wide);
    const { page, close } = await visit(browser, before.url, still);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-med-slo');
    await getQuality(page, '360p');
    const card = files(page).getByRole('listitem');
    await card.getByText('Fetching').waitFor();
    await before.stop();
    await card.getByText('Reconnecting…').waitFor();
    // Only extractions and new jobs count against the rate.
    await startOwn(narrow);
    const { file } = await download(page, waitForResult(page));
    expect((await inspect(file)).tracks).toHaveLength(2);
    await close();
  });

  test('tells a visitor who sends too many requests when to come back', async () => {
    const own = await startOwn(narrow);
    const { page, close } = await visit(browser, own.url);
    await submitAndWait(page, 'lab-min-002');
    await submit(page, 'lab-plain30');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(
      /Too many requests.*Try again in \d+ sec.*more than 2 requests a minute/s,
    );
    await close();
  });
});
