import { describe, expect, inject, test } from 'vitest';
import type { Renderable, Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, render, run, type StartedJob } from '../support/http-client.ts';
import { inspect, soundOf } from '../support/media.ts';
import { keys } from '../support/processes.ts';
import { fileOf, renderItem } from '../support/render-item.ts';

const service = inject('serviceUrl');

const details = (url: string, renderableFormats = '', key?: string) => {
  const query = new URLSearchParams({ url: `https://www.facebook.com${url}`, renderableFormats });
  return extract<Result>(`${service}/p3/v3/post/details?${query}`, key);
};

async function renderables(url: string, formats: string, key?: string): Promise<readonly Renderable[]> {
  const { body } = await details(url, formats, key);
  expect(body.error).toBeNull();
  return body.contents?.[0]?.renderableVideos ?? [];
}

const reel = '/reel/770000000000001';

describe('renderableFormats of p3', () => {
  test.each([
    ['lowres', ['144p']],
    ['midres', ['native_sd']],
    ['highres', ['1080p']],
    ['all', ['144p', 'native_sd', 'native_hd', '1080p']],
    ['all_highres', ['1080p', 'native_hd', 'native_sd', '144p']],
    ['360p', ['360p']],
    ['720p,lowres', ['720p', '144p']],
    ['1080p,,1080p', ['1080p']],
    ['', []],
  ])('%s selects from four sizes', async (formats, labels) => {
    const items = await renderables(reel, formats);
    expect(items.map(({ label }) => label)).toEqual(labels);
    const requestedFormats = formats.split(',');
    for (const item of items) {
      expect(item).toEqual({
        label: item.label,
        ...(requestedFormats.includes(item.label) ? {} : { requested: requestedFormats.at(-1) }),
        repId: expect.stringMatching(/^p3-/),
        renderConfig: {
          executionUrl: expect.stringContaining(service),
          statusUrl: expect.stringMatching(/^ws:/),
          sseStatusUrl: expect.stringContaining(service),
        },
        metadata: expect.objectContaining({ mime_type: 'video/mp4', has_audio: true }),
      });
    }
  });

  test('return an error item that names the available sizes when a requested one is missing', async () => {
    expect(await renderables(reel, '480p')).toEqual([{ label: '480p', error: expect.stringContaining('1080p') }]);
  });

  test.each(['2160p', 'hd', '720'])('%s returns 400', async (format) => {
    const { status, body } = await details(reel, format);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, 'invalid_params', 'renderableFormats']);
  });

  test.each([
    ['BASIC', 1],
    ['PRO', 3],
    ['ULTRA', 5],
    ['MEGA', 5],
  ] as const)('%s returns %i of five, and the others as error items', async (plan, count) => {
    const formats = '144p,360p,720p,1080p,lowres';
    const items = await renderables(reel, formats, keys[plan]);
    expect(items.map(({ renderConfig }) => renderConfig !== undefined)).toEqual(
      formats.split(',').map((_, place) => place < count),
    );
    for (const item of items.slice(count)) expect(item).toEqual({ label: item.label, error: expect.any(String) });
  });

  test('of an album are those of its video, and its photos report that they have none', async () => {
    const { body } = await details('/thelab/posts/880000000000002', 'lowres');
    expect(
      body.contents?.flatMap(({ renderableVideos = [] }) =>
        renderableVideos.map(({ label, error }) => [label, error === undefined]),
      ),
    ).toEqual([
      ['lowres', false],
      ['lowres', false],
      ['144p', true],
      ['lowres', false],
      ['lowres', false],
    ]);
  });
});

describe('an execution URL of p3', () => {
  test('joins a silent video with its audio, only once', async () => {
    const { body } = await details(reel, '360p');
    const { audios, renderableVideos } = body.contents?.[0] ?? {};
    const file = await fileOf(renderableVideos?.[0]);
    const { tracks, duration } = await inspect(file);
    expect(tracks.map(({ kind, codec }) => [kind, codec]).sort()).toEqual([
      ['audio', 'aac'],
      ['video', 'avc'],
    ]);
    expect(duration).toBeCloseTo(30, 0);
    const sound = await render(
      service,
      describeJob('no_process', [{ url: audios?.[0]?.url ?? '', ext: 'm4a' }], 'm4a'),
    );
    expect(await soundOf(file)).toBe(await soundOf(sound.file));
    const again = await fetchJson<StartedJob>(renderableVideos?.[0]?.renderConfig?.executionUrl ?? '');
    expect([again.status, again.body.status]).toEqual([200, 'already_exists']);
  });

  test('stores a complete file unchanged', async () => {
    const { body } = await details('/reel/770000000000018', 'highres');
    const { videos, renderableVideos } = body.contents?.[0] ?? {};
    expect(renderableVideos?.map(({ label }) => label)).toEqual(['native_sd']);
    const file = await fileOf(renderableVideos?.[0]);
    const link = await render(service, describeJob('no_process', [{ url: videos?.[0]?.url ?? '', ext: 'mp4' }], 'mp4'));
    expect(await soundOf(file)).toBe(await soundOf(link.file));
    expect((await inspect(file)).tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
  });

  test('fails with a readable error when the CDN refuses', async () => {
    const [item] = await renderables('/reel/770000000000022', 'lowres');
    const { status, output, error } = await renderItem(item);
    expect([status, output]).toEqual(['failed', null]);
    expect(error).toMatch(/403/);
  });

  test('starts a job after its source links have expired, which fails if the new ones have expired, too', async () => {
    const [item] = await renderables('/reel/770000000000019', 'lowres');
    expect(await renderItem(item)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
  });
});

describe('links of p3', () => {
  test('of images lead to images', async () => {
    const { body } = await details('/photo/?fbid=660000000000001');
    const [image] = body.contents?.[0]?.images ?? [];
    const { file } = await render(service, describeJob('no_process', [{ url: image?.url ?? '', ext: 'jpg' }], 'jpg'));
    expect(file.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  test('are signed, and refused when altered', async () => {
    const { body } = await details(reel);
    const link = new URL(body.contents?.[0]?.videos?.[0]?.url ?? '');
    link.searchParams.set('oe', '7FFFFFFF');
    const { status, error } = await run(service, describeJob('no_process', [{ url: link.href, ext: 'mp4' }], 'mp4'));
    expect([status, error]).toEqual(['failed', expect.stringContaining('403')]);
  });
});
