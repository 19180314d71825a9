import { describe, expect, inject, test } from 'vitest';
import { titleOfItem } from '../../lab/platforms/headlines.ts';
import type { Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import type { LabRequest } from '../support/lab-client.ts';
import { EXTRACTION_LIMIT_MS } from '../support/time-limits.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** Returns the ID of a pin that the lab documents, from its last three digits. */
const pin = (number: number) => `600000000000000${number}`;
const details = (number: number) => extract<Result>(`${service}/p6/v3/pin/details?pinId=${pin(number)}`);

/** Returns the requests that the site received for a pin, in order. */
async function askedAbout(number: number): Promise<string[]> {
  const { body } = await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests`);
  return body.requests
    .filter(({ host, path }) => host.endsWith('pinterest.com') && decodeURIComponent(path).includes(pin(number)))
    .map(({ host, path }) => `${host.split('.')[0]} ${/PinResource|oembed|pin/.exec(path)?.[0]}`);
}

describe('the JSON interface', () => {
  test('needs only one request', async () => {
    const { body } = await details(104);
    expect(body.metadata.additionalData?.source).toBe('resource');
    expect(new Set(await askedAbout(104))).toEqual(new Set(['www PinResource']));
  });

  test('is requested in another country when the pin is available there', async () => {
    const { body } = await details(210);
    expect(body.metadata.additionalData?.source).toBe('resource');
    expect(await askedAbout(210)).toEqual(['www PinResource', 'de PinResource', 'de PinResource']);
  });
});

describe('the page without the JSON interface', () => {
  test.each([
    ['of 2026', 201],
    ['of 2025', 202],
    ['of 2024', 203],
    ['of 2023', 204],
    ['of 2024, with a carousel', 209],
    ['at the second request', 205],
    ['in another country', 208],
    ['without a request for a user', 211],
    ['while the interface has moved', 212],
    ['while the interface truncates its response', 213],
    ['while the interface drops the connection', 214],
    ['while the interface redirects to an internal address', 215],
    ['while the interface returns 64 MB', 216],
    ['while the interface is silent', 217],
  ])('returns a pin %s (%i)', async (_, number) => {
    const { body } = await details(number);
    expect(body.error).toBeNull();
    expect(body.metadata.additionalData?.source).toBe('page');
    expect(body.contents?.at(-1)?.images?.length).toBeGreaterThan(6);
    const expectedPin = number === 208 ? pin(101) : pin(number);
    expect(body.metadata).toMatchObject({
      title: titleOfItem(expectedPin),
      author: { name: 'Lab Maker', pinner: { name: 'Lab Saver', followerCount: expect.any(Number) } },
      additionalData: { id: expectedPin, statistics: { saveCount: expect.any(Number) }, board: { name: 'Lab board' } },
    });
  });

  test('returns the same media as the JSON interface', async () => {
    const story = (await details(201)).body.contents ?? [];
    const kinds = story.map((content) => Object.keys(content).toSorted());
    expect(kinds).toEqual([['images'], ['images', 'videos'], ['audios', 'images'], ['images']]);
    for (const number of [202, 203]) {
      const [clip] = (await details(number)).body.contents ?? [];
      const [file, playlist] = clip?.videos ?? [];
      expect(file).toMatchObject({
        label: '720p',
        repId: 'V_720P',
        metadata: { width: 1280, height: 720, duration: 8 },
      });
      expect(playlist).toMatchObject({ label: 'hls-1080', metadata: { width: 1920, height: 1080 } });
    }
    expect((await details(209)).body.contents).toHaveLength(4);
  });
});

test('a page without its data still provides its head', async () => {
  const { body } = await details(206);
  expect(body.metadata).toMatchObject({
    title: titleOfItem(pin(206)),
    author: { name: 'Lab Maker', pinner: { name: 'Lab Saver' } },
    additionalData: { source: 'page_meta', duration: 8, createdAt: expect.any(String) },
  });
  expect(body.contents?.[0]?.videos).toMatchObject([{ label: '720p', metadata: { width: 1280, height: 720 } }]);
  expect(body.notes?.join()).toContain('only a preview of the pin');
});

test('oEmbed provides the few details that it has', async () => {
  const { body } = await details(207);
  expect(body.metadata).toMatchObject({ author: { name: 'Lab Saver' }, additionalData: { source: 'oembed' } });
  expect(body.contents).toEqual([{ images: [expect.objectContaining({ repId: '236x' })] }]);
  expect(await askedAbout(207)).toEqual(['www PinResource', 'www pin', 'www pin', 'www oembed']);
});

describe('an unavailable pin', () => {
  test.each([
    [301, 'not_found', false],
    [302, 'not_found', false],
    [303, 'not_found', false],
    [304, 'not_found', false],
    [305, 'unavailable', false],
    [306, 'unavailable', false],
    [307, 'not_found', false],
    [308, 'unavailable', true],
    [309, 'signin_required', false],
    [310, 'invalid_response_data', true],
  ])('%i returns 200 with %s, retryable: %s', async (number, code, retryable) => {
    const { status, body } = await details(number);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, retryable, message: expect.stringMatching(/\w/) });
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test("that is unknown returns not_found, with the site's own words", async () => {
    const url = `${service}/p6/v3/pin/details?pinId=404000000000000001`;
    const { body } = await extract<Result>(url);
    expect(body.error).toMatchObject({ code: 'not_found', statusCode: 404, reason: 'Pin not found.' });
  });
});

describe('a site that fails in every step', () => {
  test.each([
    ['throttles', 401, 'non_2xx_response'],
    ['is down', 402, 'non_2xx_response'],
    ['checks the browser with 403', 403, 'non_2xx_response'],
    ['checks the browser with 200', 404, 'invalid_response_data'],
    ['returns nothing', 405, 'invalid_response_data'],
    ['sends 64 MB', 407, 'invalid_response_data'],
    ['never responds', 408, 'operation_timeout'],
    ['redirects endlessly', 409, 'unexpected_redirect'],
    ['redirects to another site', 410, 'unexpected_redirect'],
    ['redirects to an internal address', 411, 'unexpected_redirect'],
    ['drops the connection', 412, 'connection_error'],
  ])('and %s (%i) is reported by its first failure, in time', async (_, number, code) => {
    const started = Date.now();
    const { status, body } = await details(number);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, retryable: true });
    expect(Date.now() - started).toBeLessThan(EXTRACTION_LIMIT_MS);
  });

  test('and truncates its response (406) is read as far as possible', async () => {
    const { body } = await details(406);
    expect(body.error === null || body.error.retryable).toBe(true);
  });

  test('and redirects to an internal address is never followed', async () => {
    const { body } = await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests?host=169.254.169.254`);
    expect(body.requests).toEqual([]);
  });
});
