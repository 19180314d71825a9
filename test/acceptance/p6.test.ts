import { describe, expect, inject, test } from 'vitest';
import { titleOfItem } from '../../lab/platforms/headlines.ts';
import type { Item, Result } from '../support/envelope.ts';
import { describeJob, extract, render } from '../support/http-client.ts';
import { inspect, jpegSize } from '../support/media.ts';

const service = inject('serviceUrl');

/** Returns the ID of a pin that the lab documents, from its last three digits. */
const pin = (number: number) => `600000000000000${number}`;
const details = (query: Readonly<Record<string, string>>) =>
  extract<Result>(`${service}/p6/v3/pin/details?${new URLSearchParams(query)}`);
const pinDetails = async (number: number) => (await details({ pinId: pin(number) })).body;
const labels = (items: readonly Item[] = []) => items.map(({ label }) => label);
const contentKinds = ({ contents = [] }: Result) => contents.map((content) => Object.keys(content).toSorted());

/** Fetches a link as the service itself does: in a job that stores it unchanged. */
async function fetchBytes(url: string, ext: string): Promise<Buffer> {
  return (await render(service, describeJob('no_process', [{ url, ext }], ext))).file;
}

describe('GET /p6/v3/pin/details', () => {
  test('returns an image in all its sizes, largest first', async () => {
    const { status, body, headers } = await details({ pinId: pin(102) });
    expect(status).toBe(200);
    expect(body.error).toBeNull();
    expect(contentKinds(body)).toEqual([['images']]);
    const images = body.contents?.[0]?.images ?? [];
    const areas = images.map(({ metadata }) => Number(metadata.width) * Number(metadata.height));
    expect(areas).toEqual(areas.toSorted((a, b) => b - a));
    expect(images.map(({ repId }) => repId)).toEqual(
      expect.arrayContaining(['orig', '1200x', '736x', '564x', '474x', '236x', '600x315', '136x136', '60x60']),
    );
    expect(new Set(images.map(({ repId }) => repId)).size).toBe(images.length);
    for (const { label, url, metadata } of images) {
      expect(label).toBe(`${metadata.width}x${metadata.height}`);
      expect(url).toMatch(/^https:\/\/i\.pinimg\.com\/(?:originals|\d+x\d*)\//);
      expect(metadata).toMatchObject({ mime_type: 'image/jpeg', has_audio: false });
    }
    expect(images[0]?.url).toContain('/originals/');
    expect(body.notes?.join()).toContain('1 credit');
    expect(headers.get('cache-control')).toContain('private');
  });

  test('returns authors, dates, locations and counts', async () => {
    const { metadata } = await pinDetails(102);
    const people = { pinner: 'Lab Saver', originPinner: 'Lab First', nativeCreator: 'Lab Maker' };
    for (const [role, name] of Object.entries(people)) {
      expect(metadata.author).toMatchObject({
        [role]: {
          id: expect.stringMatching(/^\d+$/),
          name,
          handle: expect.stringMatching(/^lab_/),
          url: expect.stringMatching(/^https:\/\/www\.pinterest\.com\/lab_/),
          followerCount: expect.any(Number),
          thumbnails: [{ width: 140, height: 140 }, { width: 75 }, { width: 30 }],
        },
      });
    }
    expect(metadata).toMatchObject({
      title: titleOfItem(pin(102)),
      thumbnailUrl: expect.stringMatching(/^https:\/\/i\.pinimg\.com\/originals\//),
      author: { name: people.nativeCreator },
      additionalData: {
        id: pin(102),
        source: 'resource',
        url: `https://www.pinterest.com/pin/${pin(102)}/`,
        description: expect.stringContaining('A pin of the lab'),
        hashtags: ['lab', 'plain'],
        mentions: ['thelab'],
        createdAt: expect.stringMatching(/^202\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        createdText: expect.stringMatching(/^\w{3}, \d\d \w{3} 202\d .* \+0000$/),
        link: `https://blog.lab.example/${pin(102)}`,
        domain: 'blog.lab.example',
        dominantColor: '#83796b',
        board: { name: 'Lab board', url: expect.stringMatching(/\/lab-board\/$/), pinCount: expect.any(Number) },
        statistics: {
          saveCount: expect.any(Number),
          repinCount: expect.any(Number),
          commentCount: expect.any(Number),
          shareCount: expect.any(Number),
        },
        reactions: { 1: expect.any(Number), 7: expect.any(Number) },
      },
    });
  });

  test('returns the person who saved it when no other author is known', async () => {
    const { metadata } = await pinDetails(111);
    expect(metadata.author).toMatchObject({ name: 'Lab Saver', pinner: { name: 'Lab Saver' } });
    expect(Object.keys(Object(metadata.author))).not.toEqual(expect.arrayContaining(['nativeCreator']));
  });

  test('returns a plain image as the only page of its story, and as the main image', async () => {
    const { contents = [], metadata } = await pinDetails(101);
    expect(contents).toHaveLength(2);
    expect(contents[0]).toEqual(contents[1]);
    expect(metadata.additionalData).toMatchObject({ pageCount: 1 });
  });

  test('returns a story page by page, then the main image', async () => {
    const body = await pinDetails(105);
    expect(contentKinds(body)).toEqual([['images'], ['images', 'videos'], ['audios', 'images'], ['images']]);
    const [first, second, third, main] = body.contents ?? [];
    expect(labels(first?.images)).toEqual(['900x1200', '900x1200', '736x981']);
    expect(labels(second?.videos)).toEqual(['720p', 'hls-1080']);
    expect(labels(second?.images)[0]).toBe('1920x1080');
    expect(third?.audios).toMatchObject([{ label: 'music', metadata: { mime_type: 'audio/mp4', has_audio: true } }]);
    expect(main?.images?.length).toBeGreaterThan(8);
    expect(first?.images?.[0]?.url).not.toBe(main?.images?.[0]?.url);
    expect(body.metadata.additionalData).toMatchObject({
      pageCount: 3,
      storyTexts: ['The last page'],
      duration: 8,
    });
  });

  test.each([103, 104])('returns the video of %i as a file and as a playlist, each once', async (number) => {
    const body = await pinDetails(number);
    expect(contentKinds(body).at(0)).toEqual(['images', 'videos']);
    expect(body.contents?.[0]?.videos?.map(({ label, repId, metadata }) => [label, repId, metadata])).toEqual([
      [
        '720p',
        'V_720P',
        expect.objectContaining({ mime_type: 'video/mp4', width: 1280, height: 720, has_audio: true, duration: 8 }),
      ],
      [
        'hls-1080',
        'V_HLSV4',
        expect.objectContaining({ mime_type: 'application/vnd.apple.mpegurl', width: 1920, height: 1080 }),
      ],
    ]);
    expect(body.contents?.at(-1)).toEqual({ images: expect.any(Array) });
    expect(body.contents?.[0]).not.toHaveProperty('renderableVideos');
  });

  test('returns captions with their languages', async () => {
    const { contents } = await pinDetails(110);
    expect(contents?.[0]?.videos?.[0]?.metadata.captions).toEqual([
      { language: 'en-us', url: expect.stringMatching(/\.vtt$/) },
      { language: 'fr-fr', url: expect.stringMatching(/\.vtt$/) },
    ]);
  });

  test('returns the slots of a carousel, in order', async () => {
    const { contents = [], metadata } = await pinDetails(106);
    expect(contents).toHaveLength(4);
    for (const slot of contents.slice(0, 3)) expect(slot.images?.[0]?.url).toContain('/originals/');
    expect(metadata.additionalData?.carousel).toMatchObject(
      [1, 2, 3].map((number) => ({ title: `Slot ${number}`, link: expect.stringMatching(/^https:/) })),
    );
  });

  test('returns originals with their own extension: GIF, PNG', async () => {
    const original = async (number: number) => (await pinDetails(number)).contents?.at(-1)?.images?.[0];
    expect(await original(107)).toMatchObject({
      url: expect.stringMatching(/\.gif$/),
      metadata: { mime_type: 'image/gif' },
    });
    expect(await original(108)).toMatchObject({
      url: expect.stringMatching(/\.png$/),
      metadata: { mime_type: 'image/png' },
    });
  });

  test('names the video of another site that an image represents', async () => {
    const body = await pinDetails(109);
    expect(contentKinds(body)).toEqual([['images']]);
    expect(body.metadata.additionalData?.embed).toMatchObject({ url: expect.stringContaining('youtube.com/embed/') });
  });

  test('returns both IDs of a merged pin', async () => {
    const { metadata } = await pinDetails(112);
    expect(metadata.additionalData).toMatchObject({ id: pin(101), requestedId: pin(112) });
  });

  test('returns hashtags and mentions in every script', async () => {
    const { metadata } = await pinDetails(114);
    expect(metadata.additionalData).toMatchObject({
      hashtags: ['lab', 'plain', 'हिन्दी', 'ไทย'],
      mentions: ['thelab', 'some_one'],
    });
  });

  test('notes parts of a story that are of unknown kinds', async () => {
    const body = await pinDetails(113);
    expect(body.contents).toHaveLength(4);
    expect(body.notes?.filter((note) => note.startsWith('Omitted'))).toEqual([
      'Omitted 1 entry of an unknown kind (story_pin_lab_block).',
    ]);
    expect((await pinDetails(105)).notes?.join()).not.toContain('Omitted');
  });

  test('returns the same pin for an ID each time', async () => {
    const [one, two] = [await details({ pinId: '31454897393552949' }), await details({ pinId: '31454897393552949' })];
    expect(one.body.error).toBeNull();
    expect(one.body).toEqual(two.body);
  });
});

describe('the links of a result', () => {
  test('lead to images of the reported size', async () => {
    const { contents } = await pinDetails(105);
    const items = [contents?.[0]?.images?.[0], contents?.at(-1)?.images?.find(({ repId }) => repId === '236x')];
    for (const item of items) {
      const { width, height } = item?.metadata ?? {};
      expect(jpegSize(await fetchBytes(item?.url ?? '', 'jpg'))).toEqual({ width, height });
    }
  });

  test('lead to a video with audio, as a file and as a playlist', async () => {
    const [file, playlist] = (await pinDetails(103)).contents?.[0]?.videos ?? [];
    const whole = await inspect(await fetchBytes(file?.url ?? '', 'mp4'));
    const inputs = [{ url: playlist?.url ?? '', ext: 'm3u8' }];
    const merged = await inspect((await render(service, describeJob('convert_format', inputs, 'mp4'))).file);
    for (const { tracks, duration } of [whole, merged]) {
      expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
      expect(duration).toBeCloseTo(8, 0);
    }
  });
});

describe('pinId', () => {
  test.each([
    `https://www.pinterest.com/pin/${pin(101)}/`,
    `http://pinterest.com/pin/${pin(101)}`,
    `https://de.pinterest.com/pin/${pin(101)}/sent/?invite_code=abc`,
    `https://www.pinterest.co.uk/pin/a-title-for-people--${pin(101)}/`,
    `https://www.pinterest.com/amp/pin/${pin(101)}/`,
    `https://assets.pinterest.com/ext/embed.html?id=${pin(101)}`,
    `www.pinterest.com/pin/${pin(101)}/`,
    `pinterest.ch/pin/${pin(101)}`,
    `Look at this: https://br.pinterest.com/pin/${pin(101)}/.`,
    'https://pin.it/LabPin1',
    'https://www.pin.it/LabPin1/',
    'pin.it/LabPin1',
    'Schau dir das an! https://pin.it/LabPin1',
    'https://api.pinterest.com/url_shortener/LabPin1/redirect/',
  ])('may be the link %s', async (pinId) => {
    const { body } = await details({ pinId });
    expect([body.error, body.metadata.additionalData?.id]).toEqual([null, pin(101)]);
  });

  test.each([
    ['https://pin.it/LabGone', 'not_found'],
    ['https://pin.it/LabHome', 'not_found'],
    ['https://pin.it/LabAway', 'not_found'],
    ['https://pin.it/LabLoop', 'not_found'],
    ['https://pin.it/LabBusy', 'non_2xx_response'],
  ])('%s as a short link returns 200 with %s', async (pinId, code) => {
    const { status, body } = await details({ pinId });
    expect([status, body.error?.code]).toEqual([200, code]);
  });

  test.each([
    ['', 'params_not_found'],
    ['abc', 'invalid_params'],
    ['1234', 'invalid_params'],
    ['1'.repeat(26), 'invalid_params'],
    [`${pin(101)}/../..`, 'invalid_params'],
    [`https://pin.it/${'a'.repeat(3000)}`, 'invalid_params'],
    ['https://www.pinterest.com/someone/a-board/', 'invalid_url'],
    [`https://www.pinterest.com/pin/${'AbCdE'.repeat(11)}/`, 'invalid_url'],
    ['https://pin.it/', 'invalid_url'],
    ['https://www.youtube.com/watch?v=lab-plain30', 'invalid_platform_url'],
    ['https://www.dailymotion.com/video/xlab30', 'invalid_platform_url'],
    [`https://www.pinterest.com.evil.example/pin/${pin(101)}/`, 'invalid_platform_url'],
  ])('%s returns 400 %s', async (pinId, code) => {
    const { status, body } = await details({ pinId });
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, 'pinId']);
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test('may not be given twice', async () => {
    const url = `${service}/p6/v3/pin/details?pinId=${pin(101)}&pinId=${pin(102)}`;
    const { status, body } = await extract<Result>(url);
    expect([status, body.error?.code]).toEqual([400, 'invalid_params']);
  });
});

test('countryCode is validated, and returns an error without an exit', async () => {
  const inCountry = async (countryCode: string) => {
    const { status, body } = await details({ pinId: pin(101), countryCode });
    return [status, body.error?.code];
  };
  expect(await inCountry('zz')).toEqual([400, 'invalid_params']);
  expect(await inCountry('fr')).toEqual([200, 'unsupported_proxy_for_geo_targeting']);
  expect(await inCountry('WORLDWIDE')).toEqual([200, undefined]);
});
