import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  download,
  field,
  hasBrowser,
  openBrowser,
  submit,
  submitAndWait,
  visit,
  waitForResult,
} from '../../support/browser.ts';
import { inspect } from '../../support/media.ts';

const service = inject('serviceUrl');

describe.skipIf(!hasBrowser)('from a link to a file', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a pasted link is recognised, its video rendered, watched, saved, and found again after a reload', async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    await field(page).fill('Look: https://www.youtube.com/watch?v=lab-plain30 :)');
    await page.getByText('YouTube video', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show' }).click();

    const heading = page.locator('#result-title');
    await heading.waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('result-title');
    await expect.poll(() => page.evaluate("document.querySelector('.media img').naturalWidth")).toBeGreaterThan(0);
    const title = (await heading.textContent()) ?? '';
    const qualities = page.getByRole('region', { name: 'Qualities' }).getByRole('listitem');
    const labels = await qualities.allTextContents();
    expect(labels[0]).toMatch(/^\s*1080p.*MP4 · H\.264 · [\d.]+ [kM]B · with audio/s);
    expect(labels.some((text) => /144p/.test(text))).toBe(true);
    expect(labels.at(-1)).toMatch(/audio only/);

    await page.getByRole('button', { name: 'Get 720p video' }).click();
    const card = page.getByRole('region', { name: 'Your files' }).getByRole('listitem');
    await card.getByRole('heading', { name: title }).waitFor();
    const downloadLink = card.getByRole('link', { name: `Download ${title}` });
    await downloadLink.waitFor();
    const { name, file } = await download(page, downloadLink);
    expect(name).toMatch(/\.mp4$/);
    const { duration, tracks } = await inspect(file);
    expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect(Math.abs(duration - 30)).toBeLessThan(1);
    expect(await card.textContent()).toMatch(/Available for \d+\s(?:min|h).* \(until .*\)/);

    await card.getByRole('button', { name: 'Preview' }).click();
    await expect.poll(() => page.evaluate("document.querySelector('.file video')?.videoHeight")).toBe(720);

    await page.reload();
    await card.getByRole('link', { name: `Download ${title}` }).waitFor();
    await card.getByRole('button', { name: `Remove ${title} from the list` }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await heading.waitFor();
    expect(await card.count()).toBe(0);

    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });

  test('the notes of a file are shown below it, also after a reload', async () => {
    const { page, complaints, close } = await visit(browser, service);
    const note = 'The subtitle <b>of</b> input 1 was left out.';
    await page.route('**/api/v1/render/status/sse/*', async (route) => {
      const jobId = route.request().url().split('/').at(-1);
      const notes = [{ code: 'stream_left_out', message: note, input: 0 }];
      const output = { url: `${service}/files/none/a.mp4`, size: 5, sizeText: '5.00 B', key: 'k', notes };
      const failure = { error: null, error_code: null, retryable: null, input: null };
      const times = {
        created_at: new Date().toISOString(),
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      };
      const event = { job_id: jobId, status: 'done', progress: 100, output, ...failure, ...times };
      await route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(event)}\n\n` });
    });
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    await page.getByRole('button', { name: 'Get 720p video' }).click();
    const card = page.getByRole('region', { name: 'Your files' }).getByRole('listitem');
    await card.getByText(note, { exact: true }).waitFor();
    await page.reload();
    await card.getByText(note, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('the audio of a video is rendered into a separate file', async () => {
    const { page, close } = await visit(browser, service);
    await submitAndWait(page, 'xlab30');
    await page
      .getByRole('region', { name: 'Qualities' })
      .getByRole('button', { name: /audio$/ })
      .click();
    const { file } = await download(page, waitForResult(page));
    expect((await inspect(file)).tracks.map(({ kind }) => kind)).toEqual(['audio']);
    await close();
  });

  test('a complete file is saved unchanged, under its title, through the service', async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    const heading = await submitAndWait(page, 'https://www.tiktok.com/@thelab/video/7559142440960000001');
    const { name, file } = await download(page, page.getByRole('link', { name: /^Download/ }).first());
    expect(name.slice(0, 8)).toBe((await heading.textContent())?.slice(0, 8));
    expect((await inspect(file)).tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });

  test('a query has a URL, and the back button returns to the previous one', async () => {
    const { page, close } = await visit(browser, service);
    const heading = await submitAndWait(page, 'lab-min-002');
    const first = await heading.textContent();
    await submit(page, 'https://www.dailymotion.com/video/xlab30');
    await page.getByText('Dailymotion video').first().waitFor();
    await expect.poll(() => heading.textContent()).not.toBe(first);
    await page.goBack();
    await expect.poll(() => heading.textContent()).toBe(first);
    expect(await field(page).inputValue()).toBe('lab-min-002');
    await close();
  });
});
