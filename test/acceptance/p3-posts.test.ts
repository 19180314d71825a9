import { randomInt } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { titleOfItem } from '../../lab/platforms/headlines.ts';
import { personName } from '../../lab/platforms/names.ts';
import type { Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import type { LabRequest } from '../support/lab-client.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');
const site = 'https://www.facebook.com';

const details = (url: string) => extract<Result>(`${service}/p3/v3/post/details?${new URLSearchParams({ url })}`);

const reel = (number: number) => `${site}/reel/7700000000000${`${number}`.padStart(2, '0')}`;
const post = (number: number) => `${site}/thelab/posts/8800000000000${`${number}`.padStart(2, '0')}`;

/** Returns an ID that no other test requests. */
const freshId = () => `71${randomInt(1e9, 1e10)}${randomInt(100, 1000)}`;

/** Returns the requests that the lab has received below a path. */
async function requestsTo(path: string): Promise<readonly LabRequest[]> {
  const query = new URLSearchParams({ path });
  return (await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests?${query}`)).body.requests;
}

const labels = ({ contents }: Result) =>
  contents?.map(({ videos, images }) => (videos ?? images)?.map(({ label }) => label));

describe('a reel', () => {
  test('returns every file, text, author, counts and music, with one request to the site', async () => {
    const id = freshId();
    const { status, body } = await details(`${site}/reel/${id}`);
    expect([status, body.error]).toEqual([200, null]);
    const { videos = [], audios = [], images = [] } = body.contents?.[0] ?? {};
    expect(videos.map(({ label, metadata }) => [label, metadata.width, metadata.height, metadata.has_audio])).toEqual([
      ['native_hd', 1280, 720, true],
      ['native_sd', 640, 360, true],
      ['144p', 256, 144, false],
      ['360p', 640, 360, false],
      ['720p', 1280, 720, false],
      ['720p', 1280, 720, false],
      ['1080p', 1920, 1080, false],
    ]);
    expect(new Set(videos.map(({ repId }) => repId)).size).toBe(7);
    expect(videos.map(({ metadata }) => metadata.quality)).toEqual([
      undefined,
      undefined,
      '144p',
      '270p',
      '540p',
      '720p',
      '1080p',
    ]);
    expect(videos[6]?.metadata).toMatchObject({
      mime_type: 'video/mp4; codecs="avc1.640028"',
      bitrate: 3_900_000,
      fps: 25,
      expires_at: expect.stringMatching(/^20\d\d-.*Z$/),
    });
    expect(audios).toEqual([
      expect.objectContaining({
        label: 'audio 64kbps',
        metadata: expect.objectContaining({ width: 0, height: 0, has_audio: true, codecs: 'mp4a.40.2' }),
      }),
    ]);
    expect(images.map(({ label }) => label)).toEqual(['1280x720', '640x360']);
    expect(body.metadata).toMatchObject({
      title: `${titleOfItem(id)} with Lab Person #lab https://lab.example/${id}`,
      thumbnailUrl: images[0]?.url,
      author: { id: '100077000000010', name: 'The Lab', handle: 'thelab', url: `${site}/thelab`, verified: true },
      additionalData: {
        source: 'reel',
        videoId: id,
        postId: `5${id.slice(1)}`,
        url: `${site}/reel/${id}/`,
        duration: 30,
        width: 1920,
        height: 1080,
        live: false,
        privacy: 'Public',
        hashtags: ['lab'],
        mentions: [{ id: '100077000000012', handle: 'lab.person', name: 'Lab Person' }],
        links: [`https://lab.example/${id}`],
        music: { title: 'A tone of 220 Hz' },
        captions: [{ language: 'en_US', name: 'English' }],
        publishedAt: expect.stringMatching(/^2026-/),
        playCount: expect.any(Number),
        reactionCount: expect.any(Number),
        commentCount: expect.any(Number),
        shareCount: expect.any(Number),
      },
    });
    expect(body.notes).toContain('This request cost 1 credit.');
    const requests = await requestsTo(`/reel/${id}`);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).toMatchObject({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' });
  });

  test.each([
    ['on the watch page when the reel page is walled', 2, 'watch', 7],
    ['at the other host when both are walled', 3, 'reel, web host', 7],
    ['in the embedded player when all are walled', 4, 'embed', 2],
    ['in the older page format', 5, 'reel', 7],
    ['in the oldest page format', 6, 'reel', 7],
    ['in the newer page format', 7, 'reel', 7],
    ['in the newer page format, without quality names', 8, 'reel', 2],
    ['in the list for the player when the manifest is broken', 9, 'reel', 7],
    ["in the page's text when its responses are broken", 10, 'reel', 2],
    ['behind a warning that keeps the files', 25, 'reel', 7],
  ])('is found %s', async (_, number, source, count) => {
    const { body } = await details(reel(number));
    expect(body.error).toBeNull();
    expect(body.metadata.additionalData?.source).toBe(source);
    const { videos = [], audios = [] } = body.contents?.[0] ?? {};
    expect(videos.map(({ label }) => label).slice(0, 2)).toEqual(['native_hd', 'native_sd']);
    expect([videos.length, audios.length]).toEqual([count, count > 2 ? 1 : 0]);
    expect(JSON.stringify(body)).not.toContain('web.facebook.com');
  });

  test('is found at the other host, to which every visitor is redirected, with one request and its redirect', async () => {
    const { body } = await details(reel(20));
    expect([body.error, body.metadata.additionalData?.source]).toEqual([null, 'reel']);
    expect(labels(body)?.[0]?.slice(0, 2)).toEqual(['native_hd', 'native_sd']);
    const hosts = (await requestsTo('/reel/770000000000020')).map(({ host }) => host);
    expect(hosts).toEqual(['www.facebook.com', 'web.facebook.com']);
  });

  test('may have no audio, or only one file', async () => {
    const silent = (await details(reel(17))).body.contents?.[0];
    expect(silent?.videos?.map(({ metadata }) => metadata.has_audio)).not.toContain(true);
    expect(silent).not.toHaveProperty('audios');
    expect(labels((await details(reel(18))).body)).toEqual([['native_sd']]);
  });

  test.each([
    [`${site}/watch/?v=ID`],
    [`${site}/watch/live/?v=ID&ref=watch_permalink`],
    [`${site}/video.php?v=ID`],
    [`${site}/video/embed?video_id=ID`],
    [`${site}/thelab/videos/ID/`],
    [`${site}/thelab/videos/some-words/ID/`],
    [`${site}/54971236771/videos/vb.54971236771/ID/?type=2`],
    [`${site}/plugins/video.php?href=${encodeURIComponent(`${site}/watch/?v=ID`)}`],
    [`${site}/l.php?u=${encodeURIComponent(`${site}/reel/ID`)}&h=x`],
    [`${site}/login/?next=${encodeURIComponent(`${site}/reel/ID`)}`],
    ['https://m.facebook.com/reel/ID?mibextid=x'],
    ['http://facebook.com/reel/ID'],
    ['https://web.facebook.com/reel/ID?_rdc=1&_rdr'],
    ['Look at this: https://fb.com/reel/ID. It is good (https://youtu.be/x)'],
  ])('is found by %s', async (form) => {
    const { body } = await details(form.replaceAll('ID', '770000000000001'));
    expect([body.error, body.metadata.additionalData?.videoId]).toEqual([null, '770000000000001']);
  });
});

describe('a post', () => {
  test('with a photo returns it, with counts, reactions and the comments of the page', async () => {
    const { body } = await details(post(1));
    expect(labels(body)).toEqual([['640x360']]);
    expect(body.metadata).toMatchObject({
      title: expect.stringContaining(titleOfItem('880000000000001')),
      author: { id: '100077000000010', handle: 'thelab', name: 'The Lab' },
      comments: { header: { count: expect.any(Number) }, nextToken: null },
      additionalData: {
        source: 'post',
        postId: '880000000000001',
        url: `${site}/thelab/posts/pfbid0Lab880000000000001`,
        hashtags: ['lab', 'post'],
        links: ['https://lab.example/880000000000001'],
        accessibilityCaption: expect.stringContaining('bars and a tone'),
        reactions: { Like: expect.any(Number), Love: expect.any(Number), Haha: 1 },
      },
    });
    const { threads } = body.metadata.comments as { threads: readonly Record<string, unknown>[] };
    expect(threads).toHaveLength(12);
    expect(threads[2]).toMatchObject({
      type: 'comment',
      id: '1032857456010002',
      text: 'Comment 3 of 12',
      author: { name: personName('lab.commenter2') },
      likeCount: 28,
      replyCount: 2,
      publishedAt: '2026-07-27T22:15:00.000Z',
    });
  });

  test.each([
    ['an album returns each photo and the video, in order', 2, [1, 1, 7, 1, 1]],
    ['a video returns it', 3, [7]],
    ['a shared post returns its media', 4, [1]],
    ['only text returns it', 5, []],
    ['a sticker returns no media', 6, []],
  ])('with %s', async (_, number, counts) => {
    const { body } = await details(post(number));
    expect(body.error).toBeNull();
    expect(labels(body)?.map((list) => list?.length)).toEqual(counts);
    expect(body.metadata.additionalData?.postId).toBe(`8800000000000${`${number}`.padStart(2, '0')}`);
    if (number !== 4) return;
    expect(body.metadata.additionalData?.sharedPost).toMatchObject({
      text: 'What was shared.',
      author: { handle: 'lab.memorial' },
    });
  });

  test('that only the other host shows is found there', async () => {
    expect((await details(post(10))).body.metadata.additionalData?.source).toBe('post, web host');
  });

  test.each([
    [`${site}/thelab/posts/pfbid0Lab880000000000001`],
    [`${site}/thelab/posts/some-words/880000000000001/?comment_id=1`],
    [`${site}/permalink.php?story_fbid=880000000000001&id=100077000000010`],
    ['https://m.facebook.com/story.php?story_fbid=880000000000001&id=100077000000010&m_entstream_source=x'],
    [`${site}/groups/1443890352589739/posts/880000000000001/`],
    [`${site}/groups/some.group/permalink/880000000000001/`],
  ])('is found by the link %s', async (url) => {
    const { body } = await details(url);
    expect([body.error, body.metadata.additionalData?.postId]).toEqual([null, '880000000000001']);
  });

  test.each([
    [`${site}/photo/?fbid=660000000000001&set=a.5`],
    [`${site}/photo.php?fbid=660000000000001`],
    [`${site}/thelab/photos/a.5/660000000000001/?type=3`],
    [`${site}/thelab/photos/660000000000001`],
  ])('that is a photo is found by %s', async (url) => {
    const { body } = await details(url);
    expect(labels(body)?.[0]?.at(-1)).toBe('640x360');
    expect(body.contents?.[0]?.images?.[0]?.label).toMatch(/^(?:1280x720|1920x1080)$/);
    expect(body.metadata).toMatchObject({
      title: expect.stringContaining(titleOfItem('860000000000001')),
      author: { handle: 'thelab' },
      additionalData: { source: 'photo', postId: '860000000000001', commentCount: expect.any(Number) },
    });
  });
});

describe('a short link', () => {
  test.each([
    ['https://fb.watch/labReel1/', 'short link', { videoId: '770000000000001' }],
    [`${site}/share/v/labWatch/`, 'short link', { videoId: '770000000000001' }],
    [`${site}/share/p/labPost1/?mibextid=x`, 'short link', { postId: '880000000000002' }],
    ['https://fb.me/labPhoto', 'short link', { postId: '860000000000001' }],
    [`${site}/share/labNamed`, 'short link', { postId: '880000000000001' }],
    [`${site}/share/r/labWall1/`, 'reel', { videoId: '770000000000001' }],
    [`${site}/share/r/labWall3/`, 'short link', { videoId: '770000000000001' }],
  ])('%s leads to its target', async (url, source, data) => {
    const { body } = await details(url);
    expect(body.error).toBeNull();
    expect(body.metadata.additionalData).toMatchObject({ source, ...data });
  });

  test.each([
    ['labGone1', 200, 'unavailable'],
    ['labWall2', 200, 'signin_required'],
    ['labPage1', 400, 'invalid_url'],
    ['labAway1', 400, 'invalid_url'],
    ['labhttp429', 200, 'non_2xx_response'],
    ['labinside', 200, 'unexpected_redirect'],
  ])('share/v/%s returns %i with %s', async (code, status, error) => {
    const response = await details(`${site}/share/v/${code}/`);
    expect([response.status, response.body.error?.code]).toEqual([status, error]);
  });
});
