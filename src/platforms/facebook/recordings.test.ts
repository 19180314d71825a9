import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { MillraceError } from '../../contract/errors.ts';
import { fields, parseJson } from '../../parsing/values.ts';
import type { Endpoint, Extraction } from '../platform.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { scriptsOf } from './find/document-ids.ts';
import { createFacebook } from './index.ts';
import { type PostTarget, recognise } from './links.ts';
import { readPage } from './parse/page.ts';
import { readPost } from './parse/post.ts';
import { readPhotos, readReels } from './parse/profile-lists.ts';
import { readRecords } from './parse/records.ts';
import { readRefusal } from './parse/refusal.ts';

const recordings = readRecordings('p3');

function recording(name: string): string {
  const text = recordings.get(name) ?? recordings.get(`tamnd__facebook-cli/${name}`);
  if (text === undefined) throw new Error(`there is no recording ${name}`);
  return text;
}

const golden = (name: string) => fields(parseJson(recording(`golden/${name}.json`)));

function endpointAt(path: string): Endpoint {
  const endpoint = createFacebook().endpoints.find((candidate) => candidate.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  return endpoint;
}

/** Runs an endpoint against a site that returns one recorded page for every request. */
function extract(path: string, url: string, page: string) {
  const { context, requests } = fakeSite(() => ({ body: recording(page) }));
  return { requests, extraction: endpointAt(path).extract({ url }, context) };
}

function post(link: string, page: string) {
  const content = readPage(recording(page));
  return readPost(recognise(link) as PostTarget, content, readRecords(content.results));
}

const site = 'https://www.facebook.com';
const reels2025 = 'shoaibwaqar665__virtus_media_analysis/fb_reel.html.gz';
const emptyPage = 'webforshafayet__my-engagement-scraper/debug_facebook.html.gz';

describe.skipIf(recordings.size === 0)('recorded pages', () => {
  it('yield the whole reel with the same values as another parser', async () => {
    const other = golden('video_reel');
    const { extraction, requests } = extract('/post/details', `${site}/reel/1380134307388381`, 'reel.html.gz');
    const { contents = [], metadata } = await extraction;
    expect(requests).toHaveLength(1);
    const { videos = [], audios = [], images = [] } = contents[0] ?? {};
    expect(contents).toHaveLength(1);
    expect(
      videos.map(({ item }) => [item.label, item.metadata.width, item.metadata.height, item.metadata.has_audio]),
    ).toEqual([
      ['native_hd', 1280, 720, true],
      ['native_sd', 640, 360, true],
      ...Array.from({ length: 6 }, () => ['720p', 1280, 720, false]),
      ['1080p', 1920, 1080, false],
      ['1440p', 2560, 1440, false],
    ]);
    expect(videos.map(({ item }) => item.url).slice(0, 2)).toEqual([other.hd_url, other.sd_url]);
    expect(new Set(videos.map(({ item }) => item.repId)).size).toBe(10);
    expect(videos[8]?.item).toMatchObject({
      repId: '1194106929545770v',
      metadata: { codecs: 'av01.0.08M.08.0.111.01.01.01.0', bitrate: 3_974_635, quality: '1080p', fps: 29.97 },
    });
    expect(videos[0]?.item.metadata).toMatchObject({ expires_at: '2026-08-02T11:42:54.000Z', bitrate: 1_756_304 });
    expect(audios).toHaveLength(1);
    expect(audios[0]).toMatchObject({
      item: { label: 'audio 64kbps', metadata: { codecs: 'mp4a.40.5', audio_channels: 2, audio_sample_rate: 48_000 } },
      stream: { kind: 'audio', audioCodec: 'aac', ext: 'm4a' },
    });
    expect(images[0]?.item).toMatchObject({ label: '720x405', metadata: { width: 720, height: 405 } });
    expect(metadata.title).toBe(fields(other.message).text);
    expect(metadata.thumbnailUrl).toBe(fields(other.thumbnail).uri);
    expect(metadata.author).toMatchObject({
      id: '100044561550831',
      handle: 'NASA',
      url: `${site}/NASA`,
      verified: true,
    });
    expect(metadata.additionalData).toMatchObject({
      source: 'reel',
      postId: other.post_id,
      videoId: other.id,
      publishedAt: '2026-07-23T16:31:54.000Z',
      duration: 112.946,
      width: 3840,
      height: 2160,
      reactionCount: 5978,
      commentCount: 173,
      shareCount: 262,
      playCount: 453_000,
      playCountText: '453K views',
      privacy: 'Public',
      mentions: [{ id: '100064698066408', handle: 'ISS', name: 'International Space Station' }],
      links: ['https://go.nasa.gov/3RavGXj'],
      captions: [{ language: 'en_US', name: 'English' }],
    });
  });

  it('yield each of several reels on one page with its own values', async () => {
    const details = async (id: string) =>
      (await extract('/post/details', `${site}/reel/${id}`, reels2025).extraction) as Extraction;
    const { contents = [], metadata, unread } = await details('683361637963437');
    expect(contents[0]?.videos?.map(({ item }) => [item.label, item.metadata.width, item.metadata.height])).toEqual([
      ['native_hd', 720, 1280],
      ['native_sd', 360, 640],
      ...Array.from({ length: 4 }, () => ['720p', 720, 1280]),
      ['1080p', 1080, 1920],
    ]);
    expect(unread).toEqual({});
    expect(metadata.title).toMatch(/^A warning to all investors:\nThe percentage/);
    expect(metadata.author).toMatchObject({ id: '61550931171266', name: 'Capital Growth', handle: 'capitallgrowth' });
    expect(metadata.additionalData).toMatchObject({
      postId: '122244285170031039',
      reactionCount: 4,
      commentCount: 3,
      shareCount: 1,
      publishedAt: '2025-05-12T17:20:05.000Z',
      duration: 74.489,
      music: { title: 'DM Production · Hard News' },
    });
    const suggestions = ['9962181710564668', '696561689415636'].map(details);
    expect((await Promise.all(suggestions)).map((extraction) => extraction.metadata)).toMatchObject([
      { title: expect.stringMatching(/^Breaking news:/), additionalData: { reactionCount: 23, commentCount: 44 } },
      { title: expect.stringMatching(/^So greed is back/), additionalData: { reactionCount: 44, commentCount: 7 } },
    ]);
  });

  it('report a page without data as empty, although it contains the sign-in form', async () => {
    const { extraction, requests } = extract('/post/details', `${site}/photo/?fbid=1248889333937619`, emptyPage);
    await expect(extraction).rejects.toMatchObject({ code: 'non_2xx_response', retryable: true });
    expect(requests).toHaveLength(2);
  });

  it('yield the videos of a profile with their titles and exact counts', async () => {
    const { metadata, notes } = await extract('/profile/reels', `${site}/NASA`, 'page_videos.html.gz').extraction;
    const { contents, nextToken } = fields(metadata.author?.reels);
    expect(contents).toHaveLength(9);
    expect(contents).toMatchObject([
      {
        type: 'video',
        id: '1380134307388381',
        title: 'NASA Astronaut Chris Williams: Thinking Like a Scientist',
        caption: expect.stringMatching(/^During his eight months aboard/),
        url: `${site}/NASA/videos/nasa-astronaut-chris-williams-thinking-like-a-scientist/1380134307388381/`,
        playCount: 453_802,
        viewCount: 98_213,
        publishedAt: '2026-07-23T16:31:08.000Z',
        width: 3840,
        height: 2160,
        duration: 112.946,
        author: { name: 'NASA - National Aeronautics and Space Administration' },
      },
      { type: 'video', id: '1376651124309650', title: "What's Up: July 2026", playCount: 599_898, reactionCount: 6612 },
      { title: expect.stringMatching(/^Come watch a spacewalk with us!/), playCount: 5_061_361 },
      ...Array(6).fill({ type: 'video', title: expect.any(String), playCount: expect.any(Number) }),
    ]);
    expect(nextToken).toBeNull();
    expect(notes).toEqual(['Facebook shows signed-out visitors only the newest videos of this profile.']);
  });

  it('yield a video on the page of a profile without the image and the counts of that profile', () => {
    const video = post(`${site}/reel/1380134307388381`, 'page_videos.html.gz');
    expect(video?.metadata).toMatchObject({
      title: 'NASA Astronaut Chris Williams: Thinking Like a Scientist',
      thumbnailUrl: expect.stringContaining('/754970839_'),
      additionalData: { playCount: 453_802, viewCount: 98_213 },
    });
  });

  it('yield the name, image and counts of a profile from the head of its page', async () => {
    const html = recording('page_nasa.html.gz');
    const head = html.slice(0, html.indexOf('</head>'));
    const { context } = fakeSite(() => ({ body: `${head}</head></html>` }));
    const { metadata } = await endpointAt('/profile/details').extract({ url: `${site}/NASA` }, context);
    expect(metadata).toMatchObject({
      title: 'NASA - National Aeronautics and Space Administration',
      thumbnailUrl: expect.stringContaining('/243095782_'),
      author: {
        profileId: '100044561550831',
        handle: 'NASA',
        url: `${site}/NASA`,
        description: expect.stringMatching(/^Explore the universe and discover our home planet\./),
        likeCount: 28_660_812,
        talkingAboutCount: 78_461,
        thumbnails: [{ width: 720, height: 720 }],
      },
    });
  });

  it('yield the post with its image, counts and comments, with the same values as another parser', async () => {
    const other = golden('post_post_perm');
    const { contents = [], metadata } = await extract(
      '/post/details',
      `${site}/NASA/posts/1587860636042640/`,
      'post_perm.html.gz',
    ).extraction;
    expect(contents).toHaveLength(1);
    expect(contents[0]?.images?.map(({ item }) => item.label)).toEqual(['1080x1350']);
    expect(metadata.author).toMatchObject({ id: '100044561550831', handle: 'NASA' });
    expect(metadata.additionalData).toMatchObject({
      source: 'post',
      caption: fields(other.message).text,
      url: other.url,
      reactionCount: 12_369,
      reactionCountText: '12K',
      reactions: fields(other.counts).by_type,
      commentCount: 512,
      shareCount: 1013,
      publishedAt: '2026-07-27T21:35:22.000Z',
    });
    const { threads } = fields(metadata.comments);
    const others = other.comments as {
      id: string;
      body: { text: string };
      author: { name: string };
      created_at: string;
    }[];
    expect(threads).toHaveLength(others.length);
    expect(threads).toMatchObject(
      others.map(({ body, author, created_at: at }) => ({
        text: body.text,
        author: { name: author.name },
        publishedAt: at.replace('Z', '.000Z'),
      })),
    );
  });

  it('yield posts that are embedded in other pages', () => {
    expect(post(`${site}/NASA/posts/1587860636042640`, 'page_nasa.html.gz')?.metadata.additionalData).toMatchObject({
      reactionCount: 12_368,
    });
    const photo = post(`${site}/photo/?fbid=1587860609375976`, 'post_perm.html.gz');
    expect(photo?.contents[0]?.images?.[0]?.item.label).toBe('1080x1350');
    const group = post(`${site}/groups/1443890352589739/posts/1692512467727525`, 'group_big.html.gz');
    expect(group?.metadata.author?.name).toBeTypeOf('string');
    expect(group?.metadata.additionalData).toMatchObject({ postId: '1692512467727525' });
    expect(post(`${site}/NASA/posts/1587860636042641`, 'post_perm.html.gz')).toBeUndefined();
    expect(post(`${site}/reel/1380134307388382`, 'reel.html.gz')).toBeUndefined();
  });

  it('yield the newer video format', () => {
    const reel = post(`${site}/reel/1052271451146452`, 'neyako__facebed-rusty/reel.html');
    expect(reel?.contents[0]?.videos?.map(({ item }) => item.label)).toEqual(['native_sd']);
    expect(reel?.metadata).toMatchObject({
      author: { id: '100044527955664', name: 'Crunchyroll', handle: 'Crunchyroll' },
      additionalData: {
        reactionCount: 20_096,
        commentCount: 263,
        shareCount: 1900,
        publishedAt: '2026-09-16T20:00:01.000Z',
      },
    });
    const video = post(`${site}/watch/?v=1052271451146000`, 'neyako__facebed-rusty/page_video.html');
    expect(video?.contents[0]?.videos?.[0]?.item.url).toMatch(/AQOJM-4P0I5.*\.mp4$/);
    expect(video?.metadata).toMatchObject({
      author: { id: '223790994475363', name: 'VTV24' },
      additionalData: { reactionCount: 101_741, commentCount: 9629, reactions: { Like: 95_980, Angry: 2239 } },
    });
  });

  it('yield the profile with the same values as another parser', async () => {
    const other = golden('profile_page_nasa');
    const { metadata } = await extract('/profile/details', `${site}/NASA`, 'page_nasa.html.gz').extraction;
    expect(metadata.author).toMatchObject({
      profileId: other.id,
      pageId: other.delegate_page_id,
      name: other.name,
      handle: other.handle,
      url: other.url,
      verified: true,
      description: fields(other.bio).text,
      category: 'Government organisation',
      email: other.email,
      websites: other.websites,
      likeCount: other.likes,
      talkingAboutCount: other.talking_about,
      followerCount: other.followers,
      followerCountText: '28M followers',
      followingCount: 52,
      coverPhoto: { width: 2048, height: 1366 },
      tabs: [{ name: 'About' }, { name: 'Photos' }],
    });
    expect(golden('head_page_nasa')).toBeTypeOf('object');
    const { metadata: ids } = await extract('/profile/id', `text ${site}/NASA text`, 'page_nasa.html.gz').extraction;
    expect(ids.author).toEqual({
      profileId: '100044561550831',
      pageId: '54971236771',
      handle: 'NASA',
      url: `${site}/NASA`,
    });
  });

  it('do not yield the page of a group as a profile', async () => {
    const { extraction } = extract('/profile/details', `${site}/NASA`, 'group_big.html.gz');
    await expect(extraction).rejects.toMatchObject({ code: 'not_found' });
  });

  it('yield the About tab and request each of its other pages', async () => {
    const { extraction, requests } = extract('/profile/about', `${site}/NASA`, 'page_about.html.gz');
    const { metadata } = await extraction;
    expect(requests.map(({ url }) => url.pathname)).toEqual([
      '/NASA/about',
      '/NASA/about_privacy_and_legal_info',
      '/NASA/about_profile_transparency',
      '/NASA/about_details',
    ]);
    expect(metadata.author?.about).toMatchObject({
      categories: ['Government organisation'],
      emails: [golden('profile_page_about').email],
      websites: ['https://www.nasa.gov/', 'https://www.nasa.gov/nasa-app/'],
      sections: [{ type: 'category' }, { type: 'about_contact_info' }, { type: 'websites_and_social_links' }],
    });
  });

  it('yield the first page of photos', async () => {
    const { metadata } = await extract('/profile/photos', `${site}/NASA`, 'page_photos.html.gz').extraction;
    const { contents, nextToken } = fields(metadata.author?.photos);
    expect(contents).toHaveLength(8);
    expect(contents).toMatchObject([
      { type: 'photo', id: '1587860609375976', thumbnails: [{ width: 1638, height: 2048 }, {}] },
      ...Array(7).fill({}),
    ]);
    expect(nextToken).toContain('AQHSIvHpIvHPQ-o4kGTx9EAxT');
    const others = JSON.stringify(golden('section_page_photos'));
    for (const { id } of contents as { id: string }[]) expect(others).toContain(id);
    expect(readPhotos(readRecords([]))).toBeUndefined();
  });

  it('list the scripts that the page runs first, before hundreds of other scripts', () => {
    const html = recording('page_photos.html.gz');
    const run = [...html.matchAll(/<script src="(https:[^"]+\.js)"/g)].map(([, link]) => link);
    expect(run).toHaveLength(9);
    expect(scriptsOf(html).slice(0, 9)).toEqual(run);
  });

  it('yield the reel format that parsers of 2026-10 describe', () => {
    const shape = fields(parseJson(recording('shapes/reels_tab.shape.json')));
    const data = fields(fields(shape.page_result).data);
    const reels = readReels(readRecords([{ operation: 'Tab', data, extensions: {} }]));
    expect(reels).toMatchObject({
      entries: [
        {
          item: {
            id: '2209826979599001',
            duration: 30.1,
            playCount: 1200,
            title: 'caption',
            publishedAt: '2026-10-03T04:00:00.000Z',
          },
        },
      ],
      next: { cursor: 'AQH...' },
    });
  });

  it('distinguish the login page from all others', () => {
    for (const [name, html] of recordings) {
      if (!/\.html(\.gz)?$/.test(name)) continue;
      const refusal = readRefusal({ status: 200, url: `${site}/x`, headers: {}, text: html }, 'post');
      expect(refusal?.kind, name).toBe(name.includes('dir_blocked') ? 'sign-in wall' : undefined);
    }
    expect(recording('capture.txt')).toContain('signed out');
    expect(golden('group_group_big').id).toBe('1443890352589739');
  });

  it('are all read by a test', () => {
    const read = new Set([
      reels2025,
      emptyPage,
      'neyako__facebed-rusty/reel.html',
      'neyako__facebed-rusty/page_video.html',
    ]);
    const others = [...recordings.keys()].filter((name) => !read.has(name));
    expect(others.map((name) => name.replace('tamnd__facebook-cli/', '')).toSorted()).toEqual([
      'capture.txt',
      'dir_blocked.html.gz',
      'golden/group_group_big.json',
      'golden/head_page_nasa.json',
      'golden/post_post_perm.json',
      'golden/profile_page_about.json',
      'golden/profile_page_nasa.json',
      'golden/section_page_photos.json',
      'golden/video_reel.json',
      'group_big.html.gz',
      'page_about.html.gz',
      'page_nasa.html.gz',
      'page_photos.html.gz',
      'page_videos.html.gz',
      'post_perm.html.gz',
      'reel.html.gz',
      'shapes/reels_tab.shape.json',
    ]);
  });

  it('yield a partial result or a typed error when truncated at any byte', async () => {
    const queries = [
      ['reel.html.gz', '/post/details', `${site}/reel/1380134307388381`],
      ['post_perm.html.gz', '/post/details', `${site}/NASA/posts/1587860636042640`],
      ['page_nasa.html.gz', '/profile/details', `${site}/NASA`],
      ['page_photos.html.gz', '/profile/photos', `${site}/NASA`],
    ] as const;
    for (const [page, path, url] of queries) {
      const whole = recording(page);
      for (let part = 1; part < 12; part += 1) {
        const { context } = fakeSite(() => ({ body: whole.slice(0, Math.floor((whole.length * part) / 12)) }));
        const outcome = await endpointAt(path)
          .extract({ url }, context)
          .catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome, page).toBeInstanceOf(MillraceError);
        else expect(Object.keys(fields(outcome)), page).toContain('metadata');
      }
    }
  });
});
