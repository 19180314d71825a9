import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import { fields, isFields, parseJson } from '../../parsing/values.ts';
import type { Extraction } from '../platform.ts';
import { fakeSite, type Reply } from '../testing/fake-site.ts';
import { captionParts } from './parse/caption.ts';
import { createListReader } from './parse/list-reader.ts';
import { postMetadata } from './parse/post-metadata.ts';
import { tiktok } from './testing/tiktok.ts';

const recordings = readRecordings('p4');

function recording(folderName: string): string {
  const [text] = [...recordings].flatMap(([name, text]) => (name.includes(folderName) ? [text] : []));
  if (text === undefined) throw new Error(`there is no recording ${folderName}`);
  return text;
}

const headers = { 'set-cookie': ['ttwid=1; Path=/', 'tt_chain_token=abc==; Path=/; Secure; HttpOnly'] };

function extract(path: string, url: string, reply: (url: URL) => Reply): Promise<Extraction> {
  const endpoint = tiktok.endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  return endpoint.extract({ url }, fakeSite((request) => reply(request.url)).context);
}

const post = (id: string, text: string) =>
  extract('/post/details', `https://www.tiktok.com/@_/video/${id}`, (url) =>
    url.pathname.includes('/video/') ? { body: text, headers } : { status: 404, body: '' },
  );
const user = (name: string, text: string) =>
  extract('/user/details', `https://www.tiktok.com/@${name}`, (url) =>
    url.pathname === `/@${name}` ? { body: text } : { status: 400, body: '' },
  );
const refusalOf = (extraction: Promise<unknown>) =>
  extraction.then(
    () => 'an answer',
    (error: unknown) => (error instanceof MillraceError ? error.code : 'no MillraceError'),
  );
const brief = (media: readonly SourceMedia[] = []) =>
  media.map(({ item: { repId, label, metadata } }) => [repId, label, metadata.width, metadata.height]);

describe.skipIf(recordings.size === 0)('recorded responses', () => {
  it('are all covered by this file', () => {
    expect([...recordings.keys()].map((name) => name.split('/')[0]).toSorted()).toEqual([
      '1sthillman+YTTKST',
      'Minta1234+Tiktok-Downloader',
      'ca74ca+nao-v2',
      'camillebrown+mealplanner',
      'cong99x+downDouiyn',
      'cong99x+downDouiyn',
      'frederic102+mida',
      'koudai',
      'microlinkhq+metascraper',
      'nickdermenjivr+Telegram_bot',
      'oscarotero+Embed',
      'oscarotero__Embed',
      'scrapfly+scrapfly-scrapers',
      'synthetic',
      'tuanmjnh+scraping-social',
    ]);
  });

  it('yield a video of the desktop page with every encode', async () => {
    const { contents, metadata } = await post('7608826249200356630', recording('camillebrown'));
    const { videos = [], audios = [], images = [], ...rest } = contents?.[0] ?? {};
    expect(rest).toEqual({ subjects: {} });
    expect(brief(videos)).toEqual([
      ['main', '540p', 576, 1024],
      ['adapt_lowest_1080_1', '1080p', 1080, 1920],
      ['adapt_lower_720_1', '720p', 720, 1280],
      ['lower_540_0', '540p', 576, 1024],
      ['adapt_540_1', '540p', 576, 1024],
    ]);
    expect(
      videos.map(({ item: { metadata } }) => [metadata.codecs, metadata.bitrate, metadata.content_length]),
    ).toEqual([
      ['avc1', 1297895, 8788538],
      ['hvc1', 1148519, 7777340],
      ['hvc1', 750808, 5084196],
      ['avc1', 738085, 4997854],
      ['hvc1', 615915, 4170749],
    ]);
    for (const { item, stream } of videos) {
      expect(item.url).toMatch(/^https:\/\/v16-webapp-prime\.us\.tiktok\.com\/video\/.*&tk=tt_chain_token&/);
      expect(item.metadata.expires_at).toBe('2026-07-18T06:20:33.000Z');
      expect(stream?.headers).toMatchObject({ referer: 'https://www.tiktok.com/', cookie: 'tt_chain_token=abc==' });
      expect(stream?.headers?.['user-agent']).toContain('Chrome/');
      expect(stream?.relayOnly).toBe(true);
    }
    expect(audios).toMatchObject([
      {
        item: {
          label: 'original sound - Emily English',
          repId: '7608826260956908310',
          metadata: { mime_type: 'audio/mpeg', duration: 54, original: true, expires_at: '2026-07-16T12:20:33.000Z' },
        },
        stream: { ext: 'mp3', kind: 'audio', audioCodec: 'mp3' },
      },
    ]);
    expect(audios[0]?.stream).not.toHaveProperty('headers');
    expect(images.map(({ item }) => item.label)).toEqual([
      'cover',
      'origin_cover',
      'dynamic_cover',
      'zoom_cover_960',
      'zoom_cover_720',
      'zoom_cover_480',
      'zoom_cover_240',
    ]);
    expect(metadata.title).toMatch(/^15 MINUTE CREAMY THAI COCONUT COD CURRY\s+Creamy/);
    expect(metadata.thumbnailUrl).toBe(images[0]?.item.url);
    expect(metadata.author).toMatchObject({
      id: '6813808072638399493',
      name: 'Emily English',
      handle: 'emthenutritionist',
      url: 'https://www.tiktok.com/@emthenutritionist',
      verified: true,
      followerCount: 931000,
      likeCount: 17400000,
      videoCount: 601,
    });
    expect(metadata.additionalData).toMatchObject({
      source: 'desktop',
      type: 'video',
      createdAt: '2026-02-20T06:12:10.000Z',
      duration: 54,
      statistics: {
        viewCount: 2900000,
        likeCount: 105200,
        commentCount: 499,
        shareCount: 42400,
        saveCount: 124842,
        repostCount: 0,
      },
      hashtags: ['healthyrecipes', 'quickrecipes'],
      tags: ['healthyrecipes', 'quickrecipes'],
      location: 'GB',
      language: 'en',
      subtitles: [{ language: 'eng-US', format: 'webvtt', kind: 'ASR', expires_at: '2026-07-18T06:20:33.000Z' }],
      stickers: ['one pot steamed coconut cod', 'HEALTHY 15 MINUTE MEALS'],
    });
  });

  it('yield a video of 2020, whose encodes have no dimensions', async () => {
    const { contents, metadata, unread } = await post('6806030056956251397', recording('oscarotero__Embed'));
    const { videos = [], audios = [], images = [] } = contents?.[0] ?? {};
    expect(brief(videos)).toEqual([['main', '480p', 480, 848]]);
    expect(videos[0]?.item.metadata).toMatchObject({ bitrate: 982889, content_length: 3640131, duration: 29 });
    expect(audios.map(({ item }) => item.label)).toEqual(['Resistiré - Duo Dinamico']);
    expect(brief(images)).toEqual([
      ['cover', 'cover', 480, 848],
      ['origin_cover', 'origin_cover', 480, 848],
      ['dynamic_cover', 'dynamic_cover', 480, 848],
      ['zoom_cover_960', 'zoom_cover_960', 960, 960],
      ['zoom_cover_720', 'zoom_cover_720', 720, 720],
      ['zoom_cover_480', 'zoom_cover_480', 480, 480],
      ['zoom_cover_240', 'zoom_cover_240', 240, 240],
    ]);
    expect(metadata.author).toMatchObject({ handle: 'a3noticias', verified: true });
    expect(metadata.additionalData).toMatchObject({
      createdAt: '2020-03-19T21:12:41.000Z',
      statistics: { viewCount: 260800, likeCount: 12000, commentCount: 252, shareCount: 205, saveCount: 157 },
      hashtags: ['AplausoSanitario', 'QuédateEnCasa'],
      tags: ['aplausosanitario', 'quédateencasa'],
      location: 'ES',
    });
    expect(unread).toEqual({});
  });

  it('yield the error for the page of a collection, which is neither a post nor a user', async () => {
    const text = recording('koudai');
    const links = [...text.matchAll(/"canonicalHref":"([^"]+)"/g)].map(([, link = '']) =>
      decodeURI(JSON.parse(`"${link}"`)),
    );
    expect(links).toEqual(['https://www.tiktok.com/@recipe.pocket/collection/料理-7223156686599572226']);
    await expect(extract('/post/details', links[0] ?? '', () => ({ body: text }))).rejects.toMatchObject({
      code: 'invalid_url',
    });
    expect(await refusalOf(post('7276437262283859205', text))).toBe('non_2xx_response');
    expect(await refusalOf(user('recipe.pocket', text))).toBe('non_2xx_response');
  });

  it('yield a video of the mobile page', async () => {
    const { contents, metadata } = await post('7585124257601162516', recording('backend_tiktok_mobile'));
    const { videos = [], audios = [] } = contents?.[0] ?? {};
    expect(brief(videos)).toEqual([['main', '576p', 576, 1024]]);
    expect(videos[0]).toMatchObject({
      item: { metadata: { bitrate: 1570 * 1024, duration: 41, expires_at: '2026-02-02T03:44:21.000Z' } },
      stream: { kind: 'muxed', estimatedBytes: (1570 * 1024 * 41) / 8, headers: { cookie: 'tt_chain_token=abc==' } },
    });
    expect(audios.map(({ item }) => item.label)).toEqual(['nhạc nền - emlyy 🇻🇳 - emlyy 🇻🇳']);
    expect(metadata.author).toMatchObject({ handle: 'emlyreview', followerCount: 570000, likeCount: 32300000 });
    expect(metadata.additionalData).toMatchObject({
      type: 'video',
      statistics: { viewCount: 918100, likeCount: 33400, commentCount: 97, shareCount: 2913, saveCount: 684 },
      tags: ['emlyreview', 'vtmgr'],
      subtitles: [
        { language: 'eng-US', kind: 'MT' },
        { language: 'vie-VN', kind: 'ASR' },
      ],
    });
  });

  it('yield the photos of the mobile page', async () => {
    const text = recording('cong99x+downDouiyn/tiktok_mobile');
    const { contents, metadata } = await post('7603995605354040594', text);
    const { videos, audios = [], images = [] } = contents?.[0] ?? {};
    expect(videos).toBeUndefined();
    expect(images).toHaveLength(11);
    expect(brief(images.slice(0, 2))).toEqual([
      ['photo_1', '1440x1920', 1440, 1920],
      ['photo_2', '1440x1920', 1440, 1920],
    ]);
    expect(images[0]?.item.url).toMatch(/93f4c94e286c4525a34476f8289bab6f~tplv-photomode-image\.jpeg\?/);
    expect(images[0]?.item.metadata).toMatchObject({
      mime_type: 'image/jpeg',
      alternates: [expect.stringMatching(/^https:\/\/p9-/)],
      expires_at: '2026-03-28T13:00:00.000Z',
    });
    // Neither the link nor, here, the server names the music's format.
    expect(audios).toMatchObject([
      {
        item: { label: 'Bạn Đời - Karik & GDucky', metadata: { mime_type: 'application/octet-stream', duration: 30 } },
      },
    ]);
    expect(metadata.author).toMatchObject({ handle: 'nghetrinhhh' });
    expect(metadata.additionalData).toMatchObject({
      type: 'photo',
      imageCount: 11,
      statistics: { viewCount: 1700000, saveCount: 49505 },
      tags: ['nauan', 'food', 'comnha', 'learnontiktok', 'ilovetiktok'],
      playlist: { id: '7408132691326929672', title: 'Cơm nhà 🍚', videoCount: 74 },
    });
  });

  it('yield the photos and comments of the streamed mobile page', async () => {
    const { contents, metadata } = await post('7631060535387163925', recording('Minta1234'));
    const { audios = [], images = [] } = contents?.[0] ?? {};
    expect(brief(images.slice(0, 2))).toEqual([
      ['photo_1', '1929x1080', 1929, 1080],
      ['photo_2', '3728x2116', 3728, 2116],
    ]);
    expect(images).toHaveLength(7);
    expect(audios).toMatchObject([{ item: { label: 'som original - 𝒟 𝘳 𝘪' }, stream: { ext: 'mp3' } }]);
    expect(metadata.additionalData).toMatchObject({ photoTitle: 'Some of the truth will be revealed today.' });
    const { threads, ...list } = metadata.comments ?? {};
    expect(list).toEqual({ header: { count: 54 }, nextToken: null });
    expect(threads).toHaveLength(10);
    expect(threads).toMatchObject([
      {
        type: 'comment',
        id: '7631427224729944839',
        author: { id: '7118729249209517082', name: 'Poh', handle: 'maki_the_cutest' },
        images: [{ width: 2048, height: 1152 }],
        publishedAt: '2026-04-22T03:55:24.000Z',
        likeCount: 12,
        replyCount: 6,
        pinned: false,
        hearted: true,
      },
      ...Array.from({ length: 9 }, () => ({ type: 'comment' })),
    ]);
  });

  it('yield the encodes of a page that was reduced to its encodes', async () => {
    const text = `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${recording('frederic102')}</script>`;
    const { contents, metadata } = await post('7047596209028074758', text);
    expect(brief(contents?.[0]?.videos)).toEqual([
      ['540p_h264_1895168', '540p', 576, 1024],
      ['540p_h264_1108496', '540p', 576, 1024],
    ]);
    expect(contents?.[0]?.audios).toBeUndefined();
    expect(metadata.author).toEqual({
      name: 'Hank Green',
      handle: 'hankgreen1',
      url: 'https://www.tiktok.com/@hankgreen1',
    });
    expect(metadata.additionalData).toMatchObject({ createdAt: '2021-12-30T20:32:41.000Z' });
  });

  it.each([
    ['illojuan', 'microlinkhq', '6781206617314018309', 'IlloJuan', 783427, '783427'],
    ['webstoremd', 'nickdermenjivr', '6910304068566041606', 'WebstoreMD', 211900, '211900'],
  ])('yield the profile of %s', async (name, folderName, id, title, followerCount, exact) => {
    const { metadata } = await user(name, recording(folderName));
    expect(metadata).toMatchObject({
      title,
      thumbnailUrl: expect.stringMatching(/^https:\/\/p16-.*:1080:1080\.jpeg/),
      author: {
        id,
        handle: name,
        followerCount,
        user: { id, uniqueId: name, secUid: expect.stringMatching(/^MS4wLjABAAAA/) },
        stats: { followerCount: Math.round(followerCount / 100) * 100 },
        statsV2: { followerCount: exact },
      },
      additionalData: { source: 'desktop', shareTitle: `${title} on TikTok` },
    });
  });

  it('yield the profile of a page with line breaks in its tags', async () => {
    const text = recording('tuanmjnh');
    const name = /"user":\{"id":"\d+","shortId":"","uniqueId":"([\w.]+)"/.exec(text)?.[1] ?? '';
    const { metadata } = await user(name, text);
    expect(metadata.author).toMatchObject({ handle: name, stats: { videoCount: expect.any(Number) } });
    expect(metadata.author?.statsV2).toMatchObject({ videoCount: expect.stringMatching(/^\d+$/) });
  });

  it('yield no result when only the oEmbed data is available', async () => {
    const { embed_product_id: id } = fields(parseJson(recording('oscarotero+Embed')));
    expect(id).toBe('6806030056956251397');
    const extraction = extract('/post/details', `https://www.tiktok.com/@a3noticias/video/${id}`, (url) => ({
      body: recording(url.pathname === '/oembed' ? 'oscarotero+Embed' : 'waf_challenge'),
    }));
    await expect(extraction).rejects.toMatchObject({ code: 'non_2xx_response', retryable: true });
  });

  it('yield the tags and counts of posts in a list of 2024', () => {
    const posts = parseJson(recording('channel.json'));
    if (!Array.isArray(posts)) throw new Error('expected a list');
    expect(posts).toHaveLength(53);
    for (const item of posts.filter(isFields)) {
      const { additionalData } = postMetadata(String(item.id), { item, lists: createListReader() }, 'desktop');
      expect(additionalData?.statistics).toMatchObject({ viewCount: expect.any(Number) });
      expect(additionalData?.createdAt).toMatch(/^20\d\d-/);
    }
    expect(
      posts
        .filter(isFields)
        .slice(0, 2)
        .map((item) => captionParts(item).tags),
    ).toEqual([
      ['animals', 'science', 'learnontiktok'],
      ['animals', 'science', 'learnontiktok'],
    ]);
  });

  it.each([
    ['a post that is gone', '7276437262283859205', 'ca74ca', 'not_found'],
    ['the firewall check', '7276437262283859205', 'waf_challenge', 'non_2xx_response'],
    ['the page of a live stream', '7276437262283859205', '1sthillman', 'non_2xx_response'],
    ['a profile instead of a post', '7276437262283859205', 'microlinkhq', 'non_2xx_response'],
    ['another post', '7276437262283859205', 'camillebrown', 'invalid_response_data'],
  ])('yield the error for %s', async (_name, id, folderName, code) => {
    expect(await refusalOf(post(id, recording(folderName)))).toBe(code);
  });

  it.each([
    ['the firewall check', 'waf_challenge'],
    ['the page of a live stream', '1sthillman'],
  ])('yield the error for %s instead of a profile', async (_name, folderName) => {
    expect(await refusalOf(user('illojuan', recording(folderName)))).toBe('non_2xx_response');
  });

  it('yield a MillraceError or a result when truncated anywhere', async () => {
    const codes = new Set<string>();
    for (const text of recordings.values()) {
      const id = /"itemStruct":\{"id":"(\d{19})"/.exec(text)?.[1] ?? '7276437262283859205';
      const step = Math.ceil(text.length / 23);
      for (let length = 0; length < text.length; length += step) {
        codes.add(await refusalOf(post(id, text.slice(0, length))));
      }
    }
    expect(codes).not.toContain('no MillraceError');
  });

  it('are parsed within a median of 15 ms of CPU time', async () => {
    const text = recording('camillebrown').padEnd(1_000_000, ' ');
    const times: number[] = [];
    for (let run = 0; run < 15; run += 1) {
      const before = process.cpuUsage();
      await post('7608826249200356630', text);
      const { user: spent, system } = process.cpuUsage(before);
      times.push((spent + system) / 1000);
    }
    const median = times.toSorted((a, b) => a - b)[7] ?? 0;
    process.stdout.write(`p4 recordings: 1 MB page read in ${median.toFixed(1)} ms\n`);
    expect(median).toBeLessThan(15);
  });
});
