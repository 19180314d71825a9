import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  accessibilityFaults,
  download,
  hasBrowser,
  openBrowser,
  submit,
  submitAndWait,
  visit,
} from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { inspect } from '../../support/media.ts';
import { type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** Submits a link, renders its first video, and waits until the render has failed. */
async function failedCard(page: Page, link: string): Promise<Locator> {
  await submitAndWait(page, link);
  await page
    .getByRole('button', { name: /^Get .* video$/ })
    .first()
    .click();
  const card = page.getByRole('region', { name: 'Your files' }).getByRole('listitem');
  await card.getByText('Failed.').waitFor();
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
const wide: Settings = {};
/** A visitor may send one request in ten seconds. */
const narrow: Settings = { WEB_RATE: '6/1' };

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
    ['a removed video', 'https://youtu.be/lab-removed', /Not (?:found|available)/, false],
    [
      'a sign-in wall',
      'https://www.instagram.com/p/lab-loginpg/',
      /Sign-in required|Not available|refused the request/,
      undefined,
    ],
    ['a refusal by the platform', 'lab-http429', /refused the request/, true],
  ] as const)('explains %s', async (_what, text, title, retryable) => {
    const { page, close } = await visit(browser, service);
    await submit(page, text);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.getByRole('heading').textContent()).toMatch(title);
    if (retryable !== undefined) {
      expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(retryable ? 1 : 0);
    }
    await close();
  });

  test('reports a text that is not a link of a platform before sending it', async () => {
    const { page, close } = await visit(browser, service);
    await submit(page, 'https://example.com/video');
    await page.getByText('This is not a link to a supported platform.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await close();
  });

  test('gives the reason why a job cannot succeed, and does not offer a retry', async () => {
    const { page, close } = await visit(browser, service);
    await failJobsWith(page, { error: 'Input 0 cannot be read.', error_code: 'input_unreadable', retryable: false });
    const card = await failedCard(page, 'https://www.youtube.com/watch?v=lab-plain30');
    expect(await card.getByRole('alert').textContent()).toMatch(/cannot be read/);
    expect(await card.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await card.getByRole('link', { name: 'Render again' }).count()).toBe(1);
    await close();
  });

  test('gives the reason of a temporary failure, and offers a retry', async () => {
    const { page, close } = await visit(browser, service, still);
    const card = await failedCard(page, 'https://www.youtube.com/watch?v=lab-med-503');
    expect(await card.getByRole('alert').textContent()).toMatch(/503/);
    // The job fails again immediately, so its progress may disappear before the test can look.
    const started = page.waitForResponse((response) => response.url().includes('/api/v1/render/execute'));
    await card.getByRole('button', { name: 'Try again' }).click();
    expect((await started).status()).toBe(202);
    await card.getByText('Failed.').waitFor();
    await close();
  });

  test('cancels an unwanted job by keyboard, announces it, and starts it again', async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-med-slo');
    const title = await page.locator('#result-title').textContent();
    await page.getByRole('button', { name: 'Get 360p video' }).click();
    const card = page.getByRole('region', { name: 'Your files' }).getByRole('listitem');
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
    await page.getByRole('button', { name: 'Get 360p video' }).click();
    const card = page.getByRole('region', { name: 'Your files' }).getByRole('listitem');
    await card.getByText('Fetching').waitFor();
    await page.route('**/api/v1/render/execute?*', (route) => route.abort());
    await card.getByRole('button', { name: /^Cancel / }).click();
    await card.getByRole('alert').getByText('The render could not be cancelled.').waitFor();
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

  test('shows progress and the file again after the service restarts during a job', {
    timeout: 180_000,
  }, async () => {
    const before = await startOwn(wide);
    const { page, close } = await visit(browser, before.url, still);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-med-slo');
    await page.getByRole('button', { name: 'Get 360p video' }).click();
    const card = page.getByRole('region', { name: 'Your files' }).getByRole('listitem');
    await card.getByText('Fetching').waitFor();
    await before.stop();
    await card.getByText('Reconnecting…').waitFor();
    // Only extractions and new jobs count against the rate.
    await startOwn(narrow);
    const { file } = await download(page, card.getByRole('link', { name: /^Download/ }));
    expect((await inspect(file)).tracks).toHaveLength(2);
    await close();
  });

  test('tells a visitor who sends too many requests when to come back', { timeout: 180_000 }, async () => {
    const own = await startOwn(narrow);
    const { page, close } = await visit(browser, own.url);
    await submitAndWait(page, 'lab-min-002');
    await submit(page, 'lab-plain30');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/Too many requests.*more than 6 requests a minute.*Try again in \d+ s/s);
    await close();
  });
});
