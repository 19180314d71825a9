import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { MillraceError } from '../../contract/errors.ts';
import { dig, fields, list } from '../../parsing/values.ts';
import type { ContentMedia, Extraction } from '../platform.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { pinDetails } from './endpoints/pin-details.ts';
import { pinInMeta } from './parse/page-meta.ts';
import { pinMedia } from './parse/pin-media.ts';
import { pinMetadata } from './parse/pin-metadata.ts';
import { defaultSite } from './site.ts';
import { resource } from './testing/pins.ts';

const recordings = readRecordings('p6');

function recording(name: string): string {
  const text = recordings.get(name);
  if (text === undefined) throw new Error(`there is no recording ${name}`);
  return text;
}

const pages = {
  gone: ['AchmadAlvin+pinterest-board-downloader/pin.html.gz', '635359459968469543'],
  phoenix: ['UsoltsevI+CollectorA/pin-page-one.html.gz', '165366617561100485'],
  wingsuit: ['UsoltsevI+CollectorA/pin-wingsuit-video-one.html.gz', '615304367873483625'],
  sky: ['UsoltsevI+CollectorA/pin.html.gz', '635640934940256125'],
  morning: ['komdiw+pinterest-video-downloader/pinterest_page.html.gz', '31454897393552949'],
} as const;

const search = 'ddooxhuy09+Crawler/pinterest.json.gz';
const searchOf2025 = 'sahebraojadhav__pinterest/obj.js.gz';
const trimmedResource = 'index-excerpts/PinResource_2885187256207927_trimmed.json';

/** Runs the endpoint with a recorded page and without the JSON interface. */
function fromPage(name: keyof typeof pages): Promise<Extraction> {
  const [file, pinId] = pages[name];
  const { context } = fakeSite(({ url }) =>
    url.pathname.startsWith('/pin/') ? { body: recording(file) } : { status: 429, body: '' },
  );
  return pinDetails(defaultSite).extract({ pinId }, context);
}

/** Runs the endpoint with a pin from the JSON interface. */
function fromResource(body: unknown, pinId: string): Promise<Extraction> {
  const { context } = fakeSite(() => ({ body }));
  return pinDetails(defaultSite).extract({ pinId }, context);
}

/** Parses the object that a JavaScript file assigns: JSON with bare member names and commas before closing brackets. */
function parseObjectLiteral(script: string): unknown {
  const literal = script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1);
  const json = literal.replace(
    /("(?:[^"\\]|\\.)*")|,(\s*[}\]])|([\w$]+)(?=\s*:)/g,
    (_, text?: string, bracket?: string, name?: string) => text ?? bracket ?? JSON.stringify(name),
  );
  return JSON.parse(json);
}

const labels = ({ images = [] }: ContentMedia = {}) => images.map(({ item }) => `${item.repId} ${item.label}`);

describe.skipIf(recordings.size === 0)('recorded responses', () => {
  it('are all read by a test of this file', () => {
    expect([...recordings.keys()].toSorted()).toEqual(
      [...Object.values(pages).map(([file]) => file), search, searchOf2025, trimmedResource].toSorted(),
    );
  });

  it('report that a pin is gone', async () => {
    await expect(fromPage('gone')).rejects.toMatchObject({ code: 'not_found', reason: 'PinNotFound' });
  });

  it('yield the video of late 2025', async () => {
    const { contents = [], metadata } = await fromPage('morning');
    expect(contents.map(Object.keys)).toEqual([
      ['videos', 'images', 'subjects'],
      ['images', 'subjects'],
    ]);
    expect(contents[0]?.videos?.map(({ item }) => item)).toEqual([
      {
        label: '720p',
        url: 'https://v1.pinimg.com/videos/iht/expMp4/13/2f/c4/132fc47b632b4fbd19327bac3ecff853_720w.mp4',
        repId: 'V_720P',
        metadata: expect.objectContaining({ mime_type: 'video/mp4', width: 720, height: 1280, duration: 10.033 }),
      },
      {
        label: 'hls-720',
        url: 'https://v1.pinimg.com/videos/iht/hls/13/2f/c4/132fc47b632b4fbd19327bac3ecff853.m3u8',
        repId: 'V_HLSV4',
        metadata: expect.objectContaining({ mime_type: 'application/vnd.apple.mpegurl', width: 720, height: 1280 }),
      },
    ]);
    expect(labels(contents[1])).toEqual([
      'orig 720x1280',
      '736x 720x1280',
      '1200x 720x1280',
      '564x 564x1002',
      '474x 474x842',
      '600x315 600x315',
      '236x 236x419',
      '136x136 136x136',
      '60x60 60x60',
    ]);
    expect(metadata).toMatchObject({
      title: 'Доброе утро',
      thumbnailUrl: 'https://i.pinimg.com/originals/75/49/d3/7549d3f9adac303b7e620c6e20df5bc5.jpg',
      author: {
        id: '673077244217970602',
        handle: 'alekseyyanin',
        followerCount: 2129,
        pinner: { id: '31455034805900267', name: 'Галина', handle: 'shumiloga75', followerCount: 1820 },
        originPinner: { id: '673077244217970602', name: 'Мысли, которые живут в каждом' },
        nativeCreator: { handle: 'alekseyyanin' },
      },
      additionalData: {
        source: 'page',
        createdAt: '2025-10-16T03:38:01.000Z',
        domain: 'Uploaded by user',
        dominantColor: '#83796b',
        duration: 10.033,
        pageCount: 1,
        board: { id: '31454966086708901', name: 'Цитаты', pinCount: 3385 },
        statistics: {
          saveCount: 5500,
          repinCount: 1909,
          reactionCount: 1511,
          commentCount: 38,
          shareCount: 6237,
          viewCount: 386205,
        },
        reactions: { 1: 1507 },
      },
    });
    expect(metadata.additionalData?.hashtags).toHaveLength(10);
    expect(metadata.additionalData?.tags).toContain('Good Morning Cat');
  });

  it('yield the video of 2024, whose file is smaller than its upload', async () => {
    const { contents = [], metadata } = await fromPage('wingsuit');
    expect(
      contents[0]?.videos?.map(({ item }) => [item.label, item.repId, item.metadata.width, item.metadata.height]),
    ).toEqual([
      ['720p', 'V_720P', 720, 1280],
      ['hls-1080', 'V_HLSV3_MOBILE', 1080, 1920],
    ]);
    expect(contents[0]?.videos?.[0]?.item).toMatchObject({
      url: 'https://v1.pinimg.com/videos/iht/720p/85/36/ee/8536ee5bb1303c29edd53e382ef56e26.mp4',
      metadata: { duration: 13.9, sourceWidth: 1080, sourceHeight: 1920 },
    });
    expect(labels(contents[0])).toEqual(
      expect.arrayContaining(['poster 1080x1920', '1200x 1080x1920', '736x 736x1308', '236x 236x419']),
    );
    expect(labels(contents[1])[0]).toBe('orig 1080x1920');
    expect(metadata).toMatchObject({
      title: 'Бейсджампинг в вингсьюте в норвежских фьордах',
      author: { handle: 'abracodabra357', pinner: { handle: 'levakabananapa', followerCount: 5 } },
      additionalData: {
        link: 'https://www.instagram.com/reel/C9atjAzsvPD/',
        statistics: { saveCount: 11, repinCount: 1, shareCount: 5, viewCount: 1964 },
        reactions: { 1: 2 },
      },
    });
  });

  it('yield the image of 2024', async () => {
    const { contents = [], metadata } = await fromPage('phoenix');
    expect(contents.map(labels)).toEqual([
      [
        'orig 626x626',
        '736x 626x626',
        '1200x 626x626',
        '564x 564x564',
        '474x 474x474',
        '600x315 600x315',
        '236x 236x236',
        '136x136 136x136',
        '60x60 60x60',
      ],
    ]);
    expect(metadata).toMatchObject({
      title: 'Premium Photo | Phoenix bird on fire mythological fenix bird with flames fantasy illustration',
      author: { handle: 'myuki080725', pinner: { name: 'HomerunV', followerCount: 111 } },
      additionalData: {
        createdAt: '2024-02-14T18:52:16.000Z',
        domain: 'freepik.com',
        attribution: { handle: 'freepik', verified: true, followerCount: 4871504 },
        statistics: { saveCount: 1365, commentCount: 1 },
        reactions: { 1: 20, 13: 2 },
      },
    });
    expect(metadata.author).not.toHaveProperty('nativeCreator');
  });

  it('yield an image from a page whose script does not begin with its JSON', async () => {
    const { contents = [], metadata } = await fromPage('sky');
    expect(labels(contents[0]).slice(0, 3)).toEqual(['orig 816x1456', '1200x 816x1456', '736x 736x1313']);
    expect(metadata).toMatchObject({
      title: 'Free Starry Night Sky Image | Download at StockCake',
      author: { handle: 'kinzazameer151', pinner: { handle: 'HaeDalbit81' } },
      additionalData: { statistics: { saveCount: 2998, repinCount: 267, reactionCount: 65 }, board: { name: 'F' } },
    });
  });

  it.each([
    ['gone', undefined, 0, undefined],
    [
      'phoenix',
      'Premium Photo | Phoenix bird on fire mythological fenix bird with flames fantasy illustration',
      1,
      'veronikamel',
    ],
    ['wingsuit', 'Бейсджампинг в вингсьюте в норвежских фьордах', 2, 'abracodabra357'],
    ['sky', 'Free Starry Night Sky Image | Download at StockCake', 1, 'HaeDalbit81'],
    ['morning', 'Доброе утро', 2, 'alekseyyanin'],
  ] as const)('yield data from the head of %s', (name, title, contents, handle) => {
    const [file, pinId] = pages[name];
    const pin = pinInMeta(recording(file), pinId);
    expect(pinMedia(pin ?? {}).contents).toHaveLength(contents);
    expect(pin && pinMetadata(pin, pinId, 'page_meta')).toEqual(
      pin && expect.objectContaining({ title, author: expect.objectContaining({ handle }) }),
    );
    expect(pin === undefined).toBe(contents === 0);
  });

  it('yield the video of the JSON interface', async () => {
    const { contents = [], metadata } = await fromResource(recording(trimmedResource), '2885187256207927');
    expect(contents[0]?.videos?.map(({ item }) => [item.label, item.repId])).toEqual([
      ['720p', 'V_720P'],
      ['hls-1080', 'V_HLSV4'],
    ]);
    expect(contents[0]?.videos?.[0]?.item.metadata).toMatchObject({ width: 720, height: 1280, duration: 7.967 });
    expect(contents.slice(1).map(labels)).toEqual([['orig 736x1308']]);
    expect(metadata.additionalData).toMatchObject({ id: '2885187256207927', source: 'resource', duration: 7.967 });
  });

  it('yield each of the 18 pins of a list from the JSON interface', async () => {
    const pins = list(dig(JSON.parse(recording(search)), 'resource_response', 'data', 'results')).map(fields);
    const extractions = await Promise.all(pins.map((pin) => fromResource(resource(pin), String(pin.id))));
    expect(extractions.map(({ metadata }) => metadata.additionalData?.id)).toEqual(pins.map(({ id }) => id));
    // Seven are one-page stories, whose image is the main image.
    expect(extractions.filter(({ contents = [] }) => contents.length === 2)).toHaveLength(7);
    for (const { contents = [] } of extractions) {
      expect(contents[0]).toEqual(contents.at(-1));
      expect(labels(contents[0])[0]).toMatch(/^orig \d+x\d+$/);
    }
    const messi = extractions.find(({ metadata }) => metadata.additionalData?.id === '87890630221675665');
    expect(labels(messi?.contents?.[0])).toEqual(['orig 736x1308', '736x 736x1308', '474x 474x842', '236x 236x419']);
    expect(messi?.metadata).toMatchObject({
      title: 'Messi',
      author: { id: '1028439402315183385', name: 'Pablo_bs', followerCount: 266, pinner: { handle: 'gemariva' } },
      additionalData: {
        createdAt: '2024-09-23T13:02:37.000Z',
        reactions: { 1: 3172, 7: 1 },
        board: { name: 'Guardado rápido', pinCount: 24 },
      },
    });
  });

  it('yield each of the 25 pins of another list from the JSON interface', async () => {
    const pins = list(dig(parseObjectLiteral(recording(searchOf2025)), 'resource_response', 'data', 'results')).map(
      fields,
    );
    const extractions = await Promise.all(pins.map((pin) => fromResource(resource(pin), String(pin.id))));
    expect(extractions.map(({ metadata }) => metadata.additionalData?.id)).toEqual(pins.map(({ id }) => id));
    for (const { metadata, ...rest } of extractions) {
      expect(rest).toEqual({ contents: expect.any(Array), unread: {} });
      expect(metadata.author).toMatchObject({
        pinner: { handle: expect.any(String), followerCount: expect.any(Number) },
      });
      expect(metadata.additionalData).toMatchObject({
        createdAt: expect.stringMatching(/^20/),
        domain: expect.any(String),
        board: { name: expect.any(String) },
      });
    }
    expect(extractions.map(({ metadata }) => metadata.title)).toEqual(
      pins.map((pin) => [pin.title, pin.grid_title].find((title) => title !== '')),
    );
    const originals = pins.map((pin) => fields(dig(pin, 'images', 'orig')));
    expect(extractions.map(({ contents = [] }) => labels(contents.at(-1))[0])).toEqual(
      originals.map(({ width, height }) => `orig ${width === undefined ? 'orig' : `${width}x${height}`}`),
    );
    const withVideos = extractions.filter(({ contents = [] }) => contents.some(({ videos }) => videos !== undefined));
    expect(withVideos.map(({ metadata }) => metadata.title)).toEqual([
      'Appreciating the little details and bring joy in to your life',
    ]);
    expect(withVideos[0]?.contents?.[0]?.videos?.map(({ item }) => [item.repId, item.label])).toEqual([
      ['V_EXP7', '720p'],
      ['V_EXP6', 'exp6'],
      ['V_EXP5', 'exp5'],
      ['V_EXP4', 'exp4'],
      ['V_EXP3', 'exp3'],
      ['V_HLSV4', 'hls-1080'],
    ]);
    expect(withVideos[0]?.metadata.additionalData).toMatchObject({
      duration: 14.166,
      link: 'https://claire-victoria-photography.teemill.com/',
      reactions: { 1: 6466, 5: 1, 7: 18, 11: 7, 13: 9 },
    });
    // One pin lists no sizes, so the original's address follows from the signature.
    const withoutSizes = extractions.find(({ metadata }) => metadata.title === 'find peace outside');
    expect(withoutSizes?.contents).toMatchObject([
      { images: [{ item: { url: 'https://i.pinimg.com/originals/f2/0a/f5/f20af5d2c2f1ab03a38fb4eb512bdc08.jpg' } }] },
    ]);
  });

  it('yield a MillraceError or a result when truncated or damaged anywhere', async () => {
    for (const [file, pinId] of Object.values(pages)) {
      const html = recording(file);
      for (let step = 1; step < 40; step += 1) {
        const at = Math.floor((html.length * step) / 40);
        const damaged = [html.slice(0, at), `${html.slice(0, at)}\u0000"{${html.slice(at + 7)}`];
        for (const body of damaged) {
          const { context } = fakeSite(() => ({ body }));
          const outcome = await pinDetails(defaultSite)
            .extract({ pinId }, context)
            .catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(MillraceError);
          else expect(outcome).toMatchObject({ contents: expect.any(Array) });
        }
      }
    }
  });
});
