import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostileSite, pageOfVideos, startHostileSite } from '../support/hostile-site.ts';
import { fetchJson } from '../support/http-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const formats = 'lowres,midres,highres,360p,720p,1080p';
/** Text around a link, as long as a URL can have it. */
const text = Array.from({ length: 1_000 }, (_, at) => (at * 7_919 + 104_729).toString(36)).join(' ');

const closers: (() => Promise<void>)[] = [];
let site: HostileSite;
let service: RunningProcess;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  site = await startHostileSite();
  closers.push(site.close);
  service = await startService(site.url, folder.path, { USE_HEALTH: 'off' });
  closers.push(service.stop);
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

interface PostResult {
  readonly error: unknown;
  readonly contents: readonly {
    readonly images: readonly { readonly url: string }[];
    readonly renderableVideos?: readonly { readonly renderConfig?: { readonly executionUrl: string } }[];
  }[];
}

/** Requests a post as a visitor of the page, whose links are all sealed. */
async function requestPost(parameters: Readonly<Record<string, string>>): Promise<PostResult> {
  const query = new URLSearchParams(parameters);
  const headers = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
  return (await fetchJson<PostResult>(`${service.url}/p2/v3/media/post/details?${query}`, { headers })).body;
}

describe.skipIf(!canMeasureStalls)(
  'other requests are not delayed (needs /proc) by a response with the links of',
  () => {
    test.each([
      ['20 videos in 6 formats', 20, { renderableFormats: formats }, ''],
      ['130 videos', 130, {}, ''],
      ['130 videos in 6 formats, requested with text around the link', 130, { renderableFormats: formats }, text],
    ])('%s', async (name, count, parameters, around) => {
      const shortcode = `DXYZabcd${String(count).padStart(3, '0')}`;
      site.sendPage(pageOfVideos(shortcode, count));
      const request = () =>
        requestPost({ shortcode: `https://www.instagram.com/p/${shortcode}/ ${around}`, ...parameters });
      // The first request also fetches and reads the page. Its result is cached.
      const { error, contents } = await request();
      expect(error).toBeNull();
      expect(contents.map(({ images }) => images.length)).toEqual(Array(count).fill(12));
      const links = contents.flatMap(({ renderableVideos = [] }) =>
        renderableVideos.flatMap(({ renderConfig }) => renderConfig?.executionUrl ?? []),
      );
      expect(links.length > 0).toBe('renderableFormats' in parameters);
      for (const link of links) expect(link.length).toBeLessThan(2_000);
      site.takeRequests();
      const stall = await measureStall(service, async () => {
        await request();
      });
      if (process.env.SHOW !== undefined) process.stdout.write(`${name}: ${stall.processor.toFixed(0)} ms\n`);
      expect(site.takeRequests()).toBe(0);
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    });
  },
);
