import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { MillraceError } from '../../contract/errors.ts';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { Extraction } from '../platform.ts';
import { damaged } from '../testing/damaged-text.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { createInstagram } from './index.ts';

const recordings = readRecordings('p2');
const code = 'DdG4RIxIPyf';
const sample = `<script>["LSD",[],{"token":"a"}]</script><script type="application/json">{"xig_polaris_media":{"code":"${code}","if_not_gated_logged_out":{"pk":"1","code":"${code}","media_type":2,"taken_at":1,"user":{"pk":"2","username":"a"},"original_width":720,"original_height":1280,"video_versions":[{"url":"https://a.example/v"}],"video_dash_manifest":"<MPD><Period><AdaptationSet contentType=\\"video\\"><Representation><BaseURL>https://a.example/d</BaseURL></Representation></AdaptationSet></Period></MPD>","image_versions2":{"candidates":[{"url":"https://a.example/i"}]}}},"xig_user_by_username":{"pk":"2","username":"natgeo"}}</script>`;
const pages = ['instagram_post_reel_live_20261004.html', 'instagram_profile_natgeo_live_20261004.html'].flatMap(
  (name) => recordings.get(`2scraper__instagram-scraper/${name}`) ?? [],
);

/** A known post whose members have values of arbitrary types. */
const reshaped = fc
  .record(
    Object.fromEntries(
      [
        ...[
          'caption',
          'user',
          'video_versions',
          'image_versions2',
          'carousel_media',
          'usertags',
          'location',
          'has_audio',
        ],
        ...[
          'taken_at',
          'original_width',
          'clips_metadata',
          'coauthor_producers',
          'video_dash_manifest',
          'video_duration',
        ],
      ].map((name) => [name, fc.jsonValue({ maxDepth: 4 })]),
    ),
    { requiredKeys: [] },
  )
  .map((members) => {
    const media = { pk: '1', code, media_type: 2, video_versions: [{ url: 'https://a.example/v' }], ...members };
    const data = { xig_polaris_media: { code, if_not_gated_logged_out: media } };
    return `<script type="application/json">${JSON.stringify(data).replaceAll('</', '<\\/')}</script>`;
  });

const queries = [
  ['/media/post/details', { shortcode: code }],
  ['/media/audio/details', { audioId: '1' }],
  ['/user/profile/details', { username: 'natgeo' }],
] as const;

async function extractOrRefuse(body: string, status = 200): Promise<void> {
  for (const [path, parameters] of queries) {
    const endpoint = createInstagram().endpoints.find((one) => one.path === path);
    let extraction: Extraction | undefined;
    try {
      extraction = await endpoint?.extract(parameters, fakeSite(() => ({ status, body })).context);
    } catch (error) {
      expect(error).toBeInstanceOf(MillraceError);
      continue;
    }
    if (path === '/media/post/details') expect(extraction?.contents?.length).toBeGreaterThan(0);
    for (const { videos = [], audios = [], images = [] } of extraction?.contents ?? []) {
      for (const list of [videos, audios, images]) {
        expect(new Set(list.map(({ item }) => item.repId)).size).toBe(list.length);
        for (const { item, stream } of list) {
          expect(item.url).toMatch(/^https?:\/\//);
          expect(item.label).not.toBe('');
          expect(Number.isFinite(item.metadata.width * item.metadata.height)).toBe(true);
          expect(Number.isSafeInteger(stream?.estimatedBytes ?? 0)).toBe(true);
        }
      }
    }
    JSON.stringify(extraction?.metadata);
  }
}

describe('hostile responses', () => {
  it('produce a valid result or a MillraceError', async () => {
    const body = fc.oneof(...[sample, ...pages].map(damaged), reshaped);
    await fc.assert(fc.asyncProperty(body, fc.constantFrom(200, 200, 403, 500), extractOrRefuse), {
      seed: 21,
      numRuns: propertyRuns(400),
    });
  });

  const block = '<script type="application/json">';
  it.each([
    ['depth', `${block}{"xig_polaris_media":${'['.repeat(500_000)}</script>`],
    ['closed depth', `${block}{"xig_polaris_media":${'['.repeat(200_000)}${']'.repeat(200_000)}}</script>`],
    ['many blocks', `${block}{"xig_polaris_media":1}</script>`.repeat(60_000)],
    ['open blocks', `${block}xig_polaris_media `.repeat(60_000)],
    ['names without blocks', 'xig_polaris_media xig_user_by_username '.repeat(100_000)],
    ['many items', `${block}{"a":[${'{},'.repeat(1_000_000)}0],"xig_polaris_media":{}}</script>`],
    ['an open text', `"contextJSON":"${'\\"'.repeat(1_000_000)}`],
    ['many queries', `["LSD",[],{"token":"a"}]${'"preloaderID":"adp_aaaaaaaaaaaaaaaaaaaa'.repeat(150_000)}`],
    ['open releases', `["LSD",[],{"token":"a"}]${`"SiteData",[],{${'a'.repeat(4000)}`.repeat(1000)}`],
    ['many tags', `<meta property="og:title" content="${' | '.repeat(1_000_000)}`],
  ])('are processed in bounded time with %s', async (_, body) => {
    const elapsed = startCpuClock();
    await extractOrRefuse(body);
    expect(elapsed()).toBeLessThan(8000);
  });
});
