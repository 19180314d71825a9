import { describe, expect, it } from 'vitest';
import type { Extraction } from '../platform.ts';
import type { Reply } from '../testing/fake-site.ts';
import { pinDetails } from './endpoints/pin-details.ts';
import { defaultSite } from './site.ts';
import { details, down, kinds, late, pinId, type Replies, shell, site } from './testing/pin-site.ts';
import {
  headOnly,
  olderPage,
  oldestPage,
  page,
  pictureUrl,
  relayPin,
  resource,
  resourceRefusal,
  restPin,
  restVideos,
} from './testing/pins.ts';

const address = `https://www.pinterest.com/pin/${pinId}/`;
const notFoundRoot = { __typename: 'PinNotFound', __isError: 'PinNotFound' };
const source = ({ metadata }: Extraction) => metadata.additionalData?.source;

describe('the fallback chain', () => {
  const relay = relayPin({ entityId: pinId, title: 'Of the page', imageSpec_orig: { url: pictureUrl('originals') } });

  it.each<[string, Reply]>([
    ['has no connection', down()],
    ['times out', late()],
    ['is rate limited', { status: 429, body: resourceRefusal(429, 'slow down') }],
    ['returns a challenge page', { status: 403, body: '<html>Just a moment' }],
    ['has been removed', { status: 404, body: '<html>' }],
    ['requires a sign-in', { status: 403, body: resourceRefusal(403, 'no') }],
    ['is broken', { body: '{"resource_response":{"data":{"id":"1' }],
    ['is empty', { body: '' }],
    ['has no pin', { body: resource(null) }],
    ['has a pin without media', { body: resource({ id: pinId, title: 'x' }) }],
  ])('falls back to the page when the JSON interface %s', async (_, reply) => {
    const world = site({ resource: reply, detailed: reply, page: { body: page(pinId, relay) } });
    const extraction = await details(world);
    expect(kinds(world).filter((kind) => kind !== 'detailed')).toEqual(['resource', 'page']);
    expect(extraction.metadata.title).toBe('Of the page');
    expect(source(extraction)).toBe('page');
    expect(world.requests.at(-1)?.headers).not.toHaveProperty('x-pinterest-pws-handler');
  });

  it.each([
    ['2025', page(pinId, relay)],
    ['2024', olderPage(pinId, relay)],
    ['2023', oldestPage(pinId, { ...restPin, videos: restVideos })],
  ])('reads a page of %s', async (_, body) => {
    const { contents } = await details(site({ page: { body } }));
    expect(contents?.at(-1)?.images).not.toHaveLength(0);
  });

  it('uses the ID that the page was redirected to', async () => {
    const body = page('777777', relayPin({ entityId: '777777', imageSpec_orig: { url: pictureUrl('originals') } }));
    const world = site({ page: { body, url: 'https://de.pinterest.com/pin/777777/' } });
    expect((await details(world)).metadata.additionalData).toMatchObject({ id: '777777', requestedId: pinId });
  });

  it('requests a page twice if its data is missing', async () => {
    let visits = 0;
    const world = site({ page: () => (visits++ === 0 ? shell : { body: page(pinId, relay) }) });
    expect(source(await details(world))).toBe('page');
    expect(kinds(world)).toEqual(['resource', 'page', 'page']);
  });

  it('reads the head of a page whose data stays missing', async () => {
    const world = site({ page: { body: headOnly } });
    const extraction = await details(world);
    expect(kinds(world)).toEqual(['resource', 'page', 'page']);
    expect(extraction.metadata).toMatchObject({
      title: 'A headline',
      thumbnailUrl: pictureUrl('originals'),
      author: { handle: 'maker', pinner: { handle: 'saver', name: 'Saver' } },
      additionalData: {
        source: 'page_meta',
        description: 'Words & more',
        createdAt: '2025-10-16T03:38:01.000Z',
        duration: 70,
      },
    });
    expect(extraction.contents?.[0]?.videos?.[0]?.item).toMatchObject({
      label: '720p',
      metadata: { width: 720, height: 1280 },
    });
    expect(extraction.contents?.[1]?.images?.map(({ item }) => item.label)).toEqual(['orig', '736x1104']);
  });

  it.each([
    ['resource', ['resource']],
    ['page', ['page']],
    ['page_meta', ['page']],
    ['oembed', ['oembed']],
  ])('uses only the strategy %s if a probe requests it', async (strategy, expected) => {
    const whole = { body: headOnly.replace('</html>', page(pinId, relay)) };
    const oembed = { body: { thumbnail_url: pictureUrl('236x') } };
    const world = site({ resource: { body: resource(restPin) }, page: whole, oembed });
    const { metadata } = await pinDetails(defaultSite).extract({ pinId }, { ...world.context, strategy });
    expect([kinds(world), metadata.additionalData?.source]).toEqual([expected, strategy]);
    const broken = site({});
    await expect(pinDetails(defaultSite).extract({ pinId }, { ...broken.context, strategy })).rejects.toMatchObject({
      code: 'connection_error',
    });
    expect(kinds(broken)).toEqual(expected);
  });

  it.each<[string, Replies, Record<string, number>]>([
    [
      'the page',
      { page: { body: headOnly.replace('</html>', page(pinId, { __typename: 'StoryPin' })) } },
      { StoryPin: 1 },
    ],
    ['the JSON interface', { resource: { body: { answer: {} } }, page: { body: headOnly } }, { PinResource: 1 }],
  ])('returns a preview with what could not be read in %s', async (_, replies, unread) => {
    const extraction = await details(site(replies));
    expect(source(extraction)).toBe('page_meta');
    expect(extraction).toMatchObject({ unread, incomplete: true, notes: [expect.stringMatching(/only a preview/)] });
  });

  it('requests oEmbed last', async () => {
    const oembed = {
      title: 'T',
      author_name: 'Saver',
      author_url: 'https://www.pinterest.com/saver/',
      thumbnail_url: pictureUrl('236x'),
      thumbnail_width: 236,
      thumbnail_height: 354,
    };
    const world = site({ page: shell, oembed: { body: oembed } });
    const extraction = await details(world);
    expect(kinds(world)).toEqual(['resource', 'page', 'page', 'oembed']);
    expect(world.requests.at(-1)?.url.searchParams.get('url')).toBe(address);
    expect(source(extraction)).toBe('oembed');
    expect(extraction.metadata).toMatchObject({ title: 'T', author: { handle: 'saver' } });
    expect(extraction.contents?.[0]?.images?.[0]?.item).toMatchObject({ label: '236x354', repId: '236x' });
  });

  it('does not request a page again after a refusal', async () => {
    const world = site({ page: { status: 429, body: 'slow down' } });
    await expect(details(world)).rejects.toMatchObject({ code: 'connection_error', retryable: true });
    expect(kinds(world)).toEqual(['resource', 'page', 'oembed']);
  });

  it('notes that parts may be missing if they could not be requested, and is not cached then', async () => {
    const { story_pin_data, carousel_data, videos, ...bare } = restPin;
    const extraction = await details(site({ resource: { body: resource(bare) }, detailed: late() }));
    expect(extraction).toMatchObject({
      notes: ['Videos or pages of the pin may be missing: Late.'],
      incomplete: true,
    });
  });

  it('propagates an error that does not come from the site', async () => {
    const bug = new TypeError('a bug');
    await expect(details(site({ resource: bug }))).rejects.toBe(bug);
    await expect(details(site({ page: bug }))).rejects.toBe(bug);
    const { story_pin_data, carousel_data, videos, ...bare } = restPin;
    await expect(details(site({ resource: { body: resource(bare) }, detailed: bug }))).rejects.toBe(bug);
  });

  it("stops when the extraction's time is over", async () => {
    const world = site({}, { signal: AbortSignal.abort(new Error('over')) });
    await expect(details(world)).rejects.toMatchObject({ code: 'connection_error' });
    expect(kinds(world)).toEqual(['resource']);
  });
});

describe('refusals', () => {
  const loginPage: Reply = { body: '<html>Log in', url: `https://www.pinterest.com/login/?next=/pin/${pinId}/` };
  const hidden = resource({ ...restPin, is_hidden: true });
  const unsafe = relayPin({ entityId: pinId, isUnsafe: true, imageSpec_orig: { url: pictureUrl('originals') } });

  it.each<[string, Replies, Record<string, unknown>, number]>([
    [
      'the JSON interface has no such pin',
      { resource: { status: 404, body: resourceRefusal(404, 'Pin not found.') } },
      { code: 'not_found', reason: 'Pin not found.' },
      1,
    ],
    [
      'its refusal has status 200',
      { resource: { body: resourceRefusal(404, 'Pin not found.') } },
      { code: 'not_found' },
      1,
    ],
    [
      'the page has no such pin',
      { page: { body: page(pinId, notFoundRoot, notFoundRoot) } },
      { code: 'not_found', reason: 'PinNotFound' },
      2,
    ],
    ['the page is gone', { page: { status: 404, body: '' } }, { code: 'not_found' }, 2],
    [
      'oEmbed has no such pin',
      { page: shell, oembed: { status: 404, body: { error: 'Not found' } } },
      { code: 'not_found' },
      4,
    ],
    ['oEmbed has moved', { page: shell, oembed: { status: 404, body: '<html>' } }, { code: 'connection_error' }, 4],
    ['the pin is hidden', { resource: { body: hidden } }, { code: 'unavailable', retryable: false }, 1],
    [
      'the pin is marked as unsafe',
      { page: { body: page(pinId, unsafe) } },
      { code: 'unavailable', retryable: false },
      2,
    ],
    [
      'the story was deleted',
      { resource: { body: resource({ id: pinId, story_pin_data: { is_deleted: true } }) } },
      { code: 'not_found' },
      1,
    ],
    [
      'there is no media',
      { resource: { body: resource({ ...restPin, images: {}, image_signature: null }) } },
      { code: 'unavailable', retryable: true },
      3,
    ],
    [
      'a sign-in is required',
      { resource: { status: 401, body: resourceRefusal(401, 'no') }, page: loginPage },
      { code: 'signin_required', retryable: false },
      2,
    ],
    ['the page is behind a sign-in wall', { page: loginPage }, { code: 'signin_required' }, 2],
    [
      'a sign-in is required and the page fails',
      { resource: { status: 403, body: resourceRefusal(403, 'no') }, page: { status: 503, body: '' } },
      { code: 'non_2xx_response', retryable: true },
      3,
    ],
    [
      'every request is rate limited',
      { resource: { status: 429, body: '' }, page: { status: 429, body: '' }, oembed: { status: 429, body: '' } },
      { code: 'non_2xx_response', retryable: true },
      3,
    ],
    [
      'every request gets a challenge page',
      {
        resource: { status: 403, body: '<html>' },
        page: { status: 403, body: '<html>' },
        oembed: { status: 403, body: '<html>' },
      },
      { code: 'non_2xx_response' },
      3,
    ],
    [
      'only empty pages are returned',
      { resource: shell, page: shell, oembed: shell },
      { code: 'invalid_response_data', retryable: true },
      4,
    ],
  ])('are reported when %s', async (_, replies, expected, requestCount) => {
    const world = site(replies);
    await expect(details(world)).rejects.toMatchObject(expected);
    expect(world.requests).toHaveLength(requestCount);
  });

  it.each<[string, Replies, Record<string, number>]>([
    ['the pin', { resource: { body: resource({ id: pinId, media: { url: pictureUrl('originals') } }) } }, { media: 1 }],
    ['the response', { resource: { body: { pin: restPin } } }, { PinResource: 1 }],
    ["the pin's ID", { resource: { body: resource({ ...restPin, id: undefined }) } }, { pin: 1 }],
    [
      'its images',
      {
        resource: {
          body: resource({
            ...restPin,
            images: { orig: 'x' },
            image_signature: null,
            videos: { list: pictureUrl('originals') },
          }),
        },
      },
      { videos: 1 },
    ],
    ['the page', { page: { body: page(pinId, { __typename: 'StoryPin' }) } }, { StoryPin: 1 }],
    ['oEmbed', { page: shell, oembed: { body: { image: 'x' } } }, { oembed: 1 }],
    ['a page instead of the interface', { resource: { body: '<html><p>Hi</p></html>\n' } }, { page: 1 }],
    ['an empty response of the interface', { resource: { body: 'null' } }, { PinResource: 1 }],
    ['a list from oEmbed', { page: shell, oembed: { body: '[]' } }, { oembed: 1 }],
  ])('name what cannot be read in %s', async (_, replies, unread) => {
    await expect(details(site(replies))).rejects.toMatchObject({ code: 'invalid_response_data', unread });
  });

  it.each(['<html><p>Hi</p>', '{"resource_response":{', ''])(
    'name nothing in the truncated response %j',
    async (body) => {
      const failure: unknown = await details(site({ resource: { body } })).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'invalid_response_data' });
      expect(failure).not.toHaveProperty('unread');
    },
  );

  it('need a ruling on the requested pin, not a text in its page', async () => {
    const description = 'PinNotFound, {"__typename":"PinNotFound"} and https://www.pinterest.com/login/';
    const pin = relayPin({ entityId: pinId, description, imageSpec_orig: { url: pictureUrl('originals') } });
    const body = page('777', notFoundRoot).replace('</body></html>', page(pinId, pin));
    expect((await details(site({ page: { body } }))).metadata.additionalData?.description).toBe(description);
    await expect(details(site({ page: { body: page('777', notFoundRoot) } }))).rejects.toMatchObject({
      code: 'connection_error',
    });
  });

  it('keep the other failures as their cause', async () => {
    await expect(details(site({ page: { status: 503, body: '' } }))).rejects.toMatchObject({
      code: 'connection_error',
      cause: { errors: [{ code: 'connection_error' }, { code: 'non_2xx_response' }, { code: 'connection_error' }] },
    });
  });
});
