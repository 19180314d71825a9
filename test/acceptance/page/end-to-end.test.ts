import { parseBuffer } from 'music-metadata';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  download,
  field,
  files,
  getFirst,
  getQuality,
  hasBrowser,
  openBrowser,
  paste,
  readDownload,
  submit,
  submitAndWait,
  visit,
} from '../../support/browser.ts';
import { inspect } from '../../support/media.ts';

const service = inject('serviceUrl');

describe.skipIf(!hasBrowser)('from a link to a file', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('one paste and one click put the file on disk', { tags: ['long'] }, async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    await paste(page, 'Look: https://www.youtube.com/watch?v=lab-plain30 :)');
    const heading = page.locator('#result-title');
    await heading.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('result-title');
    await expect.poll(() => page.evaluate("document.querySelector('.media img').naturalWidth")).toBeGreaterThan(0);
    const title = (await heading.textContent()) ?? '';

    const best = page.getByRole('button', { name: /^Best video/ });
    expect(await best.textContent()).toMatch(/1080p · MP4 · [\d.]+\s[kM]B/);
    const saved = page.waitForEvent('download');
    await best.click();
    const file = await readDownload(await saved);
    expect(file.name).toMatch(/\.mp4$/);
    const { duration, tracks } = await inspect(file.file);
    expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect(Math.abs(duration - 30)).toBeLessThan(1);

    const card = files(page).getByRole('listitem');
    await card.getByText('Saved', { exact: true }).waitFor();
    expect(await card.textContent()).toMatch(/Available for \d+\s(?:min|hr).* \(until .*\)/);

    // The file is found again after a reload, and is not saved again without a click.
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await page.reload();
    const { name } = await download(page, card.getByRole('link', { name: `Download ${title}` }));
    expect(name).toBe(file.name);
    expect(downloads).toBe(1);
    await card.getByRole('button', { name: `Remove ${title} from the list` }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await heading.waitFor();
    expect(await card.count()).toBe(0);

    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });

  test('the last choice leads for the next item, and all qualities are listed below', { tags: ['long'] }, async () => {
    const { page, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    const leaders = page.getByRole('region', { name: 'Downloads', exact: true }).locator('.leader strong');
    expect(await leaders.allTextContents()).toEqual(['Best video', 'Audio']);
    await getQuality(page, '720p');
    const rows = await page.locator('.rows li').allTextContents();
    expect(rows[0]).toMatch(/^\s*1080p\s*MP4 · H\.264 · [\d.]+\s[kM]B/);
    expect(rows.some((text) => /144p/.test(text))).toBe(true);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-min-002');
    await page.goto(`${service}/?q=lab-plain30`);
    await expect.poll(() => leaders.allTextContents()).toEqual(['720p video', 'Best video', 'Audio']);
    await close();
  });

  test('a finished file waits for a click if saving by itself is turned off', { tags: ['long'] }, async () => {
    const { page, close } = await visit(browser, service);
    await page.evaluate("localStorage.setItem('millrace.save-by-itself', 'no')");
    await page.goto(`${service}/?q=https://www.youtube.com/watch?v=lab-plain30`);
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await page.locator('#result-title').waitFor();
    await getQuality(page, '144p');
    const link = files(page).getByRole('link', { name: /^Download/ });
    await link.waitFor();
    expect(downloads).toBe(0);
    await page.getByLabel('Save files as soon as they are ready').check();
    await download(page, link);
    await close();
  });

  test('on a phone, the button can be reached without scrolling, and shows the progress of its file', {
    tags: ['long'],
  }, async () => {
    const { page, close } = await visit(browser, service, {
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    });
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-med-slo');
    const best = page.getByRole('region', { name: 'Downloads', exact: true }).locator('.leader.primary');
    const { y = 0, height = 0 } = (await best.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(844);
    const saved = page.waitForEvent('download');
    await best.click();
    await best.getByText(/^Fetching · \d+%$/).waitFor();
    // A click of the test may scroll, but the button must stay in view: the focus does not move to the list below.
    const { y: shownAt = -1 } = (await best.boundingBox()) ?? {};
    expect(shownAt).toBeGreaterThanOrEqual(0);
    expect(shownAt).toBeLessThan(844);
    expect(await page.title()).toMatch(/^\d+% · /);
    await saved;
    await best.getByText('Saved', { exact: true }).waitFor();
    await close();
  });

  test('a link dropped anywhere on the page is looked up at once', { tags: ['long'] }, async () => {
    const { page, close } = await visit(browser, service);
    await field(page).waitFor();
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', 'https://youtu.be/lab-min-002');
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    }`);
    await page.locator('#result-title').waitFor();
    await close();
  });

  test('the notes of a file are shown below it, also after a reload', { tags: ['long'] }, async () => {
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
    await getQuality(page, '720p');
    const card = files(page).getByRole('listitem');
    await card.getByText(note, { exact: true }).waitFor();
    await page.reload();
    await card.getByText(note, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('the audio of a video becomes an MP3', { tags: ['long'] }, async () => {
    const { page, close } = await visit(browser, service);
    await submitAndWait(page, 'xlab30');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Audio/ }).click();
    const { name, file } = await readDownload(await saved);
    expect(name).toMatch(/\.mp3$/);
    expect((await inspect(file)).tracks.map(({ kind }) => kind)).toEqual(['audio']);
    await close();
  });

  test('a complete file is saved unchanged, under its title, through the service', { tags: ['long'] }, async () => {
    const { page, complaints, hosts, close } = await visit(browser, service);
    const heading = await submitAndWait(page, 'https://www.tiktok.com/@thelab/video/7559142440960000001');
    const saved = page.waitForEvent('download');
    await getFirst(page);
    const { name, file } = await readDownload(await saved);
    expect(name.slice(0, 8)).toBe((await heading.textContent())?.slice(0, 8));
    expect((await inspect(file)).tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    await close();
  });

  test('a query has a URL, and the back button returns to the previous one', { tags: ['long'] }, async () => {
    const { page, close } = await visit(browser, service);
    const heading = await submitAndWait(page, 'lab-min-002');
    const first = await heading.textContent();
    await submit(page, 'https://www.dailymotion.com/video/xlab30');
    await expect.poll(() => heading.textContent()).not.toBe(first);
    await page.goBack();
    await expect.poll(() => heading.textContent()).toBe(first);
    expect(await field(page).inputValue()).toBe('lab-min-002');
    await close();
  });

  test('a clip is selected with keys and typed times, and its file has the edited tags', {
    tags: ['long'],
  }, async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    await page.getByText('Cut a clip').click();
    const start = page.getByRole('slider', { name: 'Start' });
    await start.press('Shift+ArrowRight');
    await start.press('ArrowRight');
    expect(await start.getAttribute('aria-valuetext')).toBe('0:11');
    const end = page.getByRole('textbox', { name: 'End' });
    await end.fill('0:10');
    await end.press('Enter');
    await page.getByText('The start must be before the end.').waitFor();
    await end.fill('0:21.5');
    await end.press('Enter');
    await page.getByText('Selected: 0:10.5').waitFor();
    expect(await page.getByRole('slider', { name: 'End' }).getAttribute('aria-valuetext')).toBe('0:21.5');

    await page.getByText('Tags', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Brücken: der Film');
    await page.getByRole('textbox', { name: 'Date' }).fill('2019-13');
    await page.getByRole('textbox', { name: 'Album' }).fill('Lab');
    const selected = page.getByRole('list', { name: 'Selected options' });
    expect(await selected.textContent()).toMatch(/0:11–0:21\.5\s*Edited tags/);

    const saved = page.waitForEvent('download');
    await getFirst(page);
    const { name, file } = await readDownload(await saved);
    expect(name).toMatch(/^Brücken.? der Film.*\.mp4$/);
    const { common, format } = await parseBuffer(file);
    expect(common).toMatchObject({ title: 'Brücken: der Film', album: 'Lab', artist: expect.any(String) });
    expect(Math.abs((format.duration ?? 0) - 10.5)).toBeLessThan(1.5);

    await selected.getByRole('button', { name: 'Remove: 0:11–0:21.5' }).click();
    expect(await start.getAttribute('aria-valuetext')).toBe('0:00');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('options-title');
    expect(complaints).toEqual([]);
    await close();
  });

  test('the handles of a clip follow a drag, and the position of the preview', { tags: ['long'] }, async () => {
    const { page, complaints, close } = await visit(browser, service, { hasTouch: true });
    await submitAndWait(page, 'https://www.dailymotion.com/video/xlab30');
    await page.getByText('Cut a clip').click();
    const [start, end] = [page.getByRole('slider', { name: 'Start' }), page.getByRole('slider', { name: 'End' })];
    const box = await page.locator('.clip-track').boundingBox();
    if (box === null) throw new Error('the track is not visible');
    const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
    await page.mouse.move(...at(0.01));
    await page.mouse.down();
    await page.mouse.move(...at(0.5), { steps: 3 });
    await page.mouse.up();
    expect(await start.getAttribute('aria-valuetext')).toBe('0:15');
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Start');
    await page.touchscreen.tap(...at(0.9));
    expect(await end.getAttribute('aria-valuetext')).toBe('0:27');

    await page.getByRole('button', { name: /^Preview/ }).click();
    await page.evaluate("document.querySelector('video').pause()");
    await page.evaluate("document.querySelector('video').currentTime = 20");
    await page.getByRole('button', { name: 'Set start here' }).click();
    expect(await start.getAttribute('aria-valuetext')).toBe('0:20');
    await page.getByRole('button', { name: 'Keep full length' }).click();
    expect(await end.getAttribute('aria-valuetext')).toBe('0:30');
    expect(complaints).toEqual([]);
    await close();
  });

  test('a language is selected for the audio, and subtitles are added to the video or saved as a file', {
    tags: ['long'],
  }, async () => {
    const { page, complaints, close } = await visit(browser, service);
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-dubbed1');
    await page.getByText('Audio and subtitles').click();
    await page.getByLabel('Audio language').selectOption({ label: 'German' });
    await page.getByLabel('Add English to the video').check();
    const selected = page.getByRole('list', { name: 'Selected options' });
    expect(await selected.textContent()).toMatch(/German audio\s*English subtitles/);
    const subtitles = await download(page, page.getByRole('button', { name: 'Save German as file' }));
    expect(subtitles.name).toMatch(/\.de\.srt$/);
    expect(subtitles.file.toString()).toMatch(/^1\n00:00:0\d,\d{3} --> /);

    const saved = page.waitForEvent('download');
    await getFirst(page);
    const { trackInfo } = (await parseBuffer((await readDownload(await saved)).file)).format;
    expect(trackInfo).toHaveLength(3);
    expect(complaints).toEqual([]);
    await close();
  });

  test('the cover is saved as a file, and links are copied or sent to a phone', { tags: ['long'] }, async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, complaints, close } = await visit(browser, service, { permissions });
    await submitAndWait(page, 'https://www.youtube.com/watch?v=lab-plain30');
    await page.getByText('Cover', { exact: true }).click();
    const cover = await download(page, page.getByRole('link', { name: 'Save cover' }));
    expect(cover.name).toMatch(/\.jpe?g$/);
    expect(cover.file.subarray(0, 2).toString('hex')).toBe('ffd8');

    await page.getByText('Share', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy original link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^https:\/\/www\.youtube\.com\/.*lab-plain30/,
    );
    await page.getByRole('button', { name: 'Copy link to this page' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    await page.getByRole('button', { name: 'Send to phone' }).click();
    await page.getByRole('img', { name: `QR code of ${page.url()}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Send to phone');
    expect(complaints).toEqual([]);
    await close();
  });
});
