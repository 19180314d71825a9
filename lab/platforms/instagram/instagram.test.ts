import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../../lab.ts';
import { fetchThrough, json, startTestLab } from '../../testing.ts';
import { texts, under } from '../youtube/testing.ts';
import { clipsQuery } from './query-ids.ts';
import { byShortcode, client, dataIn, goTo, music, navigation, postForm } from './testing.ts';
import { numberOf } from './world/codes.ts';
import { scenarios } from './world/scenarios.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

const site = 'https://www.instagram.com';
const plain = { 'user-agent': 'curl/8.5.0', accept: '*/*' };

async function page(path: string) {
  const response = await goTo(lab, path);
  return { answer: response, data: dataIn(response.body.toString()) };
}

const postQuery = (code: string, docId = '27130156389949648') =>
  postForm(lab, '/api/graphql', { doc_id: docId, variables: JSON.stringify({ media_id: numberOf(code) }) });

/** Returns the data that the query by code returns for a post. */
async function dataOf(code: string): Promise<unknown> {
  return (await byShortcode(lab, code)).data;
}

describe('pages', () => {
  test('contain a post and twelve posts of its owner, in script blocks among unrelated ones', async () => {
    const { answer: response, data } = await page('/p/lab-reel-30/');
    expect(response.headers['set-cookie']?.join()).toMatch(/csrftoken=[\w-]+;.*mid=/);
    const [media, ...others] = under(data, 'xig_polaris_media');
    expect(media).toMatchObject({ code: 'lab-reel-30', gating_ruling: null });
    expect(others).toEqual([]);
    expect(under(data, 'polaris_ordered_timeline_connection')).toMatchObject([{ edges: { length: 12 } }]);
    expect(response.body.length).toBeGreaterThan(200_000);
  });

  test('contain no data for clients without the headers of a browser', async () => {
    for (const headers of [plain, { ...navigation, 'sec-fetch-mode': 'cors' }, { ...navigation, 'user-agent': '' }]) {
      const { status, body } = await fetchThrough(lab, `${site}/p/lab-reel-30/`, { headers });
      expect([status, body.includes('if_not_gated_logged_out')]).toEqual([200, false]);
      expect(body.includes('PolarisLoggedOutDesktopWWWPostRoute')).toBe(true);
    }
  });

  test.each(Object.keys(scenarios))('of %s match the scenario', async (code) => {
    const { has, page: wall, gated, queries } = scenarios[code] ?? {};
    const { answer: response, data } = await page(`/p/${code}/`);
    const hasPost = [...under(data, 'if_not_gated_logged_out'), ...under(data, 'items')].length > 0;
    expect(hasPost).toBe(wall === 'other_post' || gated === true || (has ?? ['page']).includes('page'));
    if (has?.includes('shortcode'))
      expect(await dataOf(code)).toMatchObject({ xdt_shortcode_media: { shortcode: code } });
    if (queries === 'null') expect(await dataOf(code)).toEqual({ xdt_shortcode_media: null });
    expect(response.status).toBeLessThan(500);
  });

  test('redirect from other hosts to the main host', async () => {
    const { status, headers } = await fetchThrough(lab, 'https://instagr.am/p/lab-reel-30/?a=1', { headers: plain });
    expect([status, headers.location]).toEqual([302, `${site}/p/lab-reel-30/?a=1`]);
  });
});

describe('queries', () => {
  test('require the tokens of a visit and the current query numbers', async () => {
    const code = 'lab-graphql';
    expect(under(json(await postQuery(code)), 'xig_polaris_media')).toMatchObject([{ code }]);
    expect(json(await postQuery(code, '1'))).toMatchObject({ data: null });
    const form = `${new URLSearchParams({ lsd: 'x', doc_id: '27130156389949648', variables: '{}' })}`;
    expect(
      json(await fetchThrough(lab, `${site}/api/graphql`, { method: 'POST', headers: client, body: form })),
    ).toMatchObject({
      data: null,
    });
    expect(json(await postQuery('lab-newdocs'))).toMatchObject({ data: null });
    expect(under(json(await postQuery('lab-newdocs', '31999999999999999')), 'xig_polaris_media')).toHaveLength(1);
  });

  test('return a page instead of JSON when the post is missing', async () => {
    const { headers, body } = await postQuery('lab-shell00');
    expect(headers['content-type']).toContain('text/html');
    expect(body.toString()).toMatch(/^<!DOCTYPE html>/);
  });

  test('for reels return the reel among other reels of its author', async () => {
    const variables = JSON.stringify({
      data: { clips_media_id: numberOf('lab-clipsgo') },
      ...Object.fromEntries(clipsQuery.flags.map((flag) => [`__relay_internal__pv__${flag}relayprovider`, false])),
    });
    const query = new URLSearchParams({ doc_id: '27695069083459414', variables });
    const response = json(await fetchThrough(lab, `${site}/graphql/query/?${query}`, { headers: client }));
    const codes = under(response, 'media').map(({ code }) => code);
    expect(codes).toHaveLength(12);
    expect(codes.indexOf('lab-clipsgo')).toBeGreaterThan(0);
  });

  test('for sounds return guarded JSON, one page at a time', async () => {
    const first = (await music(lab, '1000000000000004')).body.toString();
    expect(first).toMatch(/^for \(;;\);\{"__ar":1,"payload":\{"items":\[\],/);
    const cursor = /"max_id":"([^"]+)"/.exec(first)?.[1] ?? '';
    expect((await music(lab, '1000000000000004', cursor)).body.toString()).toContain('"more_available":false');
    expect(json(await music(lab, '1000000000000003'))).toMatchObject({ items: { length: 6 } });
    expect((await music(lab, '1000000000000005')).status).toBe(403);
  });
});

test('short links redirect all clients except browsers', async () => {
  const at = (name: string, headers: Record<string, string>) =>
    fetchThrough(lab, `${site}/share/p/${name}/`, { headers });
  expect((await at('lab-reel-30', plain)).headers.location).toBe('/reel/lab-reel-30/?igsh=lab');
  expect((await at('lab-reel-30', navigation)).status).toBe(200);
  expect((await at('labnowhere', plain)).status).toBe(404);
});

test('CDN links are signed and expire', async () => {
  const linkOf = async (code: string) => {
    const { data } = await page(`/p/${code}/`);
    return texts(under(data, 'candidates'), 'url')[2] ?? '';
  };
  const link = await linkOf('lab-photo-1');
  const picture = await fetchThrough(lab, link);
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(picture.headers['cross-origin-resource-policy']).toBe('same-origin');
  const later = link.replace(/oe=\w+/, 'oe=7FFFFFFF');
  for (const wrong of [
    later,
    link.replace(/oh=\w/, 'oh=9'),
    link.replace(/stp=\w/, 'stp=x'),
    link.replace(/&oh=.*/, ''),
  ]) {
    expect((await fetchThrough(lab, wrong)).body.toString()).toBe('Bad URL hash');
  }
  const over = await fetchThrough(lab, await linkOf('lab-expired'));
  expect([over.status, over.body.toString()]).toEqual([403, 'URL signature expired']);
});

test.each([
  ['lab-http429', 429],
  ['lab-http503', 503],
  ['lab-is-html', 200],
  ['lab-is-void', 200],
  ['lab-is-half', 200],
])('%s applies to every endpoint', async (word, status) => {
  const name = word.replaceAll('-', '.');
  for (const path of [`/p/${word}/`, `/p/${word}/embed/captioned/`, `/${name}/`]) {
    expect((await goTo(lab, path)).status).toBe(status);
  }
  const { body } = await postQuery(word);
  expect(under([...dataIn(body.toString())], 'xig_polaris_media')).toEqual([]);
});
