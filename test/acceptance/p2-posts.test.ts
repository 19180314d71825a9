import { describe, expect, inject, test } from 'vitest';
import type { Item, Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { fetchThroughLab } from '../support/lab-client.ts';
import { frameSize, inspect } from '../support/media.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

const details = (shortcode: string, query = '') =>
  extract<Result>(`${service}/p2/v3/media/post/details?shortcode=${encodeURIComponent(shortcode)}${query}`);

async function answered(shortcode: string): Promise<Result> {
  const { status, body } = await details(shortcode);
  expect([status, body.error]).toEqual([200, null]);
  return body;
}

const labels = (items: readonly Item[] | undefined) => items?.map(({ label }) => label);
const kinds = ({ contents }: Result) =>
  contents?.map(({ videos = [], audios = [], images = [] }) => [videos.length, audios.length, images.length]);

describe('the media of a post', () => {
  test('of a reel with a manifest are the progressive file, silent videos, their audio and its cover image', async () => {
    const { contents, metadata, notes } = await answered('lab-reel-30');
    expect(contents).toHaveLength(1);
    const { videos = [], audios = [], images = [] } = contents?.[0] ?? {};
    expect(videos.map(({ label, metadata: { has_audio, quality } }) => [label, has_audio, quality])).toEqual([
      ['720p', true, undefined],
      ['1080p', false, '1080p'],
      ['720p', false, '720p'],
      ['360p', false, '240p'],
    ]);
    expect(
      audios.map(({ label, metadata: { width, height, has_audio } }) => [label, width, height, has_audio]),
    ).toEqual([['audio 128kbps', 0, 0, true]]);
    expect(labels(images)).toEqual(['1920x1080', '1280x720', '640x360']);
    expect(metadata.thumbnailUrl).toBe(images[0]?.url);
    expect(notes).toContain('This request cost 1 credit.');
    for (const list of [videos, audios, images]) expect(new Set(list.map(({ repId }) => repId)).size).toBe(list.length);
    for (const { metadata: facts } of [...videos, ...audios, ...images]) {
      expect(Date.parse(String(facts.expires_at))).toBeGreaterThan(Date.now());
    }
    for (const item of [...videos, ...images]) {
      const { status, body } = await fetchThroughLab(lab, item.url);
      expect(status).toBe(200);
      expect(await frameSize(body)).toBe(`${item.metadata.width}x${item.metadata.height}`);
    }
    const sound = await inspect((await fetchThroughLab(lab, audios[0]?.url ?? '')).body);
    expect(sound.tracks.map(({ kind }) => kind)).toEqual(['audio']);
  });

  test('have names that are stable between calls', async () => {
    const names = async (query: string) => {
      const { body } = await details('lab-carovid', query);
      return body.contents?.map(({ videos }) => videos?.map(({ repId }) => repId));
    };
    const first = await names('');
    expect(first?.flat()).toHaveLength(12);
    expect(await names('&countryCode=worldwide')).toEqual(first);
  });

  test('list a file only once when it is named three times', async () => {
    const { contents } = await answered('lab-reel-12');
    expect(labels(contents?.[0]?.videos)).toEqual(['720p']);
    expect(contents?.[0]).not.toHaveProperty('audios');
  });

  test('of a photo are only images, without the squares cropped from them', async () => {
    const { contents, metadata } = await answered('lab-photo-1');
    expect(contents).toHaveLength(1);
    expect(Object.keys(contents?.[0] ?? {})).toEqual(['images']);
    const { images = [] } = contents?.[0] ?? {};
    expect(labels(images)).toEqual(['1920x1080', '1280x720', '640x360']);
    for (const { url, label } of images) expect(await frameSize((await fetchThroughLab(lab, url)).body)).toBe(label);
    expect(images[0]?.metadata).toMatchObject({ mime_type: 'image/jpeg', has_audio: false, alt: expect.any(String) });
    expect(metadata.additionalData).toMatchObject({ type: 'image' });
  });

  test('of a carousel with an item of an unknown kind are the others, with a note', async () => {
    const body = await answered('lab-newkind');
    expect(kinds(body)).toEqual([
      [0, 0, 3],
      [0, 0, 3],
    ]);
    expect(body.notes).toContain('Omitted 1 entry of an unknown kind (XIGPolarisLabMedia).');
  });

  test('have the duration of the manifest when nothing else has one', async () => {
    const { contents, metadata } = await answered('lab-old2024');
    expect(metadata.additionalData).toMatchObject({ duration: 12 });
    expect(contents?.[0]?.videos?.map((video) => video.metadata.duration)).toEqual([12, 12, 12, 12]);
  });

  test('of a carousel are one content item for each of its items, in order, of the right kind', async () => {
    const mixed = await answered('lab-caromix');
    expect(kinds(mixed)).toEqual([
      [0, 0, 3],
      [1, 0, 3],
      [0, 0, 3],
      [1, 0, 3],
      [0, 0, 3],
    ]);
    expect(mixed.metadata.additionalData).toMatchObject({ type: 'carousel' });
    const links = mixed.contents?.map(({ images }) => images?.[0]?.url.split('?')[0]);
    expect(new Set(links).size).toBe(5);
    expect((await answered('lab-caroten')).contents).toHaveLength(10);
    const videos = await answered('lab-carovid');
    expect(kinds(videos)).toEqual(Array(3).fill([4, 1, 3]));
  });

  test('report a video without audio', async () => {
    const { contents } = await answered('lab-silent1');
    const [video] = contents?.[0]?.videos ?? [];
    expect(video?.metadata).toMatchObject({ has_audio: false, duration: 12 });
    const { tracks } = await inspect((await fetchThroughLab(lab, video?.url ?? '')).body);
    expect(tracks.map(({ kind }) => kind)).toEqual(['video']);
  });

  test('leave out a manifest that declares entities, and add a note', async () => {
    const { contents, notes } = await answered('lab-mpd-xml');
    expect(labels(contents?.[0]?.videos)).toEqual(['720p']);
    expect(notes?.[0]).toMatch(/^Some qualities are missing/);
  });

  test('have links that fail after their reported expiry', async () => {
    const { contents } = await answered('lab-expired');
    const { videos = [], images = [] } = contents?.[0] ?? {};
    for (const { url, metadata } of [...videos, ...images]) {
      expect(Date.parse(String(metadata.expires_at))).toBeLessThan(Date.now());
      expect((await fetchThroughLab(lab, url)).status).toBe(403);
    }
  });
});

describe('the details of a post', () => {
  test('are the text, author, times, statistics and audio', async () => {
    const { metadata } = await answered('lab-song-01');
    expect(metadata).toMatchObject({
      title: expect.stringContaining('Grüße from @lab.friend #lab'),
      author: {
        id: expect.stringMatching(/^\d{6,9}$/),
        username: expect.any(String),
        url: expect.stringMatching(/^https:\/\/www\.instagram\.com\/[\w.]+\/$/),
        verified: expect.any(Boolean),
        thumbnails: [{ url: expect.stringMatching(/^https:/), width: 150, height: 150 }],
      },
      additionalData: {
        shortcode: 'lab-song-01',
        type: 'reel',
        url: 'https://www.instagram.com/reel/lab-song-01/',
        source: 'page',
        mentions: ['lab.friend'],
        hashtags: ['lab', expect.stringMatching(/^post\d$/)],
        createdAt: expect.stringMatching(/^2026-.*Z$/),
        duration: 12,
        statistics: { likeCount: expect.any(Number), commentCount: expect.any(Number) },
        music: { kind: 'song', id: '1000000000000001', title: expect.stringContaining('&') },
      },
    });
    const { author, additionalData = {} } = metadata as Record<string, Record<string, unknown>>;
    expect(author?.userId).toBe(author?.id);
    expect(Date.parse(String(additionalData.createdAt))).toBe(Number(additionalData.createdTime) * 1000);
  });

  test('include the location, tagged people, coauthors and paid partnerships', async () => {
    const { metadata } = await answered('lab-company');
    const friend = { username: 'lab.friend', id: expect.stringMatching(/^\d{6,9}$/) };
    expect(metadata.additionalData).toMatchObject({
      location: { id: '213491581', name: 'Lab, Loopback', latitude: 53.9, longitude: -122.7 },
      taggedUsers: [friend],
      coauthors: [friend],
      paidPartnership: true,
    });
  });

  test('include the comments of the page', async () => {
    for (const shortcode of ['lab-comment', 'lab-old2024']) {
      const { metadata } = await answered(shortcode);
      const { threads, ...rest } = metadata.comments as Record<string, unknown> & { threads: unknown[] };
      expect(rest).toEqual({ header: { count: expect.any(Number) }, nextToken: null });
      expect(threads).toHaveLength(15);
      expect(threads[3]).toMatchObject({
        type: 'comment',
        text: `Comment 3 on ${shortcode} 👏`,
        likeCount: 3,
        author: { username: 'lab.reader3' },
      });
    }
    expect((await answered('lab-reel-12')).metadata).not.toHaveProperty('comments');
  });

  test.each(['lab-hidden0', 'lab-xdthide'])('%s: omit hidden counts', async (shortcode) => {
    const { metadata } = await answered(shortcode);
    expect(metadata.additionalData).toMatchObject({ countsHidden: true });
    expect(metadata.additionalData?.statistics).toEqual({ commentCount: expect.any(Number) });
  });

  test('are read from a page in another encoding', async () => {
    const { metadata } = await answered('lab-latin-1');
    expect(metadata.additionalData).toMatchObject({ source: 'page', shortcode: 'lab-latin-1' });
  });
});

describe('the shortcode', () => {
  test.each([
    'lab-reel-12',
    'https://www.instagram.com/p/lab-reel-12/',
    'https://instagram.com/reel/lab-reel-12?igsh=abc',
    'http://m.instagram.com/reels/lab-reel-12/',
    'https://www.instagram.com/tv/lab-reel-12',
    'https://instagr.am/p/lab-reel-12/?img_index=2',
    'www.instagram.com/p/lab-reel-12/',
    'https://www.instagram.com/the.lab/reel/lab-reel-12/',
    'https://www.instagram.com/p/lab-reel-12/embed/captioned/',
    'https://www.instagram.com/share/lab-reel-12',
    'https://www.instagram.com/share/p/lab-reel-12/',
    'https://www.instagram.com/share/reel/lab-reel-12/?x=1',
    'Watch this: https://www.instagram.com/reel/lab-reel-12/?igsh=MzRlODBiNWFlZA== 😍',
    'My page is https://example.com/; see m.instagram.com/the.lab/reel/lab-reel-12/.',
    // The longer code of a post that was shared from a private account, but is public.
    `lab-reel-12${'x'.repeat(28)}`,
  ])('may be %s', async (shortcode) => {
    const { metadata } = await answered(shortcode);
    expect(metadata.additionalData).toMatchObject({ shortcode: 'lab-reel-12' });
  });

  test('may be a short link that first redirects to itself with a slash', async () => {
    const { metadata } = await answered('https://www.instagram.com/share/reel/lab-slash-1');
    expect(metadata.additionalData).toMatchObject({ shortcode: 'lab-slash-1' });
  });

  test.each([
    ['a b', 'invalid_params'],
    ['abcd', 'invalid_params'],
    ['x'.repeat(65), 'invalid_params'],
    ['ftp://www.instagram.com/p/lab-reel-12/', 'invalid_params'],
    ['https://www.dailymotion.com/video/xlab30', 'invalid_platform_url'],
    ['https://www.instagram.com.lab.example/p/lab-reel-12/', 'invalid_platform_url'],
    ['https://www.instagram.com/thelab/', 'invalid_url'],
    ['https://www.instagram.com/stories/thelab/1/', 'invalid_url'],
    ['https://www.instagram.com/reels/audio/1000000000000001/', 'invalid_url'],
    ['https://www.instagram.com/share/labprofile', 'invalid_url'],
  ])('%s returns 400 %s', async (shortcode, code) => {
    const { status, body } = await details(shortcode);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, 'shortcode']);
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test('is required, and may be given only once', async () => {
    const path = `${service}/p2/v3/media/post/details`;
    for (const [query, code] of [
      ['', 'params_not_found'],
      ['?shortcode=', 'params_not_found'],
      ['?shortcode=lab-reel-12&shortcode=lab-photo-1', 'invalid_params'],
      ['?shortcode=lab-reel-12&renderableFormats=720', 'invalid_params'],
      ['?shortcode=lab-reel-12&countryCode=zz', 'invalid_params'],
    ]) {
      const { status, body } = await extract<Result>(`${path}${query}`);
      expect([query, status, body.error?.code]).toEqual([query, 400, code]);
    }
    expect((await details('lab-reel-12', '&countryCode=fr')).body.error?.code).toBe(
      'unsupported_proxy_for_geo_targeting',
    );
  });
});
