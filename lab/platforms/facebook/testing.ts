import type { Lab } from '../../lab.ts';
import { fetchThrough, type TestResponse } from '../../testing.ts';

// Helpers that the tests of the simulated p3 share.

/** Result of the data layer, as in a page. */
export interface PageResult {
  readonly operation: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Requests a page from a lab like a browser with a typed address. */
export function browse(lab: Pick<Lab, 'port'>, address: string): Promise<TestResponse> {
  const url = address.startsWith('/') ? `https://www.facebook.com${address}` : address;
  return fetchThrough(lab, url, { headers: { 'sec-fetch-mode': 'navigate' } });
}

/** Returns the results in a page, recorded or simulated. */
export function resultsOf(html: string): PageResult[] {
  const blocks = html.matchAll(/<script type="application\/json"[^>]*>([^<]*)<\/script>/g);
  return [...blocks].flatMap(([, json = '']) => entriesIn(JSON.parse(json)));
}

function entriesIn(value: unknown): PageResult[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && typeof value[0] === 'string' && value[0].startsWith('RelayPrefetchedStreamCache')) {
    const [name, payload] = value[3] as [string, { __bbox: { result: PageResult['result'] } }];
    return [{ operation: name.replace(/^adp_/, '').replace(/RelayPreloader_.*$/, ''), result: payload.__bbox.result }];
  }
  return Object.values(value).flatMap(entriesIn);
}
