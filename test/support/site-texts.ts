import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** Members that programs read, not people: they keep their values. */
const forPrograms =
  /(?:Id|ID|At|_at|Url|URL|url|Token|Template|_id|_kind)$|^(?:id|type|kind|code|state|path|parameter|repId|requested|language|languages|codecs|mime_type|quality|audio_quality|last_modified|availableCountries|allowed|denied|allowedCountries|country|contentType)$/;

/** Replaces every text of a JSON value that people may read. The function receives the number of the text. */
export function replaceTexts(value: unknown, write: (number: number) => string): unknown {
  let number = 0;
  const replace = (member: unknown, name: string): unknown => {
    if (Array.isArray(member)) return member.map((each) => replace(each, name));
    if (typeof member === 'object' && member !== null) {
      return Object.fromEntries(Object.entries(member).map(([key, each]) => [key, replace(each, key)]));
    }
    // The page shows it, and it differs between requests.
    if (name === 'requestId') return '01a22aac';
    if (typeof member !== 'string' || forPrograms.test(name)) return member;
    number += 1;
    return write(number);
  };
  return replace(value, '');
}

/** A response of the service, before its texts are replaced. */
interface RecordedResponse {
  readonly status: number;
  readonly json: unknown;
}

/** The responses to the requests of a page, by URL. */
export type RecordedResponses = Map<string, RecordedResponse>;

/**
 * Replaces the texts in the results that the page receives. Each request is sent once: later visits get the same
 * response, whatever other tests change meanwhile, such as what the service reports about a site.
 */
export async function replaceSiteTexts(
  page: Page,
  write: (number: number) => string,
  recorded: RecordedResponses,
): Promise<void> {
  await page.route(/\/p\d\/v3\//, async (route) => {
    const url = route.request().url();
    // Playwright's own requests lack this header, by which the service recognises the page.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    let response = recorded.get(url);
    if (response === undefined) {
      const sent = await route.fetch({ headers });
      response = { status: sent.status(), json: await sent.json() };
      recorded.set(url, response);
    }
    await route.fulfill({ status: response.status, json: replaceTexts(response.json, write) });
  });
}

/** Counts the requests of a page that are under way, except those for media, which a player leaves open. */
export function countRequests(page: Page): () => number {
  const open = new Set<Request>();
  page.on('request', (request) => request.resourceType() !== 'media' && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size;
}

/**
 * Opens all disclosures, and waits until the page has loaded everything that they show.
 *
 * @param openRequests Returns how many requests of the page are under way.
 */
export async function openEverything(page: Page, openRequests: () => number): Promise<void> {
  await page.locator('#result-title, #error-title, .card, .file, .queue, .platforms').first().waitFor();
  const pending = `(() => {
    const closed = [...document.querySelectorAll('#main details:not([open])')];
    for (const details of closed) details.open = true;
    const loading =
      '.skeleton, [aria-busy=true], [data-health=unknown], .media:not(:has(.tools, .live-actions)), .tools details:not(:has(.tool > *))';
    const pictures = [...document.images].filter((picture) => !picture.complete);
    for (const picture of pictures) picture.loading = 'eager';
    return closed.length + pictures.length + document.querySelectorAll(loading).length;
  })()`;
  await expect.poll(async () => (await page.evaluate<number>(pending)) + openRequests()).toBe(0);
}

type Letter = readonly [letter: string, x: number, y: number];

/** What a visitor sees. */
export interface Sight {
  /** The texts, also those in fields, each with its letters and their places in pixels from the top left. */
  readonly texts: readonly { readonly text: string; readonly letters: readonly Letter[] }[];
  /** Number of elements by their names. */
  readonly elements: Readonly<Record<string, number>>;
  /** Texts whose block does not clip what is above or below its lines. */
  readonly unclipped: readonly string[];
  /** Addresses of elements that do not lead to the web. */
  readonly otherAddresses: readonly string[];
}

/**
 * Returns what a visitor sees, without what only screen readers read, once it is the same in two frames. The page is
 * scrolled to its top: a focused heading may have scrolled it.
 *
 * @param siteText Matches texts of sites. Their letters are left out.
 */
export function lookAt(page: Page, siteText: RegExp): Promise<Sight> {
  return page.evaluate(`(async () => {
    const siteText = ${siteText};
    const isMark = /[\\u2066-\\u2069\\s]/;
    const look = () => {
      const texts = [];
      const unclipped = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const blockOf = (element) =>
        ['inline', 'contents'].includes(getComputedStyle(element).display) ? blockOf(element.parentElement) : element;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        range.selectNodeContents(node);
        if (!node.parentElement.checkVisibility() || node.parentElement.closest('.unseen, select')) continue;
        if (range.getClientRects().length === 0) continue;
        const letters = [];
        const own = node.data.replace(new RegExp(siteText, 'gu'), (match) => '\\0'.repeat(match.length));
        for (let at = 0; at < own.length; at += 1) {
          if (own[at] === '\\0' || isMark.test(own[at])) continue;
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { x, y } = range.getBoundingClientRect();
          letters.push([own[at], x, y]);
        }
        if (own.includes('\\0')) {
          const { overflowY } = getComputedStyle(blockOf(node.parentElement));
          if (overflowY === 'visible') unclipped.push(blockOf(node.parentElement).outerHTML);
        }
        texts.push({ text: node.data, letters });
      }
      for (const { value, type } of document.querySelectorAll('#main input'))
        if (type === 'text') texts.push({ text: value, letters: [] });
      const elements = {};
      const otherAddresses = [];
      for (const element of document.querySelectorAll('*')) {
        elements[element.localName] = (elements[element.localName] ?? 0) + 1;
        for (const name of ['href', 'src', 'poster']) {
          const address = element.namespaceURI.endsWith('xhtml') ? element[name] : undefined;
          if (address && !/^https?:/.test(address)) otherAddresses.push(address);
        }
      }
      return { texts, elements, unclipped, otherAddresses };
    };
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await document.fonts.ready;
    for (let last = '', looks = 0; looks < 100; looks += 1) {
      scrollTo({ top: 0, behavior: 'instant' });
      await nextFrame();
      const sight = look();
      const text = JSON.stringify(sight);
      if (text === last) return sight;
      last = text;
    }
    throw new Error('what the page shows changes in every frame');
  })()`);
}
