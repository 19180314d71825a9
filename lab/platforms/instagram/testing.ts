import type { Lab } from '../../lab.ts';
import { fetchThrough, json, type TestResponse } from '../../testing.ts';
import { releaseMembers } from './visit.ts';

// Helpers that the tests of the simulated p2 share: requests like those of the site's own pages.

/** Headers of a browser that navigates to a page. */
export const navigation = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Headers of the site's own scripts. */
export const client = { ...navigation, 'x-ig-app-id': '936619743392459', 'x-asbd-id': '359341' };

const site = 'https://www.instagram.com';

/** Navigates to a page. */
export function goTo(lab: Pick<Lab, 'port'>, path: string): Promise<TestResponse> {
  return fetchThrough(lab, `${site}${path}`, { headers: navigation });
}

/** Returns the data in a page's script blocks; blocks that are not JSON are skipped. */
export function dataIn(html: string): unknown[] {
  return [...html.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/gs)].flatMap(([, text = '']) => {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      return [];
    }
  });
}

/** Posts a form with the tokens of a new visit. */
export async function postForm(
  lab: Pick<Lab, 'port'>,
  path: string,
  members: Readonly<Record<string, string>>,
): Promise<TestResponse> {
  const page = await goTo(lab, '/');
  const lsd = /"LSD",\[\],\{"token":"([\w-]+)"/.exec(page.body.toString())?.[1] ?? '';
  const cookie = (page.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const csrf = /csrftoken=([\w-]+)/.exec(cookie)?.[1] ?? '';
  return fetchThrough(lab, `${site}${path}`, {
    method: 'POST',
    headers: { ...client, cookie, 'x-fb-lsd': lsd, 'x-csrftoken': csrf, origin: site },
    body: `${new URLSearchParams({ lsd, ...members, ...releaseMembers(lsd) })}`,
  });
}

/** Requests a post with the older query. */
export async function byShortcode(lab: Pick<Lab, 'port'>, shortcode: string): Promise<Record<string, unknown>> {
  const variables = JSON.stringify({ shortcode });
  return json(await postForm(lab, '/graphql/query', { doc_id: '8845758582119845', variables }));
}

/** Requests reels with a sound. */
export function music(lab: Pick<Lab, 'port'>, id: string, cursor = ''): Promise<TestResponse> {
  const form = { audio_cluster_id: id, original_sound_audio_asset_id: id, max_id: cursor };
  return postForm(lab, '/api/v1/clips/music/', form);
}
