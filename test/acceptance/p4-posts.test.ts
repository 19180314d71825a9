import { describe, expect, inject, test } from 'vitest';
import type { Item, Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { dataFaults, openP4, pageFaults, postId, postLink } from '../support/p4-client.ts';
import { EXTRACTION_LIMIT_MS } from '../support/time-limits.ts';

const service = inject('serviceUrl');
const { post } = openP4(service);

const brief = (items: readonly Item[] = []) =>
  items.map(({ repId, label, metadata: { width, height, codec } }) => [repId, label, width, height, codec]);

describe('GET /p4/v3/post/details', () => {
  test('returns a video: its main file, each encode, its audio and its covers', async () => {
    const { status, body, headers } = await post(postLink(1, 'thelab'));
    expect([status, body.error, body.contents?.length]).toEqual([200, null, 1]);
    const [content] = body.contents ?? [];
    expect(brief(content?.videos)).toEqual([
      ['main', '540p', 640, 360, 'h264'],
      ['adapt_lowest_1080_1', '1080p', 1920, 1080, 'hevc'],
      ['adapt_lower_720_1', '720p', 1280, 720, 'hevc'],
      ['lowest_540_0', '540p', 256, 144, 'h264'],
    ]);
    for (const { metadata } of content?.videos ?? []) {
      expect(metadata).toMatchObject({ mime_type: 'video/mp4', has_audio: true, duration: 12, fps: 25 });
      expect(metadata.content_length).toBeGreaterThan(10_000);
      expect(metadata.bitrate).toBeCloseTo((Number(metadata.content_length) * 8) / 12, -1);
      expect(Date.parse(String(metadata.expires_at))).toBeGreaterThan(Date.now());
    }
    expect(content?.audios).toMatchObject([
      {
        label: 'original sound - The Lab',
        metadata: { mime_type: 'audio/mpeg', width: 0, height: 0, has_audio: true, original: true, duration: 12 },
      },
    ]);
    expect(content?.images?.map(({ label, metadata }) => [label, metadata.width, metadata.height])).toEqual([
      ...['cover', 'origin_cover', 'dynamic_cover'].map((label) => [label, 640, 360]),
      ...[960, 720, 480, 240].map((side) => [`zoom_cover_${side}`, side, side]),
    ]);
    expect(content?.renderableAudios).toMatchObject([
      { label: 'audio', repId: expect.stringMatching(/^p4-/), metadata: { mime_type: 'audio/mp4', has_audio: true } },
    ]);
    expect(content).not.toHaveProperty('renderableVideos');
    expect(body.notes).toContain('This request cost 1 credit.');
    expect(headers.get('cache-control')).toContain('private');
  });

  test('returns text, author, counts, dates, tags, music and subtitles', async () => {
    const { body } = await post(postLink(1));
    expect(body.metadata).toMatchObject({
      title: expect.stringMatching(/ #lab #\w+ @theoldlab$/),
      thumbnailUrl: body.contents?.[0]?.images?.[0]?.url,
      author: {
        name: 'The Lab',
        handle: 'thelab',
        url: 'https://www.tiktok.com/@thelab',
        verified: true,
        private: false,
        followerCount: expect.any(Number),
        thumbnails: [{ width: 1080 }, { width: 720 }, { width: 100 }],
      },
      additionalData: {
        id: postId(1),
        source: 'desktop',
        type: 'video',
        url: postLink(1, 'thelab'),
        createdAt: '2025-10-09T08:53:20.000Z',
        duration: 12,
        statistics: {
          viewCount: expect.any(Number),
          likeCount: expect.any(Number),
          commentCount: expect.any(Number),
          shareCount: expect.any(Number),
          saveCount: expect.any(Number),
          repostCount: 0,
        },
        hashtags: expect.arrayContaining(['lab']),
        tags: ['lab', expect.any(String)],
        mentions: [{ handle: 'theoldlab', id: '6800' }],
        music: { title: 'original sound', author: 'The Lab', original: true },
        subtitles: [{ language: 'eng-US', format: 'webvtt', kind: 'ASR', url: expect.stringMatching(/^https:/) }],
        stickers: ['A word on the picture'],
        location: 'US',
      },
    });
  });

  test('returns photos in order, their music, and the comments of the mobile page', async () => {
    const { body } = await post(`https://www.tiktok.com/@thelab/photo/${postId(3)}`);
    const [content] = body.contents ?? [];
    expect(brief(content?.images)).toEqual([
      ['photo_1', '1280x720', 1280, 720, undefined],
      ['photo_2', '848x480', 848, 480, undefined],
      ['photo_3', '640x360', 640, 360, undefined],
    ]);
    expect(content).not.toHaveProperty('videos');
    expect(content?.images?.[0]?.metadata.alternates).toEqual([expect.stringMatching(/^https:\/\/p19-/)]);
    expect(content?.audios).toMatchObject([{ metadata: { mime_type: 'audio/mpeg' } }]);
    expect(content?.renderableAudios).toMatchObject([{ metadata: { mime_type: 'audio/mpeg' } }]);
    expect(body.metadata.additionalData).toMatchObject({ type: 'photo', imageCount: 3, source: 'desktop' });
    expect(body.metadata.additionalData?.photoTitle).toMatch(/^Photos of/);
    expect(body.metadata).not.toHaveProperty('comments');
    const phone = await post(postLink(22));
    expect(phone.body.metadata).toMatchObject({
      comments: {
        header: { count: expect.any(Number) },
        threads: [
          { type: 'comment', text: 'Comment 1', author: { handle: 'fan0' }, likeCount: 30, pinned: true },
          { images: [{ width: 1280, height: 720 }], hearted: true, replyCount: 1 },
          { text: 'Comment 3' },
        ],
        nextToken: null,
      },
    });
  });

  test('returns the played part of the music, and detects the type of an unlabelled file', async () => {
    const part = await post(postLink(4));
    expect(part.body.contents?.[0]?.audios).toMatchObject([
      { repId: 'soundtrack', metadata: { mime_type: 'audio/mp4' } },
      { metadata: { mime_type: 'audio/mpeg' } },
    ]);
    const untold = await post(postLink(5));
    expect(untold.body.contents?.[0]?.audios).toMatchObject([{ metadata: { mime_type: 'audio/mp4' } }]);
  });

  test('leaves out unplayable and watermarked files, and marks silent ones', async () => {
    const { body } = await post(postLink(6));
    const [content] = body.contents ?? [];
    expect(content?.videos?.map(({ repId, metadata }) => [repId, metadata.has_audio])).toEqual([
      ['main', true],
      ['adapt_540_1', false],
      ['lowest_540_0', true],
    ]);
  });

  test('reads the page format of 2022', async () => {
    const { body } = await post(postLink(7));
    expect(brief(body.contents?.[0]?.videos)).toEqual([['main', '360p', 640, 360, undefined]]);
    expect(body.metadata.additionalData?.statistics).toMatchObject({ viewCount: expect.any(Number) });
  });

  test('returns the dimensions of the main file when only the video states them', async () => {
    const { body } = await post(postLink(9));
    expect(brief(body.contents?.[0]?.videos)[0]).toEqual(['main', '540p', 640, 360, 'h264']);
  });

  test('counts an entry of an unknown kind in a note, and returns the others', async () => {
    const { body } = await post(postLink(10));
    expect(body.contents?.[0]?.images?.map(({ repId }) => repId)).toEqual(['photo_1', 'photo_3']);
    expect(body.notes).toContain('Omitted 1 entry of an unknown kind (imagePost.images).');
  });

  test('notes that it could not read the richer page', async () => {
    const { body } = await post(postLink(30));
    expect([body.error, body.metadata.additionalData?.source]).toEqual([null, 'mobile']);
    expect(body.notes).toContain('Omitted 1 entry of an unknown kind (webapp.video-page).');
  });

  test.each([
    ['a name', postLink(2, 'some.body-1')],
    ['no name', `https://www.tiktok.com/@/video/${postId(2)}`],
    ['no www, and parameters', `http://tiktok.com/@thelab/video/${postId(2)}/?lang=en&is_copy_url=1#top`],
    ['the path of photos', `https://m.tiktok.com/@thelab/photo/${postId(2)}`],
    ['share', `https://www.tiktok.com/share/video/${postId(2)}/`],
    ['i18n/share', `https://www.tiktok.com/i18n/share/video/${postId(2)}`],
    ['embed', `https://www.tiktok.com/embed/${postId(2)}`],
    ['embed/v2', `https://www.tiktok.com/embed/v2/${postId(2)}`],
    ['tiktokv.com', `https://www.tiktokv.com/share/video/${postId(2)}/`],
    ['m.tiktok.com/v', `https://m.tiktok.com/v/${postId(2)}.html`],
    ['vm.', 'https://vm.tiktok.com/ZMlab0002/'],
    ['vt.', 'https://vt.tiktok.com/ZMlab0002'],
    ['player/v1', `https://www.tiktok.com/player/v1/${postId(2)}?autoplay=1`],
    ['us.', `https://us.tiktok.com/@thelab/video/${postId(2)}`],
    ['lite.', `https://lite.tiktok.com/@thelab/video/${postId(2)}`],
    ['lite. and /t/', 'https://lite.tiktok.com/t/ZMlab0002/'],
    ['a language', `https://www.tiktok.com/pt-BR/@thelab/video/${postId(2)}`],
    ['no scheme', `www.tiktok.com/@thelab/video/${postId(2)}`],
    ['text around it', `Look at this: ${postLink(2)}, it is great!`],
    ['only an ID', postId(2)],
    ['/t/', 'https://www.tiktok.com/t/ZMlab0002/?_r=1'],
    ['spaces around it', `  ${postLink(2)} `],
  ])('accepts a link with %s', async (_name, url) => {
    const { body } = await post(url);
    expect(body.error).toBeNull();
    expect(body.metadata.additionalData?.id).toBe(postId(2));
  });

  test.each(['ZMlabphoto', 'ZMlablogin', 'ZMlabwords'])('follows the short link %s', async (code) => {
    const { body } = await post(`https://vm.tiktok.com/${code}/`);
    expect([body.error, body.metadata.additionalData?.id]).toEqual([null, postId(3)]);
  });

  test('returns the same post for an ID each time', async () => {
    const url = 'https://www.tiktok.com/@_/video/7400000000000000123';
    const [first, second] = [await post(url), await post(url)];
    expect(first.body.error).toBeNull();
    expect(first.body.metadata.author).toMatchObject({ handle: 'maker123' });
    expect(second.body.metadata.title).toBe(first.body.metadata.title);
  });
});

describe('each strategy for a post', () => {
  test.each([
    [21, 'mobile'],
    [22, 'mobile'],
    [23, 'mobile'],
    [24, 'mobile'],
    [25, 'mobile'],
    [26, 'desktop'],
    [27, 'desktop'],
    [28, 'mobile'],
    [29, 'desktop'],
  ])('post %i is found as %s', async (number, source) => {
    const { body } = await post(postLink(number));
    expect(body.error).toBeNull();
    expect(body.metadata.additionalData?.source).toBe(source);
    expect(body.contents?.[0]?.videos?.[0]).toMatchObject({ repId: 'main', metadata: { width: 640, height: 360 } });
  });
});

describe('an unavailable post', () => {
  test.each([
    ['a bot check, although oEmbed has the post', 31, 'non_2xx_response', true],
    ['a captcha', 32, 'non_2xx_response', true],
    ['a page without data', 33, 'non_2xx_response', true],
    ['the page of a live stream', 34, 'non_2xx_response', true],
    ['403', 35, 'non_2xx_response', true],
    ['a login', 36, 'signin_required', false],
    ['truncated data', 37, 'invalid_response_data', true],
    ["item doesn't exist", 41, 'not_found', false],
    ['status_deleted', 42, 'not_found', false],
    ['10204 without a message', 43, 'not_found', false],
    ['status_self_see', 44, 'unavailable', false],
    ['status_reviewing', 45, 'unavailable', false],
    ['status_audit_not_pass', 46, 'unavailable', false],
    ['cross_border_violation', 47, 'unavailable', false],
    ['copyright_geo_filter', 48, 'unavailable', false],
    ['person_geo_fencing', 49, 'unavailable', false],
    ['private post', 50, 'unavailable', false],
    ['private account', 51, 'unavailable', false],
    ['content_classification', 52, 'age_restricted', false],
    ['status_of_the_lab', 53, 'unavailable', false],
    ['another country', 54, 'unavailable', false],
    ['classified, without video', 55, 'age_restricted', false],
    ['no file', 56, 'unavailable', false],
    ['another post', 57, 'invalid_response_data', true],
    ['details under a new name', 38, 'invalid_response_data', true],
    ['a new kind of item', 58, 'invalid_response_data', true],
  ])('%s: post %i returns %s', async (words, number, code, retryable) => {
    const { status, body } = await post(postLink(number));
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, retryable, message: expect.any(String), statusCode: expect.any(Number) });
    expect(body).toMatchObject({ contents: [], metadata: {} });
    if (/_|^item|^private/.test(words)) expect(body.error?.reason).toBe(words);
  });

  test('in a form that cannot be read costs no credit', async () => {
    const { body } = await post(postLink(58));
    expect(body.notes).not.toContain('This request cost 1 credit.');
  });

  test('with an ID from the future does not exist', async () => {
    expect((await post('https://www.tiktok.com/@_/video/9000000000000000001')).body.error?.code).toBe('not_found');
  });

  test.each([...pageFaults, ...dataFaults])(
    'behind a page with %s returns %s',
    { tags: ['long'] },
    async (word, code) => {
      const start = performance.now();
      const { status, body } = await post(postLink(2, word));
      expect([status, body.error?.code, body.error?.retryable]).toEqual([200, code, true]);
      expect(performance.now() - start).toBeLessThan(EXTRACTION_LIMIT_MS);
    },
  );

  test.each(pageFaults)('behind a short link with %s returns %s', { tags: ['long'] }, async (word, code) => {
    const { status, body } = await post(`https://vm.tiktok.com/${word}/`);
    expect([status, body.error?.code]).toEqual([200, code]);
  });

  test('behind a short link to nowhere, or to a user, is refused', async () => {
    expect((await post('https://vm.tiktok.com/ZMlabgone/')).body.error?.code).toBe('not_found');
    expect((await post('https://vm.tiktok.com/ZMlabuser/')).body.error?.code).toBe('invalid_url');
  });

  test.each([
    ['', 'params_not_found'],
    ['url=', 'params_not_found'],
    ['url=no+link', 'invalid_url'],
    ['url=ftp://www.tiktok.com/@a/video/7559142440960000001', 'invalid_url'],
    ['url=https://www.tiktok.com/@thelab', 'invalid_url'],
    ['url=@thelab', 'invalid_url'],
    ['url=https://www.tiktok.com/@thelab/video/123', 'invalid_url'],
    ['url=https://www.tiktok.com/tag/lab', 'invalid_url'],
    ['url=https://www.dailymotion.com/video/xlab30', 'invalid_platform_url'],
    ['url=https://www.tiktok.com.evil.example/@a/video/7559142440960000001', 'invalid_platform_url'],
    ['url=http://169.254.169.254/@a/video/7559142440960000001', 'invalid_platform_url'],
    [`url=${'a'.repeat(5_001)}`, 'invalid_params'],
    ['url=https://vm.tiktok.com/a&url=https://vm.tiktok.com/b', 'invalid_params'],
  ])('?%s returns 400 %s, naming url', async (query, code) => {
    const { status, body } = await extract<Result>(`${service}/p4/v3/post/details?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, parameter: 'url', statusCode: 400 });
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });
});
