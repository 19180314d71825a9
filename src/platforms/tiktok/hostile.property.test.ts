import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { damaged } from '../testing/damaged-text.ts';
import { fakeSite, type Reply } from '../testing/fake-site.ts';
import { detailOf, page, photoItem, postId, videoItem } from './testing/pages.ts';
import { tiktok } from './testing/tiktok.ts';

const userPage = page({
  'webapp.user-detail': { statusCode: 0, userInfo: { user: videoItem.author, stats: videoItem.authorStats } },
});
const comments = {
  total: 2,
  comments: [
    { cid: '1', text: 'a', user: { unique_id: 'b' }, image_list: [{ origin_url: { url_list: ['https://a/'] } }] },
  ],
};
const pages = [
  page({ 'webapp.video-detail': detailOf(videoItem) }),
  page({ 'webapp.reflow.video.detail': detailOf(photoItem) }),
  page({ videoDetail: detailOf(photoItem), commentList: comments }, 'api-data'),
  userPage,
] as const;

/** Generates posts or users in which some members, at any depth, have values of arbitrary types. */
function reshaped(text: string): fc.Arbitrary<string> {
  const values = [...text.matchAll(/:("[^"]*"|\d+|true|false)(?=[,}])/g)].map(({ index, 0: value }) => [
    index + 1,
    index + value.length,
  ]);
  const fault = fc.tuple(fc.nat(values.length - 1), fc.jsonValue({ maxDepth: 2 }));
  return fc.uniqueArray(fault, { selector: ([place]) => place, minLength: 1, maxLength: 6 }).map((faults) =>
    faults
      .toSorted(([a], [b]) => b - a)
      .reduce((whole, [place, value]) => {
        const [start = 0, end = 0] = values[place] ?? [];
        return whole.slice(0, start) + JSON.stringify(value) + whole.slice(end);
      }, text),
  );
}

async function extractOrRefuse(reply: Reply): Promise<void> {
  const [post, user] = tiktok.endpoints;
  const queries = [
    [post, `https://www.tiktok.com/@two.three/video/${postId}`],
    [user, 'https://www.tiktok.com/@two.three'],
  ] as const;
  for (const [endpoint, url] of queries) {
    try {
      const { context } = fakeSite(() => reply);
      const extraction = await endpoint?.extract({ url }, context);
      check(extraction?.contents?.[0] ?? {}, endpoint === post);
      expect(typeof (extraction?.metadata.title ?? '')).toBe('string');
      JSON.stringify(extraction);
    } catch (error) {
      expect(error).toBeInstanceOf(MillraceError);
    }
  }
}

type Content = NonNullable<Awaited<ReturnType<(typeof tiktok)['endpoints'][number]['extract']>>['contents']>[number];

function check({ videos = [], audios = [], images = [] }: Partial<Content>, media: boolean): void {
  if (media) expect(videos.length + audios.length + images.length).toBeGreaterThan(0);
  for (const list of [videos, audios, images]) {
    expect(new Set(list.map(({ item }) => item.repId)).size).toBe(list.length);
    for (const { item, stream } of list) {
      expect(item.url).toMatch(/^https?:\/\/[^#]+$/);
      expect(item.label).not.toBe('');
      expect(item.metadata.mime_type).not.toBe('');
      expect(Number.isFinite(item.metadata.width * item.metadata.height)).toBe(true);
      for (const value of Object.values(stream?.headers ?? {})) expect(value).toMatch(/^[\x20-\x7e]+$/);
    }
  }
}

describe('hostile responses', () => {
  const body = fc.oneof(...pages.flatMap((text) => [damaged(text), reshaped(text)]));
  const reply = fc.record({
    body,
    status: fc.constantFrom(200, 200, 200, 403, 500),
    headers: fc.string({ unit: 'binary' }).map((cookie) => ({ 'set-cookie': [`tt_chain_token=${cookie}`] })),
    url: fc.constantFrom(
      'https://www.tiktok.com/@a',
      'https://www.tiktok.com/login?redirect_url=%',
      'https://a.example/',
    ),
  });

  it('produce a valid result or a MillraceError', async () => {
    await fc.assert(fc.asyncProperty(reply, extractOrRefuse), { seed: 4, numRuns: propertyRuns(500) });
  });

  const item = JSON.stringify(videoItem).slice(1, -1);
  const withItem = (members: string) =>
    page({ 'webapp.video-detail': detailOf({ here: 0 }) }).replace('"here":0', () => `${item},${members}`);

  it.each([
    ['depth', withItem('"video":'.padEnd(500_000, '['))],
    ['closed depth', withItem(`"poi":${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
    [
      'many encodes',
      withItem(`"video":{"bitrateInfo":[${'{"PlayAddr":{"UrlList":["https://a.example/"]}},'.repeat(50_000)}1]}`),
    ],
    [
      'many links',
      withItem(`"video":{"bitrateInfo":[{"PlayAddr":{"UrlList":[${'"https://a.example/",'.repeat(100_000)}1]}}]}`),
    ],
    [
      'many photos',
      withItem(`"imagePost":{"images":[${'{"imageURL":{"urlList":["https://a.example/"]}},'.repeat(50_000)}1]}`),
    ],
    ['many tags', withItem(`"textExtra":[${'{"hashtagName":"a"},'.repeat(100_000)}1]`)],
    ['many script elements', '<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__'.repeat(20_000)],
    ['open tags', '<script '.repeat(200_000)],
    ['a polluting name', withItem('"__proto__":{"id":"x"},"author":{"__proto__":{"id":"x"}}')],
  ])('are processed in bounded time with %s', async (_name, body) => {
    // Measures CPU time, independent of the machine's load: three runs of all pages of both endpoints.
    const before = process.cpuUsage();
    await extractOrRefuse({ body });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3000);
    expect({}).not.toHaveProperty('id');
  });
});
