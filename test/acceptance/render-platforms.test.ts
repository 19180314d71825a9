import { parseBuffer } from 'music-metadata';
import { describe, expect, inject, test } from 'vitest';
import type { Renderable, Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import { inspect } from '../support/media.ts';
import { keys } from '../support/processes.ts';
import { fileOf } from '../support/render-item.ts';

const service = inject('serviceUrl');

const formats = ['mp3', 'm4a', 'opus', 'flac', 'wav', 'original'];
const pin = (number: number) => ({ pinId: `600000000000000${number}` });
const facebook = (path: string) => ({ url: `https://www.facebook.com${path}` });

/** An endpoint with sound, and its item: a video or reel with sound and without stated languages. */
const endpoints = [
  ['p2 post', '/p2/v3/media/post/details', { shortcode: 'lab-reel-30' }],
  ['p2 audio', '/p2/v3/media/audio/details', { audioId: '1000000000000001' }],
  ['p3', '/p3/v3/post/details', facebook('/reel/770000000000001')],
  ['p4', '/p4/v3/post/details', { url: 'https://www.tiktok.com/@thelab/video/7559142440960000001' }],
  ['p5', '/p5/v3/video/details', { videoId: 'xlab30' }],
  ['p6', '/p6/v3/pin/details', pin(103)],
] as const;

const [post, , reel, , , pinDetails] = endpoints.map(([, path]) => path);

async function request(path = '', query: Readonly<Record<string, string>>, key = keys.MEGA): Promise<Result> {
  const { status, body } = await extract<Result>(`${service}${path}?${new URLSearchParams(query)}`, key);
  expect([status, body.error]).toEqual([200, null]);
  return body;
}

/** The renderables of each content item, by their labels: true, or the beginning of their error. */
function outcomes({ contents = [] }: Result, kind: 'renderableVideos' | 'renderableAudios') {
  return contents.map((content) => (content[kind] ?? []).map(({ label, error }) => [label, error ?? true]));
}

const audiosOf = ({ contents }: Result): readonly Renderable[] => contents?.[0]?.renderableAudios ?? [];
const requested = (items: readonly Renderable[]) => items.filter(({ label }) => formats.includes(label));

interface Preview {
  readonly operation: { readonly type: string; readonly audio: string };
  readonly inputs: readonly { readonly ext: string; readonly clipSize?: number }[];
  readonly result: { readonly ext: string };
  readonly problems: readonly unknown[];
}

/** Returns what the render of an item would do. */
async function preview(item: Renderable | undefined): Promise<Preview> {
  const { status, body } = await fetchJson<Preview>(`${item?.renderConfig?.executionUrl}&plan=only`);
  expect(status).toBe(200);
  return body;
}

describe.each(endpoints)('%s', (_name, path, item) => {
  test('prepares every audio format, and names the job after the platform', async () => {
    const audios = requested(audiosOf(await request(path, { ...item, renderableAudios: formats.join() })));
    expect(audios.map(({ label, error }) => [label, error])).toEqual(formats.map((label) => [label, undefined]));
    for (const { repId } of audios) expect(repId).toMatch(new RegExp(`^${path.slice(1, 3)}-`));
    const plans = await Promise.all(audios.map(preview));
    expect(plans.map(({ result }) => result.ext)).toEqual(['mp3', 'm4a', 'opus', 'flac', 'wav', 'm4a']);
    expect(plans.map(({ operation }) => operation.audio)).toEqual([
      ...['encode', 'copy', 'encode', 'encode', 'encode', 'copy'],
    ]);
    expect(plans.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test('renders the clip of its audio with tags and a bit rate', async () => {
    const query = { renderableAudios: 'mp3', renderableAudioBitrate: '32', clip: '1-2.5' };
    const [audio] = requested(audiosOf(await request(path, { ...item, ...query })));
    const file = await fileOf(audio);
    const { common, format } = await parseBuffer(file);
    expect(common.title).toEqual(expect.any(String));
    expect((await inspect(file)).duration).toBeCloseTo(1.5, 0);
    expect(format.bitrate).toBeLessThan(40_000);
  });

  test('counts audio after video towards the plan', async () => {
    const query = { renderableFormats: 'lowres', renderableAudios: 'mp3,m4a' };
    const result = await request(path, { ...item, ...query }, keys.BASIC);
    expect(outcomes(result, 'renderableVideos')[0]).toEqual([[expect.any(String), true]]);
    const beyond = expect.stringMatching(/^Beyond the plan renderable count: plan BASIC/);
    expect(requested(audiosOf(result)).map(({ label, error }) => [label, error])).toEqual([
      ['mp3', beyond],
      ['m4a', beyond],
    ]);
  });

  test('has an error for a language that is not available, in videos and audio', async () => {
    const query = { renderableFormats: 'lowres', renderableAudios: 'mp3', audioLanguage: 'eo' };
    const { contents = [] } = await request(path, { ...item, ...query });
    const { renderableVideos = [], renderableAudios = [] } = contents[0] ?? {};
    expect(renderableVideos.map(({ label }) => label)).toEqual(['lowres']);
    for (const { error } of [...renderableVideos, ...renderableAudios]) {
      expect(error).toMatch(/^Unavailable: audio in eo; the platform does not state the language/);
    }
  });

  test('notes that there are no subtitles to embed, unless there are', async () => {
    const query = { renderableFormats: 'lowres', subtitleLanguages: 'eo' };
    const { notes } = await request(path, { ...item, ...query });
    expect(notes?.join('\n')).toMatch(/Subtitles in eo are not available; available: |No subtitles are embedded/);
  });

  test('has an error with the real duration for a clip after the end', async () => {
    const query = { renderableFormats: 'lowres', renderableAudios: 'mp3', clip: '500-' };
    const { contents = [] } = await request(path, { ...item, ...query });
    const { renderableVideos = [], renderableAudios = [] } = contents[0] ?? {};
    for (const { error } of [...renderableVideos, ...renderableAudios]) {
      expect(error).toMatch(/^Out of range: the clip starts at 500 s, but the media ends at [\d.]+ s\.$/);
    }
  });

  test.each([
    ['clip', { clip: '20-10' }],
    ['embed', { embed: 'none,cover' }],
    ['renderableAudios', { renderableAudios: 'weba' }],
    ['renderableAudioBitrate', { renderableAudios: 'mp3', renderableAudioBitrate: '31' }],
    ['renderableAudioBitrate', { renderableAudios: 'flac', renderableAudioBitrate: '64' }],
    ['renderableFormats', { renderableFormats: 'slideshows' }],
    ['audioLanguage', { audioLanguage: '!' }],
    ['subtitleLanguages', { subtitleLanguages: 'de', embed: 'none' }],
    ['maxSize', { maxSize: '65535' }],
  ])('refuses a wrong %s with its name: %o', async (parameter, query) => {
    const { status, body } = await extract<Result>(`${service}${path}?${new URLSearchParams({ ...item, ...query })}`);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, 'invalid_params', parameter]);
    expect(body.error?.message).toContain(parameter);
  });
});

describe('a post of images and videos', () => {
  test.each([
    ['p2', post, { shortcode: 'lab-caromix' }, [1, 3]],
    ['p3', reel, facebook('/thelab/posts/880000000000002'), [2]],
    ['p6', pinDetails, pin(103), [0]],
  ] as const)('of %s has audio only for its videos', async (_name, path, item, places) => {
    const result = await request(path, { ...item, renderableAudios: 'mp3' });
    const none = 'Unavailable: this content has no audio that can be rendered.';
    expect(outcomes(result, 'renderableAudios')).toEqual(
      (result.contents ?? []).map((_, at) => [['mp3', places.some((place) => place === at) ? true : none]]),
    );
  });

  test.each([
    ['p2', post, { shortcode: 'lab-caromix' }, 3, '2 videos are'],
    ['p3', reel, facebook('/thelab/posts/880000000000002'), 4, '1 video is'],
  ] as const)(
    'of %s has one slideshow, of the images only and in the first of them',
    async (_name, path, item, count, left) => {
      const result = await request(path, { ...item, renderableFormats: 'slideshow', clip: '40-' });
      const [first, ...others] = outcomes(result, 'renderableVideos');
      expect([first, others.flat()]).toEqual([[['slideshow', true]], []]);
      expect(result.notes).toContain(`The slideshow has only the images of the post: ${left} left out.`);
      const { operation, inputs } = await preview(result.contents?.[0]?.renderableVideos?.[0]);
      expect([operation.type, inputs.map(({ ext }) => ext)]).toEqual(['slideshow', Array(count).fill('jpeg')]);
    },
  );

  test('uses up the plan with its slideshow', async () => {
    const query = { shortcode: 'lab-caromix', renderableFormats: 'slideshow,720p', renderableAudios: 'mp3' };
    const result = await request(post, query, keys.BASIC);
    const ready = [...outcomes(result, 'renderableVideos'), ...outcomes(result, 'renderableAudios')].flat();
    expect(ready.filter(([, outcome]) => outcome === true)).toEqual([['slideshow', true]]);
  });
});

describe('subtitles', { tags: ['long'] }, () => {
  test.each([
    ['p3', reel, facebook('/reel/770000000000001'), 'en'],
    ['p6', pinDetails, pin(110), 'fr'],
  ] as const)('of %s become a track of its video', async (_name, path, item, language) => {
    const query = { renderableFormats: 'lowres', subtitleLanguages: `${language},eo`, clip: '0-2' };
    const { contents, notes } = await request(path, { ...item, ...query });
    expect(notes?.join('\n')).toMatch(/Subtitles in eo are not available; available: .*\./);
    const { format } = await parseBuffer(await fileOf(contents?.[0]?.renderableVideos?.[0]));
    expect(format.trackInfo.length).toBe(3);
  });
});

test('maxSize limits the videos and the audio of p2 and p3, and not wav', { tags: ['long'] }, async () => {
  for (const [path, item] of [
    [post, { shortcode: 'lab-reel-12' }],
    [reel, facebook('/reel/770000000000018')],
  ] as const) {
    const query = { renderableFormats: 'lowres', renderableAudios: 'm4a,wav', maxSize: '70000', clip: '0-1' };
    const { contents } = await request(path, { ...item, ...query });
    const { renderableVideos = [], renderableAudios = [] } = contents?.[0] ?? {};
    const [video, audio, wav] = await Promise.all([...renderableVideos, ...renderableAudios].map(fileOf));
    expect(video?.length).toBeLessThanOrEqual(70_000);
    expect(audio?.length).toBeLessThanOrEqual(70_000);
    expect(wav?.length).toBeGreaterThan(70_000);
  }
});
