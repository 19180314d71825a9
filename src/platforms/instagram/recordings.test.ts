import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { dig, list, parseJson } from '../../parsing/values.ts';
import type { SourceResponse } from '../platform.ts';
import { parseAnswer } from './parse/answer.ts';
import { mediaContent } from './parse/content.ts';
import { findPostInEmbed } from './parse/embed.ts';
import { findPostInJson, findPostInPage } from './parse/find-post.ts';
import { sessionOf } from './parse/page.ts';
import type { Post } from './parse/post.ts';
import { postFacts, postMetadata } from './parse/post-metadata.ts';
import { findProfileInJson, findProfileInPage } from './parse/profile.ts';
import { refusalOf } from './parse/refusal.ts';
import { readRestPost } from './parse/rest-post.ts';
import { readSound } from './parse/sound.ts';

const recordings = readRecordings('p2');

const usedNames = new Set<string>();

function recording(name: string): string {
  const text = recordings.get(name);
  if (text === undefined) throw new Error(`there is no recording ${name}`);
  usedNames.add(name);
  return text;
}

function postOf(result: ReturnType<typeof findPostInPage>): Post {
  if (result === undefined || !('post' in result)) throw new Error('there is no post');
  return result.post;
}

function profileOf(result: ReturnType<typeof findProfileInJson>) {
  expect(result?.unread).toEqual({});
  return result?.profile;
}

const responseWith = (text: string, url: string, status = 200): SourceResponse => ({ status, headers: {}, url, text });
const sizes = (post: Post, at = 0) => post.media[at]?.images.map(({ width, height }) => `${width}x${height}`);

describe.skipIf(recordings.size === 0)('recorded responses', () => {
  const newest = '2scraper__instagram-scraper';
  const fetchr = 'MarkChu-git__fetchr';
  const scrapecreators = 'jordanjordann__my-content/scrapecreators-instagram';

  it('contain a reel in its page', () => {
    const post = postOf(findPostInPage(recording(`${newest}/instagram_post_reel_live_20261004.html`), 'DdG4RIxIPyf'));
    expect(postFacts(post)).toMatchObject({
      id: '3983118388705688735',
      type: 'reel',
      url: 'https://www.instagram.com/reel/DdG4RIxIPyf/',
      createdAt: '2026-09-10T13:00:14.000Z',
      duration: 72,
      hashtags: ['Rolex', 'PerpetualPlanet'],
      mentions: ['Rolex', 'wunmimosaku', 'DisneyPlus', 'hulu'],
      statistics: { likeCount: 78_676, commentCount: 525 },
      music: { kind: 'original', id: '26106058285758518', title: 'Original audio', artistUsername: 'natgeo' },
      taggedUsers: [{ username: 'rolex' }],
      coauthors: [{ id: '1165531538', username: 'rolex', verified: true }],
    });
    expect(postMetadata(post, 'page', undefined).author).toMatchObject({
      userId: '787132',
      username: 'natgeo',
      name: 'National Geographic',
      verified: true,
    });
    expect(sizes(post)).toEqual(['1080x1920', '720x1280', '640x1138', '480x853', '320x569', '240x427']);
    const { content } = mediaContent(post.media[0] as Post['media'][number]);
    expect(content.videos).toHaveLength(1);
    expect(content.videos?.[0]?.item).toMatchObject({
      label: '720p',
      repId: 'progressive-720p',
      metadata: { width: 720, height: 1280, has_audio: true, duration: 72, expires_at: '2026-10-05T16:58:25.000Z' },
    });
  });

  it('yield only the requested post of a page that contains several', () => {
    const page = recording(`${newest}/instagram_post_reel_live_20261004.html`);
    expect(findPostInPage(page, 'DbIdlf0j6uA')).toBeUndefined();
  });

  it('contain a photo and a carousel in pages', () => {
    const photo = postOf(findPostInPage(recording(`${fetchr}/crawler-image.html`), 'CiKgnBEPU9g'));
    expect(photo).toMatchObject({ kind: 'image', takenAt: 1_662_465_013, author: { id: '45635481592' } });
    expect(sizes(photo)).toEqual(['1080x1350', '720x900', '640x800']);
    const carousel = postOf(findPostInPage(recording(`${fetchr}/crawler-carousel.html`), 'DeCowlSjyeV'));
    expect(carousel).toMatchObject({ kind: 'carousel', id: '3999938679493568405', takenAt: 1_791_050_435 });
    expect(carousel.media.map(({ isVideo, videos }) => [isVideo, videos.length])).toEqual(
      carousel.media.map(() => [true, 1]),
    );
    expect(carousel.media.length).toBeGreaterThan(1);
    expect(carousel.media[0]).toMatchObject({ id: '3999938210000120574', width: 720, height: 1280, hasAudio: true });
    expect(sizes(carousel)).toEqual(['640x1136', '480x852', '320x568']);
  });

  it('contain a manifest and comments in the page of 2024', () => {
    const post = postOf(
      findPostInPage(recording('zhiwei2017__crawlinsta/comments/C10MvewSSYl.html.gz'), 'C10MvewSSYl'),
    );
    expect(post).toMatchObject({ id: '3275298868401088037', takenAt: 1_704_666_300, author: { id: '25519719' } });
    expect(post.comments?.[0]).toMatchObject({
      id: '18278957755095859',
      author: { userId: '6293392719', username: 'galysia_stefyrak' },
      publishedAt: '2024-01-07T23:14:35.000Z',
      likeCount: 0,
    });
    const { content, note } = mediaContent(post.media[0] as Post['media'][number]);
    expect(note).toBeUndefined();
    expect(content.audios).toHaveLength(1);
    expect(content.videos?.filter(({ stream }) => stream?.kind === 'video').length).toBeGreaterThan(1);
  });

  it("contain a visit's session in a page", () => {
    const text = recording('zhiwei2017__crawlinsta/comments/C10MvewSSYl.html.gz');
    const session = sessionOf(responseWith(text, 'https://www.instagram.com/reel/C10MvewSSYl/'));
    expect(session).toMatchObject({
      lsd: 'TRpDIhG-XaFoMVk0edslsE',
      release: {
        __hs: '19790.HYP:instagram_web_pkg.2.1..0.1',
        __rev: '1011930913',
        __hsi: '7344090199506379070',
        __spin_r: '1011930913',
        __spin_b: 'trunk',
        __spin_t: '1709929248',
      },
    });
    expect(session?.declared.queries.get('PolarisPostRootQuery')).toEqual({
      id: '25369833802607926',
      flags: ['PolarisShareMenu'],
    });
    expect(session?.declared.queries.get('PolarisPostCommentsContainerQuery')).toMatchObject({
      id: '7336110846449933',
    });
  });

  it('contain posts in embed pages', () => {
    const reel = postOf(findPostInEmbed(recording(`${fetchr}/embed-reel.html`), 'DZJwSuXom8P'));
    expect(reel).toMatchObject({
      id: '3911870144319745807',
      caption: 'myth busted #reels',
      author: { id: '3140690162' },
    });
    expect(reel.media[0]?.videos).toHaveLength(1);
    const silent = postOf(findPostInEmbed(recording(`${fetchr}/embed-reel-novideo.html`), 'DI9E3YvAzzV'));
    expect(silent.media[0]).toMatchObject({ isVideo: true, videos: [] });
  });

  it('contain posts in responses of the older query', () => {
    const photo = postOf(
      findPostInJson(parseAnswer(recording(`${scrapecreators}/ig_post_counts_disabled.json`)), 'G25FoCxFQnr'),
    );
    expect(photo).toMatchObject({ kind: 'image', countsHidden: true, commentCount: 1, location: { id: '213491581' } });
    expect(photo).not.toHaveProperty('likeCount');
    expect(sizes(photo)).toEqual(['640x799', '750x937', '1080x1349', '1080x1349']);
    const first = postOf(
      findPostInJson(parseAnswer(recording(`${scrapecreators}/ig_reel_1_zero_view_count.json`)), 'ImJKXRf2Yql'),
    );
    expect(first).toMatchObject({ playCount: 116_333, media: [{ duration: 91.902, hasAudio: false }] });
    expect(first).not.toHaveProperty('viewCount');
    const second = postOf(findPostInJson(parseAnswer(recording(`${scrapecreators}/ig_reel_2.json`)), 'B9H0c1Yai2A'));
    expect(second).toMatchObject({ playCount: 721_558, viewCount: 305_044, likeCount: 35_183, commentCount: 363 });
    expect(second.comments).toHaveLength(10);
    expect(second.author).toMatchObject({ followerCount: 240_795, verified: true });
    const carousel = postOf(
      findPostInJson(parseAnswer(recording(`${scrapecreators}/ig_carousel_all_images_10_slides.json`)), 'F_PxPdf-7cx'),
    );
    expect(carousel.media).toHaveLength(10);
    expect(carousel.media.every(({ isVideo, images }) => !isVideo && images.length > 0)).toBe(true);
  });

  it('contain timelines in which every post has its manifest', () => {
    const root = parseJson(recording('zhiwei2017__crawlinsta/posts/graphql1.json.gz'));
    const edges = list(dig(root, 'data', 'xdt_api__v1__feed__user_timeline_graphql_connection', 'edges'));
    const posts = edges.flatMap((edge) => readRestPost(dig(edge, 'node')) ?? []);
    expect(posts.every(({ unread }) => Object.keys(unread).length === 0)).toBe(true);
    expect(posts.map(({ code }) => code)).toContain('CygtX9ivC0U');
    expect(posts).toHaveLength(12);
    const contents = posts
      .flatMap(({ media }) => media)
      .filter(({ manifest }) => manifest !== undefined)
      .map(mediaContent);
    expect(contents.length).toBeGreaterThanOrEqual(10);
    expect(contents.every(({ content, note }) => note === undefined && (content.audios?.length ?? 0) <= 2)).toBe(true);
    const [reel] = posts;
    const { content } = mediaContent(reel?.media[0] as Post['media'][number]);
    expect(content.videos?.map(({ item, stream }) => [item.label, item.metadata.quality, stream?.kind])).toEqual([
      ['720p', undefined, 'muxed'],
      ['720p', '720p', 'video'],
      ['360p', '360p', 'video'],
    ]);
    expect(content.videos?.[2]?.item).toMatchObject({
      repId: '196837230109375v',
      metadata: { width: 360, height: 640, bitrate: 449_707, fps: 30, codecs: 'avc1.4d001e' },
    });
    expect(content.audios?.[0]?.item).toMatchObject({
      repId: '652768123510904ad',
      metadata: { audio_sample_rate: 44_100, audio_channels: 2, codecs: 'mp4a.40.5' },
    });
    const reels = parseJson(recording('zhiwei2017__crawlinsta/reels/graphql1.json'));
    const clips = list(dig(reels, 'data', 'xdt_api__v1__clips__user__connection_v2', 'edges'));
    const first = readRestPost(dig(clips[0], 'node', 'media'));
    expect(first).toMatchObject({ code: 'C38wAnKPWRX', playCount: 131_421, likeCount: 6340 });
    expect(clips.every((edge) => readRestPost(dig(edge, 'node', 'media')) !== undefined)).toBe(true);
  });

  it('contain a timeline without durations, which are in the manifests', () => {
    const root = parseJson(recording('zhiwei2017__crawlinsta/posts_graphql2.json.gz'));
    const edges = list(dig(root, 'data', 'xdt_api__v1__feed__user_timeline_graphql_connection', 'edges'));
    const posts = edges.flatMap((edge) => readRestPost(dig(edge, 'node')) ?? []);
    expect(posts).toHaveLength(12);
    const reels = posts.filter(({ kind }) => kind === 'video');
    expect(reels).toHaveLength(11);
    for (const reel of reels) {
      expect(postFacts(reel).duration, reel.code).toEqual(expect.any(Number));
      const { content } = mediaContent(reel.media[0] as Post['media'][number]);
      const durations = new Set(content.videos?.map(({ item }) => item.metadata.duration));
      expect(durations, reel.code).toEqual(new Set([postFacts(reel).duration]));
    }
    expect(posts[1]).toMatchObject({ code: 'C3Ym1BrSSwG', kind: 'carousel', unread: {}, media: { length: 4 } });
  });

  it('contain a reel with eight qualities in its page of 2025', () => {
    const page = recording('SNScoin__social/instagram_response.html.gz');
    const post = postOf(findPostInPage(page, 'DLZEet2I6No'));
    expect(postFacts(post)).toMatchObject({
      id: '3663979474839642984',
      type: 'reel',
      createdAt: '2025-06-27T05:00:00.000Z',
      duration: 18.876371,
      hashtags: ['Clips'],
      mentions: ['collab'],
      statistics: { likeCount: 3484, commentCount: 105 },
      music: { kind: 'original', id: '2515853428772539', title: 'Original audio', artistUsername: 'clips' },
      taggedUsers: [{ username: 'clips' }],
    });
    expect(post.author).toMatchObject({ id: '810675847', username: 'clips', verified: true });
    expect([post.unread, post.comments?.length]).toEqual([{}, 15]);
    expect(sizes(post)).toEqual(['640x1136', '480x852', '320x568', '240x426']);
    const { content, note } = mediaContent(post.media[0] as Post['media'][number]);
    expect(note).toBeUndefined();
    expect(content.videos?.map(({ item, stream }) => [item.label, stream?.kind, stream?.videoCodec])).toEqual([
      ['480p', 'muxed', 'h264'],
      ['360p', 'video', 'vp9'],
      ...Array(6).fill(['720p', 'video', 'vp9']),
      ['1080p', 'video', 'vp9'],
    ]);
    expect(content.audios?.map(({ item }) => item.metadata.bitrate)).toEqual([77_016]);
    // The page also has nine related posts and the site's ruling, which lets everyone see the post.
    expect(findPostInPage(page, 'DLl9QLzIdx7')).toBeUndefined();
  });

  it('contain a public reel without its data, in a page that names the page of private posts in a table', () => {
    const page = recording('shoaibwaqar665__virtus_media_analysis/instagram.html.gz');
    expect(page).toContain('polaris.privatePostPage');
    expect(findPostInPage(page, 'DEw9cHwJYRI')).toBeUndefined();
    const refusal = refusalOf(responseWith(page, 'https://www.instagram.com/reel/DEw9cHwJYRI/'), 'post');
    expect(refusal).toMatchObject({ code: 'non_2xx_response', retryable: true });
  });

  it('contain audio tracks', () => {
    const song = readSound(recording('zhiwei2017__crawlinsta/posts_by_music_id/music1.json.gz'));
    expect(song?.posts).toHaveLength(11);
    expect(song?.cursor).toMatch(/^Grb-yYqz/);
    expect(song?.audio).toMatchObject({
      kind: 'song',
      id: '1053780911670375',
      title: 'Heat Waves',
      artist: 'Glass Animals',
      artistId: '302488505',
      duration: 238.805,
      reelCount: 471_838,
      spotifyTrackId: '3USxtqRwSYz57Ewm6wWRMp',
      url: expect.stringContaining('fbcdn.net'),
    });
    const [first] = song?.posts ?? [];
    expect(first).toMatchObject({ code: 'C3iK7CXtP5M', playCount: 12_081, location: { name: 'Fürth, Germany' } });
    expect(first).not.toHaveProperty('likeCount');
    const sound = readSound(recording('zhiwei2017__crawlinsta/posts_by_music_id/audio1.json.gz'));
    expect(sound?.posts).toHaveLength(12);
    expect(sound?.audio).toMatchObject({ kind: 'original', id: '955300842838255', duration: 9.358, reelCount: 46 });
    for (const post of [...(song?.posts ?? []), ...(sound?.posts ?? [])]) {
      for (const media of post.media) {
        const { content, note } = mediaContent(media);
        expect(note, post.code).toBeUndefined();
        expect(
          content.videos?.some(({ stream }) => stream?.kind === 'video'),
          post.code,
        ).toBe(true);
        expect(new Set(content.videos?.map(({ item }) => item.repId)).size).toBe(content.videos?.length);
      }
    }
  });

  it('contain profiles', () => {
    const page = recording(`${newest}/instagram_profile_natgeo_live_20261004.html`);
    expect(profileOf(findProfileInPage(page, 'NatGeo'))).toMatchObject({
      userId: '787132',
      username: 'natgeo',
      name: 'National Geographic',
      verified: true,
      followerCount: 268_457_110,
      followingCount: 194,
      hasReels: true,
      thumbnails: [{ width: 150, height: 150 }],
      links: [{ url: 'http://visitstore.bio/natgeo' }, { title: 'Subscribe Here!' }],
      posts: [
        { shortcode: 'DdG4RIxIPyf', type: 'reel' },
        { shortcode: 'DbIdlf0j6uA' },
        { type: 'carousel', mediaCount: 6 },
      ],
    });
    expect(findProfileInPage(page, 'nasa')).toBeUndefined();
    const nasa = recording('Kusdianta__Branding-Builder/web_profile_info-nasa.json');
    expect(profileOf(findProfileInJson(nasa, 'nasa'))).toMatchObject({
      username: 'nasa',
      followerCount: 104_352_365,
      business: true,
    });
    const artist = recording('zhiwei2017__crawlinsta/reels/web_profile_info.json');
    expect(profileOf(findProfileInJson(artist, 'anasaiaofficial'))).toMatchObject({
      userId: '50269116275',
      followerCount: 740_983,
      followingCount: 508,
      postCount: 467,
      category: 'Artist',
    });
  });

  it.each([
    [`${newest}/instagram_not_found_live_20261004.html`, 'not_found', 200],
    [`${newest}/instagram_login_wall_live_20261004.html`, 'signin_required', 200],
    [`${newest}/instagram_throttled_post_live_20261004.html`, 'non_2xx_response', 200],
    [`${newest}/instagram_throttled_profile_live_20261004.html`, 'non_2xx_response', 200],
    ['Kusdianta__Branding-Builder/web_profile_info-not-found.html', 'not_found', 404],
    ['Afaqraza12__Snatch-video-Downloader/insta_embed.html.gz', 'not_found', 200],
    [`${fetchr}/gone.html`, 'invalid_response_data', 200],
    [`${fetchr}/private.html`, 'invalid_response_data', 200],
  ])('named %s yield the error %s', (name, code, status) => {
    const text = recording(name);
    expect(findPostInPage(text, 'DdG4RIxIPyf')).toBeUndefined();
    expect(refusalOf(responseWith(text, 'https://www.instagram.com/p/DdG4RIxIPyf/', status), 'post').code).toBe(code);
  });

  it('are all read by a test', () => {
    expect([...recordings.keys()].filter((name) => !usedNames.has(name))).toEqual([]);
  });
});
