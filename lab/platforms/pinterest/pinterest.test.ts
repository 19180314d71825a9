import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegSize } from '../../../test/support/media.ts';
import type { Lab } from '../../lab.ts';
import { fetchThrough, json, startTestLab, type TestResponse } from '../../testing.ts';
import { imageOf, openSignature, pixels, signatureOf } from './addresses.ts';
import { findPin, type Pin } from './pins.ts';
import { documentedId, scenarios, shortLinks } from './scenarios.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

const handler = { 'x-pinterest-pws-handler': 'www/[username].js' };
const resourceUrl = (id: string, fieldSet = 'unauth_react_main_pin') => {
  const data = JSON.stringify({ options: { id, field_set_key: fieldSet } });
  return `https://www.pinterest.com/resource/PinResource/get/?${new URLSearchParams({ data })}`;
};
const resource = (number: number, fieldSet?: string) =>
  fetchThrough(lab, resourceUrl(documentedId(number), fieldSet), { headers: handler });
const page = (number: number) => fetchThrough(lab, `https://www.pinterest.com/pin/${documentedId(number)}/`);

interface Answer {
  readonly resource_response: { readonly data: Record<string, unknown> | null; readonly message: string };
}
const dataOf = (response: TestResponse) => (json(response) as unknown as Answer).resource_response.data ?? {};
const text = ({ body }: TestResponse) => body.toString();

function pin(id: string): Pin {
  const foundPin = findPin(id);
  if (foundPin === undefined) throw new Error(`There is no ${id}.`);
  return foundPin;
}

describe('ids', () => {
  const wellFormed = fc.stringMatching(/^[1-9]\d{4,24}$/).filter((id) => !id.startsWith('404'));

  test('every well-formed one is a pin that is always the same, and its pictures lead back to it', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(255), (id, number) => {
        expect(pin(id).id).toBe(id);
        expect(findPin(id)).toEqual(pin(id));
        expect(openSignature(signatureOf(pin(id), number))).toEqual({ pin: pin(id), number });
      }),
      { seed: 1 },
    );
  });

  test.each(['', '1234', '012345', '4040000001', '1'.repeat(26), 'abcdef'])('%j is none', (id) => {
    expect(findPin(id)).toBeUndefined();
  });

  test('every documented one shows what it says, but the one that was merged', () => {
    for (const [id, { about, mergedInto }] of Object.entries(scenarios)) {
      if (mergedInto === undefined) expect(pin(id)).toMatchObject({ id, about });
      else expect(pin(id).id).toBe(documentedId(mergedInto));
    }
  });

  test('made-up signatures are none', () => {
    expect(openSignature('0'.repeat(32))).toBeUndefined();
    expect(openSignature('')).toBeUndefined();
  });
});

describe('the JSON interface', () => {
  test('insists on its header', async () => {
    const response = await fetchThrough(lab, resourceUrl(documentedId(101)));
    expect([response.status, dataOf(response)]).toEqual([403, {}]);
  });

  test('tells a story', async () => {
    const data = dataOf(await resource(105));
    expect(data).toMatchObject({ id: documentedId(105), type: 'pin', videos: null, carousel_data: null });
    expect(data.story_pin_data).toMatchObject({
      page_count: 3,
      pages: [
        { blocks: [{ type: 'story_pin_image_block' }, {}] },
        { blocks: [{ video: { video_list: { V_720P: { width: 1920, height: 1080, duration: 8000 } } } }, {}] },
        { blocks: [{}, { text: 'The last page' }, { audio: {} }, {}] },
      ],
    });
  });

  test('tells a carousel in the larger set of fields alone', async () => {
    expect(dataOf(await resource(106))).not.toHaveProperty('carousel_data');
    expect(dataOf(await resource(106, 'detailed'))).toMatchObject({ carousel_data: { carousel_slots: [{}, {}, {}] } });
  });

  test('moves to another country, and refuses', async () => {
    const moved = await resource(210);
    expect([moved.status, moved.headers.location?.slice(0, 40)]).toEqual([
      302,
      'https://de.pinterest.com/resource/PinRes',
    ]);
    expect((await fetchThrough(lab, moved.headers.location ?? '', { headers: handler })).status).toBe(200);
    expect((await resource(301)).status).toBe(404);
    expect((await resource(309)).status).toBe(401);
  });
});

describe('pages', () => {
  test.each([
    [201, 'v3GetPinQueryv2'],
    [202, '__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("%7B'],
    [203, 'data-relay-response="true"'],
    [204, '"initialReduxState":{"users":{},"boards":{},"pins":{"6'],
  ])('%i is of its year, and holds another pin beside the wanted one', async (number, mark) => {
    const html = text(await page(number));
    expect([mark, `Lab pin ${documentedId(number)}7`].map((part) => html.includes(part))).toEqual([true, true]);
  });

  test('lack their data', async () => {
    const [first, second] = [text(await page(205)), text(await page(205))];
    expect([first, second].map((html) => html.includes('v3GetPinQuery'))).toEqual([false, true]);
    expect(text(await page(206)).includes('og:image')).toBe(true);
    expect(text(await page(207)).includes('og:image')).toBe(false);
  });

  test('lead elsewhere, or say that there is nothing', async () => {
    expect((await page(208)).headers.location).toMatch(/^https:\/\/de\.pinterest\.com\/pin\/a-lab-pin--/);
    expect((await page(309)).headers.location).toMatch(/^\/login\/\?next=%2Fpin%2F6/);
    expect(text(await page(302)).includes('"__typename":"PinNotFound"')).toBe(true);
    expect((await page(303)).status).toBe(404);
  });
});

describe('what goes wrong', () => {
  test.each([
    [401, 429],
    [402, 503],
    [403, 403],
    [404, 200],
    [405, 200],
    [409, 302],
    [410, 302],
    [411, 302],
  ])('%i answers %i everywhere', async (number, status) => {
    const oembed = `https://www.pinterest.com/oembed.json?url=https://www.pinterest.com/pin/${documentedId(number)}/`;
    const responses = [await resource(number), await page(number), await fetchThrough(lab, oembed)];
    expect(responses.map((response) => response.status)).toEqual([status, status, status]);
  });

  test('bodies are cut, huge, or never come', async () => {
    const cut = await resource(406);
    expect(() => json(cut)).toThrow(SyntaxError);
    expect(
      (await fetchThrough(lab, resourceUrl(documentedId(407)), { headers: handler, enough: 1 })).headers,
    ).toMatchObject({
      'content-length': `${50 * 1024 * 1024}`,
    });
    expect((await fetchThrough(lab, resourceUrl(documentedId(408)), { headers: handler, timeoutMs: 300 })).status).toBe(
      0,
    );
    expect((await resource(412)).broken).toBe(true);
  });
});

test('short links lead where they say, over the interface', async () => {
  for (const [code, { location, status = 404 }] of Object.entries(shortLinks)) {
    const first = await fetchThrough(lab, `https://pin.it/${code}`);
    const second = await fetchThrough(lab, first.headers.location ?? '');
    expect(second.status).toBe(location === undefined ? status : 302);
    if (location !== undefined)
      expect(second.headers.location).toBe(new URL(location, 'https://www.pinterest.com').href);
  }
});

describe('media', () => {
  test('pictures measure what is told of them', async () => {
    const { cover, ...rest } = pin(documentedId(102));
    for (const name of ['60x60', '236x', '600x315', 'orig']) {
      const { url, width, height } = imageOf({ cover, ...rest }, cover, name);
      const { status, headers, body } = await fetchThrough(lab, url);
      expect([status, headers['content-type'], jpegSize(body)]).toEqual([200, 'image/jpeg', { width, height }]);
    }
  });

  test.each([
    [108, 'image/png', '\x89PNG'],
    [107, 'image/gif', 'GIF89a'],
  ])('the original of %i is %s', async (number, type, start) => {
    const expectedPin = pin(documentedId(number));
    const { headers, body } = await fetchThrough(lab, imageOf(expectedPin, expectedPin.cover, 'orig').url);
    expect([headers['content-type'], body.toString('latin1', 0, start.length)]).toEqual([type, start]);
  });

  test.each([
    'https://i.pinimg.com/736x/00/00/00/00000000000000000000000000000000.jpg',
    'https://v1.pinimg.com/videos/iht/720p/00/00/00/00000000000000000000000000000000.mp4',
    'https://s.pinimg.com/images/user/default_31.png',
  ])('there is no %s', async (url) => {
    expect((await fetchThrough(lab, url)).status).toBe(404);
  });

  test('videos are files and playlists with segments', async () => {
    const { V_720P, V_HLSV4 } = Object(Object(dataOf(await resource(104)).videos).video_list);
    const file = await fetchThrough(lab, V_720P.url, { headers: { range: 'bytes=4-7' } });
    expect([file.status, file.headers['content-type'], text(file)]).toEqual([206, 'video/mp4', 'ftyp']);
    const master = text(await fetchThrough(lab, V_HLSV4.url));
    const [variant = ''] = /^[0-9a-f]{32}_240w\.m3u8$/m.exec(master) ?? [];
    const playlist = text(await fetchThrough(lab, new URL(variant, V_HLSV4.url).href));
    const [segment = ''] = /^[0-9a-f]{32}_240w-seg-00001\.ts$/m.exec(playlist) ?? [];
    expect((await fetchThrough(lab, new URL(segment, V_HLSV4.url).href)).body[0]).toBe(0x47);
  });

  test('captions and music', async () => {
    const { id, ...rest } = pin(documentedId(110));
    const signature = signatureOf({ id, ...rest }, 1);
    expect(text(await fetchThrough(lab, `https://v1.pinimg.com/videos/captions/${signature}_en-us.vtt`))).toMatch(
      /^WEBVTT/,
    );
    const music = await fetchThrough(lab, `https://v1.pinimg.com/audio/${signature}.m4a`);
    expect(music.headers['content-type']).toBe('audio/mp4');
  });
});

test('sizes are fitted and never enlarged', () => {
  const picture = { number: 0, width: 1000, height: 1500, ending: 'jpg' } as const;
  expect(['60x60', '474x', '1200x', 'orig'].map((name) => pixels(picture, name))).toEqual([
    { width: 60, height: 60 },
    { width: 474, height: 711 },
    { width: 1000, height: 1500 },
    { width: 1000, height: 1500 },
  ]);
});
