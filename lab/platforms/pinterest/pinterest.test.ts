import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegSize } from '../../../test/support/media.ts';
import type { Lab } from '../../lab.ts';
import { fetchThrough, json, startTestLab, type TestResponse } from '../../testing.ts';
import { titleOfItem } from '../headlines.ts';
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

describe('pin IDs', () => {
  const wellFormed = fc.stringMatching(/^[1-9]\d{4,24}$/).filter((id) => !id.startsWith('404'));

  test('always return the same pin if they are well-formed, and so do the signatures of its images', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(255), (id, number) => {
        expect(pin(id).id).toBe(id);
        expect(findPin(id)).toEqual(pin(id));
        expect(openSignature(signatureOf(pin(id), number))).toEqual({ pin: pin(id), number });
      }),
      { seed: 1 },
    );
  });

  test.each(['', '1234', '012345', '4040000001', '1'.repeat(26), 'abcdef'])('do not include %j', (id) => {
    expect(findPin(id)).toBeUndefined();
  });

  test('return their documented scenario, except for the merged pin', () => {
    for (const [id, { about, mergedInto }] of Object.entries(scenarios)) {
      if (mergedInto === undefined) expect(pin(id)).toMatchObject({ id, about });
      else expect(pin(id).id).toBe(documentedId(mergedInto));
    }
  });

  test('are not found by invalid signatures', () => {
    expect(openSignature('0'.repeat(32))).toBeUndefined();
    expect(openSignature('')).toBeUndefined();
  });
});

describe('JSON interface', () => {
  test('requires its header', async () => {
    const response = await fetchThrough(lab, resourceUrl(documentedId(101)));
    expect([response.status, dataOf(response)]).toEqual([403, {}]);
  });

  test('returns a story', async () => {
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

  test('returns a carousel only in the larger set of fields', async () => {
    expect(dataOf(await resource(106))).not.toHaveProperty('carousel_data');
    expect(dataOf(await resource(106, 'detailed'))).toMatchObject({ carousel_data: { carousel_slots: [{}, {}, {}] } });
  });

  test('redirects to another country, and refuses missing and restricted pins', async () => {
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

describe('pin pages', () => {
  test.each([
    [201, 'v3GetPinQueryv2'],
    [202, '__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("%7B'],
    [203, 'data-relay-response="true"'],
    [204, '"initialReduxState":{"users":{},"boards":{},"pins":{"6'],
  ])('of %i have the form of their year, and contain another pin beside the requested one', async (number, mark) => {
    const html = text(await page(number));
    expect([mark, titleOfItem(`${documentedId(number)}7`)].map((part) => html.includes(part))).toEqual([true, true]);
  });

  test('may lack the data of the pin, and its description in the head', async () => {
    const [first, second] = [text(await page(205)), text(await page(205))];
    expect([first, second].map((html) => html.includes('v3GetPinQuery'))).toEqual([false, true]);
    expect(text(await page(206)).includes('og:image')).toBe(true);
    expect(text(await page(207)).includes('og:image')).toBe(false);
  });

  test('may redirect, or report that the pin does not exist', async () => {
    expect((await page(208)).headers.location).toMatch(/^https:\/\/de\.pinterest\.com\/pin\/a-lab-pin--/);
    expect((await page(309)).headers.location).toMatch(/^\/login\/\?next=%2Fpin%2F6/);
    expect(text(await page(302)).includes('"__typename":"PinNotFound"')).toBe(true);
    expect((await page(303)).status).toBe(404);
  });
});

describe('faults', () => {
  test.each([
    [401, 429],
    [402, 503],
    [403, 403],
    [404, 200],
    [405, 200],
    [409, 302],
    [410, 302],
    [411, 302],
  ])('make pin %i return %i everywhere', async (number, status) => {
    const oembed = `https://www.pinterest.com/oembed.json?url=https://www.pinterest.com/pin/${documentedId(number)}/`;
    const responses = [await resource(number), await page(number), await fetchThrough(lab, oembed)];
    expect(responses.map((response) => response.status)).toEqual([status, status, status]);
  });

  test('send truncated, huge or empty bodies, or drop the connection', async () => {
    const cut = await resource(406);
    expect(() => json(cut)).toThrow(SyntaxError);
    expect(
      (await fetchThrough(lab, resourceUrl(documentedId(407)), { headers: handler, enough: 1 })).headers,
    ).toMatchObject({
      'content-length': `${64 * 1024 * 1024}`,
    });
    expect((await fetchThrough(lab, resourceUrl(documentedId(408)), { headers: handler, timeoutMs: 300 })).status).toBe(
      0,
    );
    expect((await resource(412)).broken).toBe(true);
  });
});

test('short links lead through the interface to their documented targets', async () => {
  for (const [code, { location, status = 404 }] of Object.entries(shortLinks)) {
    const first = await fetchThrough(lab, `https://pin.it/${code}`);
    const second = await fetchThrough(lab, first.headers.location ?? '');
    expect(second.status).toBe(location === undefined ? status : 302);
    if (location !== undefined)
      expect(second.headers.location).toBe(new URL(location, 'https://www.pinterest.com').href);
  }
});

describe('pin media', () => {
  test('images have their declared sizes', async () => {
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
  ])('returns 404 for %s', async (url) => {
    expect((await fetchThrough(lab, url)).status).toBe(404);
  });

  test('videos are available as files and as playlists with segments', async () => {
    const { V_720P, V_HLSV4 } = Object(Object(dataOf(await resource(104)).videos).video_list);
    const file = await fetchThrough(lab, V_720P.url, { headers: { range: 'bytes=4-7' } });
    expect([file.status, file.headers['content-type'], text(file)]).toEqual([206, 'video/mp4', 'ftyp']);
    const master = text(await fetchThrough(lab, V_HLSV4.url));
    const [variant = ''] = /^[0-9a-f]{32}_240w\.m3u8$/m.exec(master) ?? [];
    const playlist = text(await fetchThrough(lab, new URL(variant, V_HLSV4.url).href));
    const [segment = ''] = /^[0-9a-f]{32}_240w-seg-00001\.ts$/m.exec(playlist) ?? [];
    expect((await fetchThrough(lab, new URL(segment, V_HLSV4.url).href)).body[0]).toBe(0x47);
  });

  test('captions and music are available', async () => {
    const { id, ...rest } = pin(documentedId(110));
    const signature = signatureOf({ id, ...rest }, 1);
    expect(text(await fetchThrough(lab, `https://v1.pinimg.com/videos/captions/${signature}_en-us.vtt`))).toMatch(
      /^WEBVTT/,
    );
    const music = await fetchThrough(lab, `https://v1.pinimg.com/audio/${signature}.m4a`);
    expect(music.headers['content-type']).toBe('audio/mp4');
  });
});

test('images are scaled down to fit their size, and are never enlarged', () => {
  const picture = { number: 0, width: 1000, height: 1500, ending: 'jpg' } as const;
  expect(['60x60', '474x', '1200x', 'orig'].map((name) => pixels(picture, name))).toEqual([
    { width: 60, height: 60 },
    { width: 474, height: 711 },
    { width: 1000, height: 1500 },
    { width: 1000, height: 1500 },
  ]);
});
