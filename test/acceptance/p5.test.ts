import { describe, expect, inject, test } from 'vitest';
import { titleOfItem } from '../../lab/platforms/headlines.ts';
import type { Result } from '../support/envelope.ts';
import {
  describeJob,
  extract,
  fetchJson,
  follow,
  outcome,
  post,
  run,
  type StartedJob,
} from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');

const details = (query: string, key?: string) => extract<Result>(`${service}/p5/v3/video/details?${query}`, key);

describe('GET /p5/v3/video/details', () => {
  test('returns links, images and metadata', async () => {
    const { status, body, headers } = await details('videoId=xlab30');
    expect(status).toBe(200);
    expect(body.error).toBeNull();
    const [content] = body.contents ?? [];
    const labels = content?.videos?.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['hls-240', 'hls-380', 'hls-480', 'hls-720', 'hls-1080']));
    for (const video of content?.videos ?? []) {
      expect(video.url).toMatch(/^https:\/\//);
      expect(video.metadata).toMatchObject({
        mime_type: expect.any(String),
        width: expect.any(Number),
        height: expect.any(Number),
        has_audio: true,
      });
    }
    expect(new Set(content?.videos?.map(({ repId }) => repId)).size).toBe(content?.videos?.length);
    const rung380 = content?.videos?.find(({ label }) => label === 'hls-380');
    expect(rung380?.metadata).toMatchObject({ width: 512, height: 288 });
    expect(content).not.toHaveProperty('renderableVideos');
    expect(content).not.toHaveProperty('audios');
    expect(body.metadata).toMatchObject({
      title: expect.any(String),
      thumbnailUrl: expect.stringMatching(/^https:/),
      additionalData: { duration: 30 },
    });
    expect(body.notes?.join()).toContain('1 credit');
    expect(headers.get('cache-control')).toContain('private');
    expect(headers.get('vary')).toMatch(/X-Marketplace-Key/i);
  });

  test('returns render configs that can be rendered', async () => {
    const { body } = await details('videoId=xlab30&renderableFormats=lowres');
    const [item] = body.contents?.[0]?.renderableVideos ?? [];
    const started = await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '');
    expect(started.status).toBe(202);
    expect(started.body.jobId).toBe(item?.repId);
    const event = await outcome(item?.renderConfig?.sseStatusUrl ?? '');
    expect(event).toMatchObject({ job_id: item?.repId, status: 'done' });
    const file = Buffer.from(await (await fetch(event.output?.url ?? '')).arrayBuffer());
    const { tracks, duration } = await inspect(file);
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
    expect(duration).toBeCloseTo(30, 0);
    expect((await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '')).body.status).toBe('already_exists');
  });

  test('returns audio that can be rendered', async () => {
    const { body } = await details('videoId=xlab2');
    const [item] = body.contents?.[0]?.renderableAudios ?? [];
    const started = await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '');
    const event = await outcome(started.body.sseStatusUrl);
    const file = Buffer.from(await (await fetch(event.output?.url ?? '')).arrayBuffer());
    expect((await inspect(file)).tracks.map(({ kind }) => kind)).toEqual(['audio']);
  });

  test('keeps renders as long as the plan allows', async () => {
    for (const [key, hours] of [
      [keys.BASIC, 1],
      [keys.PRO, 1],
      [keys.ULTRA, 2],
      [keys.MEGA, 2],
    ] as const) {
      const { body } = await details('videoId=xlab2&renderableFormats=lowres', key);
      const item = body.contents?.[0]?.renderableVideos?.[0];
      const { body: started } = await fetchJson<StartedJob>(item?.renderConfig?.executionUrl ?? '');
      const event = await outcome(started.sseStatusUrl);
      const lifetime = Date.parse(event.expires_at) - Date.now();
      expect(lifetime).toBeGreaterThan(hours * 3_600_000 - 60_000);
      expect(lifetime).toBeLessThanOrEqual(hours * 3_600_000);
    }
  });

  test.each([
    ['480', 'hls-480'],
    ['hls-720', 'hls-720'],
    ['lowres', 'hls-240'],
    ['midres', 'hls-480'],
    ['highres', 'hls-1080'],
  ])('renderableFormats=%s returns %s', async (format, label) => {
    const { body } = await details(`videoId=xlab30&renderableFormats=${format}`);
    expect(body.contents?.[0]?.renderableVideos).toEqual([
      {
        label,
        ...(format === label ? {} : { requested: format }),
        repId: expect.stringMatching(/^p5-/),
        renderConfig: expect.any(Object),
        metadata: expect.objectContaining({ has_audio: true }),
      },
    ]);
  });

  test.each([
    ['all', ['hls-240', 'hls-380', 'hls-480', 'hls-720', 'hls-1080']],
    ['all_highres', ['hls-1080', 'hls-720', 'hls-480', 'hls-380', 'hls-240']],
  ])('renderableFormats=%s returns every resolution in order', async (format, labels) => {
    const { body } = await details(`videoId=xlab30&renderableFormats=${format}`);
    expect(body.contents?.[0]?.renderableVideos?.map(({ label }) => label)).toEqual(labels);
  });

  test.each([
    ['BASIC', 1],
    ['PRO', 3],
    ['ULTRA', 5],
  ] as const)('%s returns %i of five formats', async (plan, count) => {
    const { body } = await details('videoId=xlab30&renderableFormats=240,380,480,720,1080', keys[plan]);
    const items = body.contents?.[0]?.renderableVideos ?? [];
    expect(items).toHaveLength(5);
    expect(items.filter(({ renderConfig }) => renderConfig !== undefined)).toHaveLength(count);
    for (const item of items.slice(count))
      expect(item).toEqual({ label: expect.any(String), error: expect.any(String) });
  });

  test.each(['ULTRA', 'MEGA'] as const)('%s returns six formats, and one item for each value', async (plan) => {
    const formats = '240,380,480,720,1080,lowres,highres';
    const { body } = await details(`videoId=xlab30&renderableFormats=${formats}`, keys[plan]);
    const items = body.contents?.[0]?.renderableVideos ?? [];
    expect(items.map(({ renderConfig }) => renderConfig !== undefined)).toEqual([...Array(6).fill(true), false]);
    expect(items.at(-1)).toEqual({ label: 'highres', error: expect.any(String) });
  });

  test.each([
    ['BASIC', 'highres', 'hls-240'],
    ['BASIC', 'midres', 'hls-240'],
    ['PRO', 'highres', 'hls-720'],
    ['MEGA', 'highres', 'hls-1080'],
  ] as const)('on plan %s, %s of a huge video returns %s, which fits the size limit', async (plan, format, label) => {
    const { body } = await details(`videoId=xlabhuge&renderableFormats=${format}`, keys[plan]);
    expect(body.contents?.[0]?.renderableVideos?.map((item) => item.label)).toEqual([label]);
  });

  test('returns an error item for a format over the size limit of the plan', async () => {
    const { body } = await details('videoId=xlabhuge&renderableFormats=480,240', keys.PRO);
    expect(body.contents?.[0]?.renderableVideos?.every(({ renderConfig }) => renderConfig !== undefined)).toBe(true);
    const basic = await details('videoId=xlabhuge&renderableFormats=480', keys.BASIC);
    expect(basic.body.contents?.[0]?.renderableVideos).toEqual([
      { label: '480', error: expect.stringMatching(/500(\.00)? MB/) },
    ]);
  });

  test('refuses an execution URL that was altered, cut or sealed for another purpose', async () => {
    const { body } = await details('videoId=xlab2&renderableFormats=lowres', keys.BASIC);
    const { executionUrl = '', sseStatusUrl = '' } = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig ?? {};
    const sealed = new URL(executionUrl).searchParams.get('order') ?? '';
    const { output } = await run(
      service,
      describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a'),
    );
    const fileLink = /\/files\/([^/]+)\//.exec(output?.url ?? '')?.[1] ?? '';
    const altered = (at: number) => `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    const places = [0, 1, 20, sealed.length >> 1, sealed.length - 30, sealed.length - 2];
    for (const order of [
      ...places.map(altered),
      ...places.map((at) => sealed.slice(0, at)),
      fileLink,
      `${sealed}AAAA`,
    ]) {
      const { status, body: refusal } = await fetchJson<Result>(`${service}/api/v1/render/execute?order=${order}`);
      expect([status, refusal.error?.code]).toEqual([403, 'invalid_url']);
    }
    expect(await outcome(sseStatusUrl)).toMatchObject({ status: 'not_found' });
    expect((await fetch(`${service}/files/${sealed}/a.mp4`)).status).toBe(404);
  });

  test('returns a render config whose job ID no render key can take', async () => {
    const { body } = await details('videoId=xlab2&renderableFormats=lowres');
    const item = body.contents?.[0]?.renderableVideos?.[0];
    expect((await fetchJson(item?.renderConfig?.executionUrl ?? '')).status).toBe(202);
    const clip = { url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' };
    const takenId = { ...describeJob('no_process', [clip], 'm4a'), id: item?.repId };
    expect((await post<Result>(`${service}/api/v1/render/execute`, takenId)).status).toBe(403);
  });

  test('splits the progress of its renders as documented', async () => {
    const { body } = await details('videoId=xlabslow&renderableFormats=lowres');
    const config = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig;
    await fetchJson(config?.executionUrl ?? '');
    const split: Record<string, readonly [number, number]> = {
      downloading_inputs: [0, 50],
      processing: [50, 60],
      uploading_output: [60, 100],
    };
    const events = await follow(config?.sseStatusUrl ?? '');
    expect(events.filter(({ status }) => status === 'downloading_inputs').length).toBeGreaterThan(1);
    for (const { status, progress } of events) {
      const [least, most] = split[status] ?? [0, 100];
      expect(progress).toBeGreaterThanOrEqual(least);
      expect(progress).toBeLessThanOrEqual(most);
    }
  });

  test('returns an error item beside the others for a missing format', async () => {
    const { body } = await details('videoId=xlab30&renderableFormats=240,144');
    const [good, bad] = body.contents?.[0]?.renderableVideos ?? [];
    expect(good?.renderConfig).toBeDefined();
    expect(bad).toEqual({ label: '144', error: expect.stringContaining('hls-240') });
  });

  test('ignores duplicate formats, and treats an empty value as absent', async () => {
    const twice = await details('videoId=xlab30&renderableFormats=240,,240');
    expect(twice.body.contents?.[0]?.renderableVideos).toHaveLength(1);
    const empty = await details('videoId=xlab30&renderableFormats=');
    expect(empty.body.contents?.[0]).not.toHaveProperty('renderableVideos');
  });

  test('lists a live video, whose renders report why they fail', async () => {
    const { body } = await details('videoId=xlablive&renderableFormats=highres');
    expect(body.error).toBeNull();
    const [content] = body.contents ?? [];
    const labels = content?.videos?.map(({ label }) => label) ?? [];
    expect(new Set(labels).size).toBe(labels.length);
    expect(content?.renderableVideos).toEqual([{ label: 'highres', error: expect.stringMatching(/live/i) }]);
    expect(body.metadata.additionalData).toMatchObject({ isLive: true });
  });

  test.each([
    'https://www.dailymotion.com/video/xlab2_a-title?playlist=x1',
    'http://www.dailymotion.fr/video/xlab2',
    'https://www.dailymotion.com/embed/video/xlab2',
    'https://geo.dailymotion.com/player/xabc1.html?video=xlab2',
    'https://dai.ly/xlab2',
    'dai.ly/xlab2',
    'www.dailymotion.com/video/xlab2',
    'Watch this: https://dai.ly/xlab2!',
    '<iframe src="https://geo.dailymotion.com/player.html?video=xlab2"></iframe>',
  ])('accepts the link in %s', async (videoId) => {
    const { body } = await details(`${new URLSearchParams({ videoId })}`);
    expect([body.error, body.metadata.additionalData?.id]).toEqual([null, 'xlab2']);
  });

  test('returns images with their width and height', async () => {
    const { body } = await details('videoId=xlab2');
    const sizes = body.contents?.[0]?.images?.map(({ label, metadata }) => [label, metadata.width, metadata.height]);
    expect(sizes?.slice(0, 2)).toEqual([
      ['x1080', 1920, 1080],
      ['x720', 1280, 720],
    ]);
    expect(sizes).toHaveLength(8);
  });

  test.each(['xlabrestgone', 'xlabresthtml', 'xlabrestdrop', 'xlabrestmute'])(
    'returns %s without the REST API soon, with one note about it',
    async (videoId) => {
      const startedAt = performance.now();
      const { body } = await details(`videoId=${videoId}&renderableFormats=lowres`);
      // The REST API has 2.5 s. Any other request has 30 s.
      expect(performance.now() - startedAt).toBeLessThan(25_000);
      expect([body.error, body.metadata.title]).toEqual([null, titleOfItem(videoId)]);
      expect(body.contents?.[0]?.renderableVideos?.[0]?.renderConfig).toBeDefined();
      expect(body.metadata.additionalData).not.toHaveProperty('statistics');
      expect(body.notes?.filter((note) => /counts are missing/.test(note))).toHaveLength(1);
      expect(body.notes?.join()).toContain('1 credit');
    },
  );

  test('reports a geo-blocked video without the REST API, and names no countries', async () => {
    const { body } = await details('videoId=xlabgeonorest');
    expect(body.error).toMatchObject({ code: 'unavailable' });
    expect(body.error).not.toHaveProperty('allowedCountries');
  });

  test('notes streams and subtitles of unknown kinds', async () => {
    const { body } = await details('videoId=xlabkinds');
    expect(body.contents?.[0]?.videos?.length).toBeGreaterThan(0);
    expect(body.notes?.filter((note) => note.startsWith('Omitted')).toSorted()).toEqual([
      'Omitted 1 entry of an unknown kind (application/vnd.lab.future).',
      'Omitted 1 entry of an unknown kind (subtitle).',
    ]);
    expect((await details('videoId=xlab30')).body.notes?.join()).not.toContain('Omitted');
  });

  test.each([
    'xlabnew',
    'xlab60fps',
    'xlabexplicit',
    'xlabsubs',
    'xlabposters',
    'xlabembed',
    'xlabfallback',
    'kLabxlabprivate',
  ])('accepts %s', async (videoId) => {
    const { body } = await details(`videoId=${videoId}`);
    expect(body.error).toBeNull();
    expect(body.contents?.[0]?.videos?.length).toBeGreaterThan(0);
    expect(body.metadata.thumbnailUrl).toMatch(/^https:/);
  });

  test.each([
    ['xnotfound1', 'not_found'],
    ['xlabdm001', 'not_found'],
    ['xlabdm002', 'not_found'],
    ['xlabdm003', 'unavailable'],
    ['xlabdm004', 'unavailable'],
    ['xlabdm005', 'unavailable'],
    ['xlabdm006', 'unavailable'],
    ['xlabdm008', 'age_restricted'],
    ['xlabdm009', 'age_restricted'],
    ['xlabdm010', 'unavailable'],
    ['xlabdm011', 'unavailable'],
    ['xlabdm012', 'unavailable'],
    ['xlabdm013', 'unavailable'],
    ['xlabdm014', 'unavailable'],
    ['xlabdm015', 'unavailable'],
    ['xlabdm016', 'unavailable'],
    ['xlabdm019', 'unavailable'],
    ['xlabprivate', 'unavailable'],
    ['xlabpassword', 'unavailable'],
    ['xlabdrm', 'unavailable'],
    ['xlabgeofr', 'unavailable'],
    ['xlabmeta429', 'non_2xx_response'],
    ['xlabmeta503', 'non_2xx_response'],
    ['xlabman403', 'non_2xx_response'],
    ['xlabmetacut', 'invalid_response_data'],
    ['xlabnokinds', 'invalid_response_data'],
  ])('%s returns 200 with %s', async (videoId, code) => {
    const { status, body } = await details(`videoId=${videoId}`);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, message: expect.any(String), statusCode: expect.any(Number) });
    expect(body.contents).toEqual([]);
    expect(body.metadata).toEqual({});
  });

  test('lists the allowed countries of a geo-blocked video', async () => {
    const { body } = await details('videoId=xlabgeofr');
    expect(body.error).toMatchObject({ code: 'unavailable', allowedCountries: ['FR', 'BE'] });
  });

  test('returns an error for a countryCode without an exit', async () => {
    expect((await details('videoId=xlab2&countryCode=fr')).body.error?.code).toBe(
      'unsupported_proxy_for_geo_targeting',
    );
    expect((await details('videoId=xlab2&countryCode=WORLDWIDE')).body.error).toBeNull();
  });

  test.each([
    ['', 'params_not_found', 'videoId'],
    ['videoId=', 'params_not_found', 'videoId'],
    ['videoId=..%2f..%2fetc', 'invalid_params', 'videoId'],
    ['videoId=two%20words', 'invalid_params', 'videoId'],
    ['videoId=https://www.dailymotion.com/someone', 'invalid_url', 'videoId'],
    ['videoId=www.dailymotion.com/video/', 'invalid_url', 'videoId'],
    ['videoId=https://www.youtube.com/watch?v=lab-plain30', 'invalid_platform_url', 'videoId'],
    ['videoId=https://www.dailymotion.com.evil.example/video/x1', 'invalid_platform_url', 'videoId'],
    [`videoId=x${'1'.repeat(4000)}`, 'invalid_params', 'videoId'],
    ['videoId=x1&videoId=x2', 'invalid_params', 'videoId'],
    ['videoId=x1&renderableFormats=huge', 'invalid_params', 'renderableFormats'],
    ['videoId=x1&countryCode=zz', 'invalid_params', 'countryCode'],
    ['videoId=x1&countryCode=%00', 'invalid_params', 'countryCode'],
  ])('?%s returns 400 %s, naming %s', async (query, code, parameter) => {
    const { status, body } = await details(query);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, parameter, statusCode: 400 });
    expect(body.error?.message).toContain(parameter);
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test('ignores unknown parameters', async () => {
    expect((await details('videoId=xlab2&colour=red')).body.error).toBeNull();
  });
});

describe('keys', () => {
  const url = `${service}/p5/v3/video/details?videoId=xlab2`;
  const cases: [string, Record<string, string>, number][] = [
    ['no headers', {}, 401],
    ['no host', { 'x-marketplace-key': keys.MEGA }, 401],
    ['no key', { 'x-marketplace-host': 'a' }, 401],
    ['an unknown key', { 'x-marketplace-key': 'nobody', 'x-marketplace-host': 'a' }, 401],
    ['a render key', { 'x-marketplace-key': keys.render, 'x-marketplace-host': 'a' }, 401],
    ['a key and any host', { 'x-marketplace-key': keys.BASIC, 'x-marketplace-host': 'a' }, 200],
  ];
  test.each(cases)('%s: %o return %i', async (_name, headers, expected) => {
    const { status, body } = await fetchJson<Result>(url, { headers });
    expect(status).toBe(expected);
    if (expected === 401) expect(body.error?.code).toBe('invalid_user_details');
  });
});

describe('conventions', () => {
  test('/health needs no key', async () => {
    await expect.poll(async () => (await fetchJson(`${service}/health`)).body).toEqual({ status: 'ok' });
  });

  test('an unknown path returns 404 in the envelope', async () => {
    for (const path of ['/nothing', '/p5/v3/nothing', '/p9/v3/video/details']) {
      const { status, body } = await extract<Result>(`${service}${path}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: { code: 'not_found', statusCode: 404 }, metadata: {} });
    }
  });

  test('pages of any origin may send requests', async () => {
    const response = await fetch(`${service}/p5/v3/video/details?videoId=xlab2`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-marketplace-key',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('x-marketplace-key');
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const response = await fetch(`${service}/p5/v3/video/details?videoId=xlab2`, {
      method: 'HEAD',
      headers: { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'a' },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
