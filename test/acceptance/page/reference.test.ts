/** @module-tag long */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasBrowser, horizontalOverflow, openBrowser, visit } from '../../support/browser.ts';
import type { Result } from '../../support/envelope.ts';
import { keys } from '../../support/processes.ts';

const service = inject('serviceUrl');

/** Everything that the browser keeps for the service's origin, as one text. */
const storedData = `(async () => {
  const databases = await indexedDB.databases();
  const contents = databases.map(({ name }) => new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = async () => {
      const stores = [...opening.result.objectStoreNames];
      const reads = stores.map((store) => new Promise((done) => {
        opening.result.transaction(store).objectStore(store).getAll().onsuccess = (event) => done(event.target.result);
      }));
      resolve(await Promise.all(reads));
    };
  }));
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await Promise.all(contents), document.cookie, history.state]);
})()`;

/** Returns the addresses of the links to other origins that visitors can see and click. */
function foreignLinks(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('a[href]')]
    .filter((link) => link.origin !== location.origin && link.checkVisibility())
    .filter((link) => getComputedStyle(link).pointerEvents !== 'none')
    .map((link) => link.href)`);
}

/** A part of the sample in each language that only this language has. */
const samples = [
  ['Shell', "curl 'http"],
  ['JavaScript', 'fetch('],
  ['Python', 'requests.get('],
  ['Go', 'http.NewRequest('],
  ['PHP', 'curl_init('],
] as const;

// The reference displays all operations at once, which takes seconds of processor time. Each step still has its limit.
describe.skipIf(!hasBrowser)('the API reference', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('has guides, a search, and samples in five languages', async () => {
    const { page, complaints, hosts, close } = await visit(browser, `${service}/docs`);
    await page.getByRole('heading', { name: 'Millrace', level: 1 }).waitFor();
    expect(await page.title()).toBe('API reference · Millrace');
    for (const title of ['Authentication', 'Idempotency', 'Error codes', 'Plans and limits'])
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByText('Guides', { exact: true }).first().waitFor();

    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('p5/v3/video');
    await page.getByRole('option', { name: /p5\/v3\/video\/details/ }).click();
    const operation = page.getByRole('region', { name: 'Media and metadata of a video' });
    await operation.scrollIntoViewIfNeeded();
    for (const [language, code] of samples) {
      await page.getByRole('tab', { name: language, exact: true }).click();
      await expect.poll(() => operation.innerText()).toContain(code);
    }

    await expect.poll(() => operation.innerText()).toContain('"label": "hls-1080"');
    await operation.getByRole('tab', { name: '401' }).click();
    await expect.poll(() => operation.innerText()).toContain('"code": "invalid_user_details"');

    expect(await foreignLinks(page)).toEqual([]);
    expect([...hosts]).toEqual([new URL(service).host]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('sends requests from a link to an operation without storing the key', async () => {
    const { page, complaints, hosts, close } = await visit(browser, `${service}/docs#tag/p5/GET/p5/v3/video/details`);
    const operation = page.getByRole('region', { name: 'Media and metadata of a video' });
    await operation.getByRole('button', { name: /^Try it/ }).click();
    const client = page.getByRole('dialog', { name: 'API Client' });
    await client.getByRole('textbox', { name: 'Value' }).first().click();
    await page.keyboard.type(keys.MEGA);
    const responding = page.waitForResponse(/p5/);
    await client.getByRole('button', { name: /^Send get request/ }).click();
    const response = await responding;
    expect([response.status(), new URL(response.url()).search]).toEqual([200, '?videoId=xlab30']);
    const { 'x-marketplace-key': key, 'x-marketplace-host': host } = response.request().headers();
    expect([key, host]).toEqual([keys.MEGA, new URL(service).host]);
    const { contents = [] }: Result = await response.json();
    const shown = client.getByRole('region', { name: 'Response' });
    await expect.poll(() => shown.innerText()).toContain(contents[0]?.videos?.[0]?.url);

    const stored = await page.evaluate(storedData);
    expect(stored).toContain('shell/curl');
    expect(stored).not.toContain(keys.MEGA);
    expect(page.url()).not.toContain(keys.MEGA);
    expect([...hosts]).toEqual([new URL(service).host]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('fits on a phone in the dark, and leads back to the page', async () => {
    const { page, complaints, close } = await visit(browser, `${service}/docs`, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByRole('heading', { name: 'Millrace', level: 1 }).waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await page.evaluate("document.body.classList.contains('dark-mode')")).toBe(true);
    await page.getByRole('link', { name: 'Millrace' }).click();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(complaints).toEqual([]);
    await close();
  });

  test('says that it could not be loaded if the document does not arrive', async () => {
    const { page, close } = await visit(browser, 'about:blank');
    await page.route('**/openapi', (route) => route.abort());
    await page.goto(`${service}/docs`);
    await page.getByText('The API reference could not be loaded.').waitFor();
    await close();
  });

  test('leads to the OpenAPI document and the guides if scripts are off', async () => {
    const { page, complaints, close } = await visit(browser, `${service}/docs`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'guides' }).click();
    expect(await page.locator('body').innerText()).toContain('# Authentication');
    await page.goBack();
    await page.getByRole('link', { name: 'OpenAPI document' }).last().click();
    expect(new URL(page.url()).pathname).toBe('/openapi');
    expect(complaints).toEqual([]);
    await close();
  });
});
