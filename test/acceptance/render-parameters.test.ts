import { parseBuffer } from 'music-metadata';
import { describe, expect, inject, test } from 'vitest';
import type { Renderable, Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { inspect } from '../support/media.ts';
import { keys } from '../support/processes.ts';
import { fileOf, renderItem } from '../support/render-item.ts';

const service = inject('serviceUrl');

async function request(path: string, query: Record<string, string>, key = keys.MEGA): Promise<Result> {
  const { body } = await extract<Result>(`${service}${path}?${new URLSearchParams(query)}`, key);
  return body;
}

async function p1(videoId: string, query: Record<string, string>, key?: string) {
  const body = await request('/p1/v3/video/details', { videoId, ...query }, key);
  expect(body.error).toBeNull();
  const { renderableVideos = [], renderableAudios = [] } = body.contents?.[0] ?? {};
  return { videos: renderableVideos, audios: renderableAudios, notes: body.notes ?? [] };
}

const errorsOf = (items: readonly Renderable[]) => items.map(({ label, error }) => [label, error]);

describe('clip', () => {
  test('renders only the requested part', async () => {
    const { videos, audios } = await p1('lab-plain30', {
      renderableFormats: '360p',
      renderableAudios: 'wav',
      clip: '0:10-20',
    });
    expect(videos[0]?.metadata).not.toHaveProperty('content_length');
    expect((await inspect(await fileOf(audios[0]))).duration).toBeCloseTo(10, 0);
    const { duration } = await inspect(await fileOf(videos[0]));
    // A copied clip begins at the key frame before its start.
    expect(duration).toBeGreaterThan(9);
    expect(duration).toBeLessThan(21);
  });

  test('has an error with the real duration if it starts after the end', async () => {
    const { videos } = await p1('lab-plain30', { renderableFormats: '360p', clip: '40-50' });
    expect(errorsOf(videos)).toEqual([['360p', expect.stringMatching(/starts at 40 s, but the media ends at 30/)]]);
  });
});

describe('renderableAudios', () => {
  test('returns an item for each format, with the requested bit rate', async () => {
    const formats = ['mp3', 'm4a', 'opus', 'flac', 'wav', 'original'];
    const { audios, videos } = await p1('lab-min-002', {
      renderableAudios: formats.join(),
      renderableAudioBitrate: '64',
    });
    expect(videos).toEqual([]);
    expect(audios.map(({ label }) => label)).toEqual(formats);
    const files = await Promise.all(audios.map(async (item) => (await inspect(await fileOf(item))).tracks));
    expect(files.map(([track, ...others]) => [track?.kind, others.length])).toEqual(formats.map(() => ['audio', 0]));
    expect(files.map(([track]) => track?.codec).slice(0, 4)).toEqual(['mp3', 'aac', 'opus', 'flac']);
  });

  test('counts towards the plan after renderableFormats', async () => {
    const query = { renderableFormats: '360p', renderableAudios: 'mp3' };
    const { videos, audios } = await p1('lab-min-002', query, keys.BASIC);
    expect(videos[0]?.renderConfig).toBeDefined();
    expect(errorsOf(audios)).toEqual([['mp3', expect.stringMatching(/^Beyond the plan renderable count/)]]);
  });

  test('follows the audio that p5 lists without being asked', { tags: ['long'] }, async () => {
    const { contents } = await request(
      '/p5/v3/video/details',
      { videoId: 'xlab30', renderableAudios: 'mp3' },
      keys.BASIC,
    );
    expect(contents?.[0]?.renderableAudios?.map(({ label, error }) => [label, error])).toEqual([
      [expect.any(String), undefined],
      ['mp3', undefined],
    ]);
  });

  test('can be left out with fields', async () => {
    const { audios } = await p1('lab-min-002', { renderableAudios: 'mp3', fields: '-contents.renderableAudios' });
    expect(audios).toEqual([]);
  });
});

describe('audioLanguage', () => {
  test('chooses the tracks of videos and audio files, which state their language', async () => {
    const { videos, audios } = await p1('lab-dubbed1', {
      renderableFormats: '360p',
      renderableAudios: 'm4a',
      audioLanguage: 'de,en',
      lang: 'fr',
    });
    const { tracks } = await inspect(await fileOf(videos[0]));
    expect(tracks.map(({ kind }) => kind)).toEqual(['video', 'audio', 'audio']);
    expect((await inspect(await fileOf(audios[0]))).tracks).toHaveLength(2);
  });

  test('has an error that lists the available languages', async () => {
    const { videos } = await p1('lab-dubbed1', { renderableFormats: '360p', audioLanguage: 'ja' });
    expect(errorsOf(videos)).toEqual([['360p', expect.stringMatching(/^Unavailable: audio in ja; available: .*de/)]]);
  });
});

describe('embed', () => {
  test('writes tags and chapters by default, also if fields excludes them from the response', async () => {
    const { audios } = await p1('lab-chapter', { renderableAudios: 'm4a', fields: 'contents.renderableAudios' });
    const { common, format } = await parseBuffer(await fileOf(audios[0]), undefined, { includeChapters: true });
    expect(common).toMatchObject({ title: expect.any(String), artist: expect.any(String) });
    expect(format.chapters).toHaveLength(3);
  });

  test('writes a cover on request', { tags: ['long'] }, async () => {
    const { audios } = await p1('lab-min-002', { renderableAudios: 'mp3', embed: 'metadata,cover' });
    const { common } = await parseBuffer(await fileOf(audios[0]));
    expect(common).toMatchObject({ title: expect.any(String), picture: [{ format: 'image/jpeg' }] });
  });

  test('writes nothing with none', { tags: ['long'] }, async () => {
    const { audios } = await p1('lab-min-002', { renderableAudios: 'm4a', embed: 'none' });
    expect((await parseBuffer(await fileOf(audios[0]))).common.title).toBeUndefined();
  });

  test('notes subtitle languages that are not available', async () => {
    const query = { renderableFormats: '360p', subtitleLanguages: 'de,ja' };
    const { videos, notes } = await p1('lab-min-002', query);
    expect(notes).toContain('Subtitles in ja are not available; available: en, de, en (auto-generated).');
    const file = await fileOf(videos[0]);
    expect((await parseBuffer(file)).format.trackInfo.length).toBeGreaterThanOrEqual(3);
  });
});

describe('tagTitle and other tags', () => {
  test('take precedence over the tags of the platform, and name the file', async () => {
    const tags = { tagTitle: 'Brücken & Häfen', tagAlbum: 'Lab', tagDate: '2019-05-04', tagComment: 'One\nTwo' };
    const query = { renderableFormats: '360p', renderableAudios: 'mp3', ...tags };
    const { videos, audios } = await p1('lab-min-002', query);
    for (const item of [videos[0], audios[0]]) {
      const { output } = await renderItem(item);
      const file = await fetch(output?.url ?? '');
      expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''Br%C3%BCcken%20%26%20H%C3%A4fen");
      const { common } = await parseBuffer(Buffer.from(await file.arrayBuffer()));
      expect(common).toMatchObject({ title: 'Brücken & Häfen', artist: expect.any(String), album: 'Lab' });
      expect(common.date).toMatch(/^2019-05-04/);
      expect(common.comment?.map(({ text }) => text)).toEqual(['One\nTwo']);
    }
  });

  test('are refused with the name of the parameter if they are invalid, or if no tags are embedded', async () => {
    for (const [parameter, query] of Object.entries({
      tagTitle: { tagTitle: 'a'.repeat(501) },
      tagDate: { tagDate: 'yesterday' },
      tagAlbum: { tagAlbum: 'Lab', embed: 'cover' },
    })) {
      const body = await request('/p1/v3/video/details', { videoId: 'lab-min-002', ...query });
      expect(body.error).toMatchObject({ code: 'invalid_params', parameter });
    }
  });
});

describe('maxSize', () => {
  test('is used by at least 90 percent and never exceeded, by video and audio', { tags: ['long'] }, async () => {
    const { videos, audios } = await p1('lab-plain30', {
      renderableFormats: '360p',
      renderableAudios: 'm4a',
      clip: '0-8',
      maxSize: '200000',
    });
    for (const item of [videos[0], audios[0]]) {
      const { length } = await fileOf(item);
      expect(length).toBeLessThanOrEqual(200_000);
      expect(length).toBeGreaterThanOrEqual(180_000);
    }
  });
});

describe('slideshow', () => {
  test('is a video of the images of a p4 post and its music', { tags: ['long'] }, async () => {
    const url = 'https://www.tiktok.com/@thelab/photo/7559142440960000003';
    const { contents } = await request('/p4/v3/post/details', { url, renderableFormats: 'slideshow' });
    const { tracks } = await inspect(await fileOf(contents?.[0]?.renderableVideos?.[0]));
    expect(tracks.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  });

  test('has an error for a post without images', async () => {
    const { videos } = await p1('lab-min-002', { renderableFormats: 'slideshow' });
    expect(errorsOf(videos)).toEqual([['slideshow', 'Unavailable: this post has no images.']]);
  });
});

describe('a wrong parameter', () => {
  test.each([
    ['clip', { clip: '20-10' }],
    ['embed', { embed: 'none,cover' }],
    ['renderableAudios', { renderableAudios: 'weba' }],
    ['renderableAudioBitrate', { renderableAudios: 'mp3', renderableAudioBitrate: '999' }],
    ['audioLanguage', { audioLanguage: '!' }],
    ['subtitleLanguages', { subtitleLanguages: 'de', embed: 'cover' }],
    ['maxSize', { maxSize: '8MB' }],
  ])('%s is refused with 400 and its name', async (parameter, query) => {
    const parameters = new URLSearchParams({ videoId: 'lab-min-002', ...query });
    const { status, body } = await extract<Result>(`${service}/p1/v3/video/details?${parameters}`);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, 'invalid_params', parameter]);
  });
});
