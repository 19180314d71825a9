import { describe, expect, inject, test } from 'vitest';
import type { Renderable, Result } from '../support/envelope.ts';
import { extract, fetchJson, type StartedJob } from '../support/http-client.ts';
import { frameSize, inspect } from '../support/media.ts';
import { keys } from '../support/processes.ts';
import { fileOf, renderItem } from '../support/render-item.ts';

const service = inject('serviceUrl');

async function contents(shortcode: string, formats: string, key?: string) {
  const url = `${service}/p2/v3/media/post/details?shortcode=${shortcode}&renderableFormats=${formats}`;
  const { body } = await extract<Result>(url, key);
  expect(body.error).toBeNull();
  return body.contents ?? [];
}

async function renderables(shortcode: string, formats: string, key?: string): Promise<readonly Renderable[]> {
  return (await contents(shortcode, formats, key))[0]?.renderableVideos ?? [];
}

describe('renderableFormats', () => {
  test.each([
    ['lowres', ['360p']],
    ['midres', ['720p']],
    ['highres', ['1080p']],
    ['all', ['360p', '720p', '1080p']],
    ['all_highres', ['1080p', '720p', '360p']],
    ['720p', ['720p']],
    ['1080p,360p', ['1080p', '360p']],
    ['lowres,lowres', ['360p']],
  ])('%s returns %o', async (formats, labels) => {
    const items = await renderables('lab-reel-30', formats);
    expect(items.map(({ label }) => label)).toEqual(labels);
    for (const item of items) {
      expect(item).toMatchObject({
        repId: expect.stringMatching(/^p2-/),
        renderConfig: { executionUrl: expect.stringMatching(/^https?:/) },
        metadata: { mime_type: expect.stringContaining('video/mp4'), has_audio: true },
      });
    }
  });

  test('returns the available qualities when a requested one is missing', async () => {
    expect(await renderables('lab-reel-30', '480p')).toEqual([
      { label: '480p', error: expect.stringMatching(/360p, 720p, 1080p/) },
    ]);
    expect(await renderables('lab-photo-1', 'highres')).toEqual([{ label: 'highres', error: expect.any(String) }]);
  });

  test('are separate for each item of a carousel', async () => {
    const items = (await contents('lab-caromix', '720p')).map(({ renderableVideos }) => renderableVideos?.[0]);
    expect(items.map((item) => item?.renderConfig !== undefined)).toEqual([false, true, false, true, false]);
    expect(items[1]?.repId).not.toBe(items[3]?.repId);
  });

  test.each([
    ['BASIC', 1],
    ['PRO', 3],
  ] as const)('%s returns %i of four', async (plan, count) => {
    const items = await renderables('lab-reel-30', '360p,720p,1080p,highres', keys[plan]);
    expect(items.filter(({ renderConfig }) => renderConfig !== undefined)).toHaveLength(count);
    for (const { error } of items.slice(count)) expect(error).toEqual(expect.any(String));
  });
});

describe('an execution URL of p2', () => {
  test('joins a silent video with its audio', async () => {
    const [item] = await renderables('lab-reel-30', '360p');
    const file = await fileOf(item);
    const { tracks, duration, mimeType } = await inspect(file);
    expect(mimeType).toContain('video/mp4');
    expect(tracks.map(({ kind, codec }) => [kind, codec]).sort()).toEqual([
      ['audio', 'aac'],
      ['video', 'avc'],
    ]);
    expect(duration).toBeCloseTo(30, 0);
    expect(await frameSize(file)).toBe('640x360');
    const again = await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '');
    expect([again.status, again.body.status]).toEqual([200, 'already_exists']);
  });

  test('stores a progressive file unchanged', async () => {
    const [item] = await renderables('lab-reel-12', '720p');
    const file = await fileOf(item);
    const { tracks, duration } = await inspect(file);
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
    expect(duration).toBeCloseTo(12, 0);
    expect(await frameSize(file)).toBe('1280x720');
  });

  test('fails with a readable error when the CDN refuses', async () => {
    const [item] = await renderables('lab-med-403', '720p');
    const { status, output, error } = await renderItem(item);
    expect([status, output]).toEqual(['failed', null]);
    expect(error).toMatch(/403/);
  });

  test('starts a job after its source links have expired, which fails if the new ones have expired, too', async () => {
    const [item] = await renderables('lab-expired', '720p');
    expect(await renderItem(item)).toMatchObject({ status: 'failed', error_code: 'source_refused' });
  });
});
