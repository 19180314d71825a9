import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { damaged } from '../testing/damaged-text.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { createFacebook } from './index.ts';
import { recognise } from './links.ts';
import {
  gonePage,
  loginPage,
  photoList,
  postId,
  postPage,
  profilePage,
  reelId,
  reelList,
  reelPage,
} from './testing/pages.ts';

const site = 'https://www.facebook.com';
const pages = [
  reelPage(),
  postPage(),
  profilePage(photoList(['101'], 'n')),
  profilePage(reelList(['101'], 'n')),
  gonePage,
  loginPage,
];
const links: Readonly<Record<string, readonly string[]>> = {
  '/post/details': [
    `${site}/reel/${reelId}`,
    `${site}/creator/posts/${postId}`,
    `${site}/photo/?fbid=11111`,
    'https://fb.watch/a',
  ],
};

/** Renames members of a page, so that expected values are missing or of another type. */
function renamed(text: string): fc.Arbitrary<string> {
  return fc
    .nat(text.length)
    .map((at) =>
      text.replace(new RegExp(`^([^]{${Math.min(at, 60_000)}}[^]*?)"(?:id|media|story|edges|uri)":`), '$1"node":'),
    );
}

const body = fc
  .constantFrom(...pages)
  .chain((text) => fc.oneof({ weight: 5, arbitrary: damaged(text) }, { weight: 1, arbitrary: renamed(text) }));

async function extractOrRefuse(
  path: string,
  url: string,
  status: number,
  html: string,
  cursor?: string,
): Promise<void> {
  const endpoint = createFacebook().endpoints.find((candidate) => candidate.path === path);
  const { context } = fakeSite(() => ({ status, body: html }), cursor === undefined ? {} : { cursor });
  try {
    const { contents = [], metadata } = (await endpoint?.extract({ url }, context)) ?? { metadata: {} };
    for (const { videos = [], audios = [], images = [] } of contents) {
      expect(videos.length + audios.length + images.length).toBeGreaterThan(0);
      for (const list of [videos, audios, images]) {
        expect(new Set(list.map(({ item }) => item.repId)).size).toBe(list.length);
        for (const { item, stream } of list) {
          expect(item.url).toMatch(/^https?:\/\/[^#]+$/);
          expect(item.label).not.toBe('');
          expect(Number.isFinite(item.metadata.width * item.metadata.height)).toBe(true);
          expect(Number.isSafeInteger(stream?.estimatedBytes ?? 0)).toBe(true);
        }
      }
    }
    JSON.stringify(metadata);
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
  }
}

describe('hostile inputs', () => {
  it('produce a valid result or a MillraceError', async () => {
    const paths = createFacebook().endpoints.map(({ path }) => path);
    const request = fc
      .constantFrom(...paths)
      .chain((path) => fc.tuple(fc.constant(path), fc.constantFrom(...(links[path] ?? [`${site}/creator`]))));
    const cursor = fc.constantFrom(undefined, undefined, '{"collection":"c","cursor":"d"}', '{"a":1}');
    await fc.assert(
      fc.asyncProperty(
        request,
        fc.constantFrom(200, 200, 200, 404, 500),
        body,
        cursor,
        ([path, url], status, html, at) => extractOrRefuse(path, url, status, html, at),
      ),
      { seed: 3, numRuns: propertyRuns(500) },
    );
  });

  it('from callers are recognised only as links of the site', () => {
    const address = fc.tuple(
      fc.constantFrom(
        `${site}/`,
        'fb.watch/',
        `${site}/login/?next=`,
        `${site}/l.php?u=`,
        `${site}/plugins/video.php?href=`,
      ),
      fc.oneof(
        fc.webPath(),
        fc.string({ unit: 'binary' }),
        fc.constant(encodeURIComponent(`${site}/login/?next=${site}`)),
      ),
    );
    fc.assert(
      fc.property(address, ([start, rest]) => {
        const link = recognise(start + rest);
        if (link !== null) expect(new URL(link.url).hostname).toMatch(/^(?:www\.)?(?:facebook\.com|fb\.watch)$/);
      }),
      { seed: 4, numRuns: propertyRuns(1000) },
    );
  });

  const script = (json: string) => `<html><script type="application/json" data-sjs>${json}</script></html>`;

  it.each([
    ['depth', script(`{"__bbox":{"result":{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`)],
    ['open depth', script(`{"__bbox":{"result":{"data":{"a":${'['.repeat(500_000)}`)],
    ['many scripts', script('{"__bbox":{"result":{"data":{"id":"1"}}}}').repeat(20_000)],
    [
      'many copies',
      script(`{"__bbox":{"result":{"data":{"a":[${Array(100_000).fill(`{"id":"${reelId}","post_id":"1"}`)}]}}}}`),
    ],
    [
      'many attachments',
      script(
        `{"__bbox":{"result":{"data":{"post_id":"${postId}","id":"s","attachments":[${Array(50_000).fill('{"media":{"__typename":"Photo","id":"1"}}')}]}}}}`,
      ),
    ],
    ['open tags', '<script type="application/json"'.repeat(100_000)],
    ['open properties', `<meta property="og:title" content="${'<meta '.repeat(200_000)}`],
    [
      'a polluting name',
      script('{"__bbox":{"result":{"data":{"__proto__":{"id":"1"},"constructor":{"id":"__proto__"}}}}}'),
    ],
  ])('are processed in bounded time with %s', async (_, html) => {
    const elapsed = startCpuClock();
    await extractOrRefuse('/post/details', `${site}/reel/${reelId}`, 200, html);
    await extractOrRefuse('/post/details', `${site}/creator/posts/${postId}`, 200, html);
    await extractOrRefuse('/profile/photos', `${site}/creator`, 200, html);
    expect(elapsed()).toBeLessThan(8000);
  });
});
