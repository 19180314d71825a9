import { describe, expect, it } from 'vitest';
import type { Extraction } from '../../platform.ts';
import type { Reply } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { details, kinds, late, pinId, type Replies, shell, site } from '../testing/pin-site.ts';
import { page, pictureUrl, relayPin, resource, resourceRefusal, restPin } from '../testing/pins.ts';
import { pinDetails } from './pin-details.ts';

const address = `https://www.pinterest.com/pin/${pinId}/`;
const source = ({ metadata }: Extraction) => metadata.additionalData?.source;

describe('pin details', () => {
  it('answers with media and metadata after one request', async () => {
    const world = site({ resource: { body: resource(restPin) } });
    const { contents, metadata, ...rest } = await details(world);
    expect(kinds(world)).toEqual(['resource']);
    expect(rest).toEqual({});
    expect(contents?.map(Object.keys)).toEqual([['images']]);
    const pinner = {
      id: '11',
      name: 'Saver',
      handle: 'saver',
      url: 'https://www.pinterest.com/saver/',
      followerCount: 3,
    };
    const originPinner = { id: '12', name: 'First', handle: 'first', url: 'https://www.pinterest.com/first/' };
    expect(metadata).toEqual({
      title: 'A title',
      thumbnailUrl: pictureUrl('originals', undefined, 'png'),
      author: { ...originPinner, pinner, originPinner },
      additionalData: {
        id: pinId,
        source: 'resource',
        url: address,
        description: 'Words #one #two for @someone',
        hashtags: ['one', 'two'],
        mentions: ['someone'],
        createdAt: '2025-10-16T03:38:01.000Z',
        createdText: 'Thu, 16 Oct 2025 03:38:01 +0000',
        link: 'https://example.com/a',
        domain: 'example.com',
        board: { id: '13', name: 'Board', url: 'https://www.pinterest.com/saver/board/' },
        statistics: { saveCount: 5 },
        reactions: { 1: 7 },
      },
    });
  });

  it("asks as the site's own page does", async () => {
    const world = site({ resource: { body: resource(restPin) } });
    await details(world);
    const [request] = world.requests;
    expect(request?.url.origin).toBe('https://www.pinterest.com');
    expect(JSON.parse(request?.url.searchParams.get('data') ?? '')).toEqual({
      options: { id: pinId, field_set_key: 'unauth_react_main_pin' },
    });
    expect(request?.url.searchParams.get('source_url')).toBe(`/pin/${pinId}/`);
    expect(request?.headers).toMatchObject({
      'x-pinterest-pws-handler': 'www/[username].js',
      'x-requested-with': 'XMLHttpRequest',
      'user-agent': expect.stringMatching(/Chrome/),
    });
    expect(request?.headers).not.toHaveProperty('cookie');
  });

  it('asks for the larger set of fields where the first leaves open what a pin holds', async () => {
    const { story_pin_data, carousel_data, videos, ...bare } = restPin;
    const carousel = { carousel_slots: [{ title: 'One', images: restPin.images }, { images: restPin.images }] };
    const world = site({
      resource: { body: resource(bare) },
      detailed: { body: resource({ ...restPin, carousel_data: carousel }) },
    });
    const { contents, metadata } = await details(world);
    expect(kinds(world)).toEqual(['resource', 'detailed']);
    expect(contents).toHaveLength(3);
    expect(metadata.additionalData).toMatchObject({ source: 'resource', carousel: [{ title: 'One' }, {}] });
  });

  it('asks for the pages of a story that is only named, and does without them', async () => {
    const { story_pin_data, ...pinWithoutStory } = { ...restPin, story_pin_data_id: '5' };
    const world = site({ resource: { body: resource(pinWithoutStory) }, detailed: { status: 503, body: '<html>' } });
    const { contents } = await details(world);
    expect(kinds(world)).toEqual(['resource', 'detailed']);
    expect(contents).toHaveLength(1);
  });

  it('stays at the regional host that the site sends it to, where its headers are not lost', async () => {
    const regional = 'https://de.pinterest.com';
    const world = site({
      resource: ({ url }) =>
        url.origin === regional
          ? { body: resource(restPin) }
          : { status: 403, body: resourceRefusal(403, 'no'), url: `${regional}/resource/PinResource/get/` },
    });
    expect(source(await details(world))).toBe('resource');
    expect(world.requests.map(({ url }) => url.origin)).toEqual(['https://www.pinterest.com', regional]);
    expect(world.requests[1]?.headers).toMatchObject({ 'x-pinterest-pws-handler': 'www/[username].js' });
  });

  it.each<[string, (url: string) => Replies]>([
    ['a pin', (url) => ({ resource: { body: resource(restPin), url } })],
    ['a page', (url) => ({ page: { body: page(pinId, relayPin(restPin)), url } })],
    ['that there is none', (url) => ({ page: { status: 404, body: '', url } })],
    ['a little', (url) => ({ page: shell, oembed: { body: { thumbnail_url: pictureUrl('236x') }, url } })],
  ])('believes no other site that tells %s', async (_, replies) => {
    const world = site({ resource: late(), ...replies(`https://evil.example/pin/${pinId}/`) });
    await expect(details(world)).rejects.toMatchObject({ retryable: true });
    expect(world.requests.every(({ url }) => url.hostname === 'www.pinterest.com')).toBe(true);
  });

  it('tells both numbers of a pin that was merged into another', async () => {
    const { metadata } = await details(site({ resource: { body: resource({ ...restPin, id: '777777' }) } }));
    expect(metadata.additionalData).toMatchObject({ id: '777777', requestedId: pinId });
  });

  it('tells the country of its exit', async () => {
    const { context } = site({ resource: { body: resource(restPin) } });
    const inFrance = { ...context, source: context.sourceIn('FR') };
    await expect(pinDetails(defaultSite).extract({ pinId }, inFrance)).resolves.toMatchObject({ country: 'FR' });
  });
});

describe('links', () => {
  it('take the number out of the address', async () => {
    const world = site({ resource: { body: resource(restPin) } });
    await details(world, { pinId: `https://ru.pinterest.com/pin/some-title--${pinId}/` });
    expect(kinds(world)).toEqual(['resource']);
  });

  it('that are short are followed', async () => {
    const world = site({
      short: { status: 302, body: '', headers: { location: `${address}sent/?invite_code=abc` } },
      resource: { body: resource(restPin) },
    });
    await details(world, { pinId: 'https://pin.it/4AbCdEf' });
    expect(kinds(world)).toEqual(['short', 'resource']);
    expect(world.requests[0]).toMatchObject({
      url: { href: 'https://api.pinterest.com/url_shortener/4AbCdEf/redirect/' },
      followRedirects: false,
    });
  });

  it.each<[string, Reply, string]>([
    ['nowhere', { status: 404, body: '' }, 'not_found'],
    ['to the start page', { status: 302, body: '', headers: { location: '/' } }, 'not_found'],
    [
      'to another site',
      { status: 302, body: '', headers: { location: `https://a.example/pin/${pinId}/` } },
      'not_found',
    ],
    ['to a page of its own', { body: '<html>' }, 'not_found'],
    ['to what is no address', { status: 302, body: '', headers: { location: 'http://[' } }, 'not_found'],
    ['into a throttle', { status: 429, body: '' }, 'non_2xx_response'],
    ['into a fault', { status: 503, body: '' }, 'non_2xx_response'],
    ['too slowly', late(), 'operation_timeout'],
  ])('that lead %s', async (_, short, code) => {
    const world = site({ short, resource: { body: resource(restPin) } });
    await expect(details(world, { pinId: 'https://pin.it/4AbCdEf' })).rejects.toMatchObject({ code });
    expect(kinds(world)).toEqual(['short']);
  });

  it.each([
    ['https://www.dailymotion.com/video/x96ndxe', 'invalid_platform_url'],
    ['https://www.pinterest.com/someone/', 'invalid_url'],
    ['abc', 'invalid_params'],
  ])('such as %s are refused without asking', async (value, code) => {
    const world = site({});
    await expect(details(world, { pinId: value })).rejects.toMatchObject({ code, parameter: 'pinId' });
    expect(world.requests).toEqual([]);
  });
});
