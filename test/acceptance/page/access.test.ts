/** @module-tag long */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { accessibilityFaults, hasBrowser, openBrowser, visit } from '../../support/browser.ts';
import type { Result } from '../../support/envelope.ts';
import { extract } from '../../support/http-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');
const path = '/p1/v3/video/details?videoId=lab-min-002';

describe('the key of the page', () => {
  test('belongs only to the page: a request counts as the page’s only if the browser reports where it came from', async () => {
    const ask = async (headers: Record<string, string>) => (await fetch(service + path, { headers })).status;
    expect(await ask({ 'x-millrace-page': '1' })).toBe(401);
    expect(await ask({ 'x-millrace-page': '1', 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await ask({ 'x-millrace-page': '1', 'sec-fetch-site': 'same-site' })).toBe(401);
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(401);
  });

  test('stays on the service, and its links lead through the service', async () => {
    const headers = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${service}${path}&renderableFormats=lowres`, { headers });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toContain('test-mega-key');
    const { contents, metadata } = JSON.parse(text);
    expect(metadata.thumbnailUrl).toMatch(/\/relay\//);
    for (const { url } of contents[0].videos) expect(url).toMatch(/\/relay\//);
    // The results of callers with their own key are unchanged.
    expect(
      (await extract<{ metadata: { thumbnailUrl: string } }>(service + path)).body.metadata.thumbnailUrl,
    ).not.toMatch(/\/relay\//);
  });
});

describe('the jobs of a visitor', () => {
  const headers = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let limited: RunningProcess;
  beforeAll(async () => {
    folder = await temporaryFolder();
    limited = await startService(lab, folder.path, { WEB_JOBS: '1/2' });
  });
  afterAll(async () => {
    await limited.stop();
    await folder.delete();
  });

  /** Returns the execution URL of a new render of a film that arrives slowly. */
  async function executionUrl(requestHeaders: Record<string, string>): Promise<string> {
    const query = '/p1/v3/video/details?videoId=lab-med-slo&renderableFormats=lowres';
    const response = await fetch(limited.url + query, { headers: requestHeaders });
    const { contents } = (await response.json()) as Result;
    return contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
  }

  test('are limited at once and a day, whichever program starts them', async () => {
    const [one, two, three] = [await executionUrl(headers), await executionUrl(headers), await executionUrl(headers)];
    expect((await fetch(one)).status).toBe(202);
    expect((await fetch(one)).status).toBe(200);
    const atOnce = await fetch(two);
    expect(atOnce.status).toBe(429);
    expect(Number(atOnce.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await atOnce.json()).toMatchObject({ error: { code: 'rate_limited', message: /^You have 1 unfinished/ } });

    expect((await fetch(one, { method: 'DELETE' })).status).toBe(200);
    expect((await fetch(two)).status).toBe(202);
    expect((await fetch(two, { method: 'DELETE' })).status).toBe(200);
    const perDay = await fetch(three);
    expect(perDay.status).toBe(429);
    expect(Number(perDay.headers.get('retry-after'))).toBeGreaterThan(80_000);
    // A restart after a cancellation counts as a start.
    expect((await fetch(one)).status).toBe(429);

    // Callers with a key have the limits of their key only.
    const ownKey = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };
    for (const url of [await executionUrl(ownKey), await executionUrl(ownKey), await executionUrl(ownKey)]) {
      expect((await fetch(url)).status).toBe(202);
    }
  });
});

describe.skipIf(!hasBrowser)('the page', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let closed: RunningProcess;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder();
    closed = await startService(lab, folder.path, {
      WEB_KEY: '',
      OPERATOR_NAME: 'The lab',
      OPERATOR_CONTACT: 'lab@example.org',
    });
  });
  afterAll(async () => {
    await browser.close();
    await closed.stop();
    await folder.delete();
  });

  test('cannot be impersonated by a page of another site', async () => {
    const { page, close } = await visit(browser, lab);
    const status = await page.evaluate(
      async (url) => (await fetch(url, { headers: { 'x-millrace-page': '1' } })).status,
      service + path,
    );
    expect(status).toBe(401);
    await close();
  });

  test('explains how to enable it while it is off, and still shows the health of platforms', async () => {
    const { page, complaints, close } = await visit(browser, closed.url);
    await page.getByRole('heading', { name: 'This page is turned off' }).waitFor();
    expect(await page.getByText('WEB_KEY').first().isVisible()).toBe(false);
    await page.getByText('For the operator').click();
    await page.getByText('WEB_KEY').first().waitFor();
    await page.getByText('YouTube').waitFor();
    await page.getByText('No recent requests').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'API documentation' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(complaints).toEqual([]);
    await close();
  });

  test('about the service needs no scripts, and is there while the page is off', async () => {
    const { page, complaints, hosts, close } = await visit(browser, `${closed.url}/about`, {
      javaScriptEnabled: false,
    });
    await page.getByText('The lab', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'lab@example.org' }).first().getAttribute('href')).toBe(
      'mailto:lab@example.org',
    );
    expect([...hosts]).toEqual([new URL(closed.url).host]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('about the service is also JSON', async () => {
    const response = await fetch(`${closed.url}/about`, { headers: { accept: 'application/json' } });
    expect(response.headers.get('vary')).toContain('accept');
    const { operator, retention } = (await response.json()) as {
      operator: unknown;
      retention: readonly { data: string; maxSeconds?: number }[];
    };
    expect(operator).toEqual({ name: 'The lab', contact: 'mailto:lab@example.org' });
    expect(retention.find(({ data }) => data === 'Finished files')?.maxSeconds).toBe(86_400);
  });
});
