import { describe, expect, inject, test } from 'vitest';
import type { Renderable, Result } from '../support/envelope.ts';
import { extract, fetchJson, type StartedJob } from '../support/http-client.ts';
import { inspect, soundOf } from '../support/media.ts';
import { keys } from '../support/processes.ts';
import { bytesOf, fileOf, renderItem } from '../support/render-item.ts';

const service = inject('serviceUrl');

const details = (query: string, key?: string) => extract<Result>(`${service}/p1/v3/video/details?${query}`, key);

async function renderables(query: string, key?: string): Promise<readonly Renderable[]> {
  const { body } = await details(query, key);
  expect(body.error).toBeNull();
  return body.contents?.[0]?.renderableVideos ?? [];
}

describe('renderableFormats', () => {
  test.each([
    ['lowres', ['144p']],
    ['midres', ['360p']],
    ['highres', ['1080p']],
    ['all', ['144p', '360p', '720p', '1080p']],
    ['all_highres', ['1080p', '720p', '360p', '144p']],
    ['720p', ['720p']],
    ['720p,lowres', ['720p', '144p']],
    ['360p,,360p', ['360p']],
    ['', undefined],
  ])('%s selects from four qualities', async (format, labels) => {
    const { body } = await details(`videoId=lab-plain30&renderableFormats=${format}`);
    expect(body.contents?.[0]?.renderableVideos?.map(({ label }) => label)).toEqual(labels);
    const requested = format.split(',').filter((value, index, all) => value !== '' && all.indexOf(value) === index);
    for (const [index, item] of (body.contents?.[0]?.renderableVideos ?? []).entries()) {
      // A single value that stands for several qualities is the request for each of them.
      const value = requested.length === 1 ? requested[0] : requested[index];
      expect(item).toEqual({
        label: item.label,
        ...(value === item.label ? {} : { requested: value }),
        repId: expect.stringMatching(/^p1-/),
        renderConfig: {
          executionUrl: expect.stringContaining(service),
          statusUrl: expect.stringMatching(/^ws:/),
          sseStatusUrl: expect.stringContaining(service),
        },
        metadata: expect.objectContaining({ mime_type: 'video/mp4', has_audio: true }),
      });
    }
  });

  test('requires the exact label, with frame rate and HDR', async () => {
    for (const [videoId, format] of [
      ['lab-60fps-1', '720p60'],
      ['lab-hdr-vp9', '360p%20HDR'],
    ]) {
      const [item] = await renderables(`videoId=${videoId}&renderableFormats=${format}`);
      expect([item?.label, item?.error]).toEqual([decodeURIComponent(format ?? ''), undefined]);
      const [none] = await renderables(`videoId=lab-plain30&renderableFormats=${format}`);
      expect(none).toEqual({ label: item?.label, error: expect.stringMatching(/144p, 360p, 720p, 1080p/) });
    }
  });

  test.each([
    ['BASIC', 1],
    ['PRO', 3],
    ['ULTRA', 5],
    ['MEGA', 5],
  ] as const)('%s returns %i of five, and the others as error items', async (plan, count) => {
    const formats = '144p,720p,1080p,720p60,360p';
    const items = await renderables(`videoId=lab-60fps-1&renderableFormats=${formats}`, keys[plan]);
    expect(items.map(({ label }) => label)).toEqual(formats.split(','));
    expect(items.filter(({ renderConfig }) => renderConfig !== undefined)).toHaveLength(count);
    for (const item of items.slice(count)) {
      expect(item).toEqual({ label: item.label, error: expect.any(String) });
    }
  });
});

describe('an execution URL of p1', () => {
  test('renders video and audio into one file, only once', async () => {
    const [item] = await renderables('videoId=lab-plain30&renderableFormats=720p');
    const file = await fileOf(item);
    const { tracks, duration, mimeType } = await inspect(file);
    expect(mimeType).toContain('video/mp4');
    expect(tracks.map(({ kind, codec }) => [kind, codec]).sort()).toEqual([
      ['audio', 'aac'],
      ['video', 'avc'],
    ]);
    expect(tracks.find(({ kind }) => kind === 'video')?.packets).toBe(750);
    expect(duration).toBeCloseTo(30, 0);
    const again = await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '');
    expect([again.status, again.body.status]).toEqual([200, 'already_exists']);
  });

  test.each([
    ['', 'en'],
    ['&lang=de', 'de'],
    ['&lang=fr', 'fr'],
    ['&lang=ja', 'en'],
  ])('renders a dubbed video with the audio of the language: %s', async (query, language) => {
    const { body } = await details(`videoId=lab-dubbed1&urlAccess=proxied&renderableFormats=lowres${query}`);
    const { audios, renderableVideos } = body.contents?.[0] ?? {};
    const source = audios?.find(({ metadata }) => metadata.language === language && metadata.codecs === 'mp4a.40.2');
    expect(await soundOf(await fileOf(renderableVideos?.[0]))).toBe(await soundOf(await bytesOf(source?.url)));
  });

  test.each([
    ['whose CDN checks the User-Agent', 'lab-ua-only', 'lowres'],
    ['whose CDN checks the address', 'lab-ip-only', 'lowres'],
    ['whose connections break once', 'lab-med-cut', 'lowres'],
    ['for children, with video and audio in one file', 'lab-kids-00', 'lowres'],
    ['in HDR', 'lab-hdr-vp9', '360p%20HDR'],
    ['that was live', 'lab-live-ex', 'lowres'],
  ])('renders a video %s', async (_name, videoId, format) => {
    const [item] = await renderables(`videoId=${videoId}&renderableFormats=${format}`);
    const { tracks } = await inspect(await fileOf(item));
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
  });

  test('fails with a readable error when the CDN refuses', async () => {
    const [item] = await renderables('videoId=lab-all-403&renderableFormats=lowres');
    const { status, output, error } = await renderItem(item);
    expect([status, output]).toEqual(['failed', null]);
    expect(error).toMatch(/403/);
  });

  test('starts a job after its source links have expired, which fails if the new ones have expired, too', async () => {
    const [item] = await renderables('videoId=lab-expired&renderableFormats=lowres');
    expect(await renderItem(item)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
  });
});
