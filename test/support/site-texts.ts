import type { Page } from 'playwright-core';
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

/** Replaces the texts in the results that the page receives. */
export async function replaceSiteTexts(page: Page, write: (number: number) => string): Promise<void> {
  await page.route(/\/p\d\/v3\//, async (route) => {
    // Playwright's own requests lack this header, by which the service recognises the page.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    await route.fulfill({ response, json: replaceTexts(await response.json(), write) });
  });
}

/** Opens all disclosures, and waits until the page has loaded everything that they show. */
export async function openEverything(page: Page): Promise<void> {
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
  await expect.poll(() => page.evaluate(pending)).toBe(0);
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
 * Returns what a visitor sees: without what only screen readers read.
 *
 * @param siteText Matches texts of sites. Their letters are left out.
 */
export function lookAt(page: Page, siteText: RegExp): Promise<Sight> {
  return page.evaluate(`(() => {
    const siteText = ${siteText};
    const isMark = /[\\u2066-\\u2069\\s]/;
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
  })()`);
}
