import { describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import type { LabRequest } from '../support/lab-client.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** Milliseconds that an answer may take, whatever the site does. */
const LIMIT_MS = 25_000;

/** A pin that the lab documents, by the last three digits of its id. */
const pin = (number: number) => `600000000000000${number}`;
const details = (number: number) => extract<Result>(`${service}/p6/v3/pin/details?pinId=${pin(number)}`);

/** What the site was asked about a pin, in order. */
async function askedAbout(number: number): Promise<string[]> {
  const { body } = await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests`);
  return body.requests
    .filter(({ host, path }) => host.endsWith('pinterest.com') && decodeURIComponent(path).includes(pin(number)))
    .map(({ host, path }) => `${host.split('.')[0]} ${/PinResource|oembed|pin/.exec(path)?.[0]}`);
}

describe('where the JSON interface answers', () => {
  test('one request suffices', async () => {
    const { body } = await details(104);
    expect(body.metadata.additionalData?.source).toBe('resource');
    expect(new Set(await askedAbout(104))).toEqual(new Set(['www PinResource']));
  });

  test('in another country, it is asked there', async () => {
    const { body } = await details(210);
    expect(body.metadata.additionalData?.source).toBe('resource');
    expect(await askedAbout(210)).toEqual(['www PinResource', 'de PinResource', 'de PinResource']);
  });
});

describe('where the JSON interface does not answer, the page does', () => {
  test.each([
    ['of 2026', 201],
    ['of 2025', 202],
    ['of 2024', 203],
    ['of 2023', 204],
    ['of 2024, with a carousel', 209],
    ['at the second look', 205],
    ['in another country', 208],
    ['without asking for a user', 211],
    ['while the interface has moved', 212],
    ['while the interface breaks off', 213],
    ['while the interface drops the connection', 214],
    ['while the interface redirects inside', 215],
    ['while the interface answers 50 MB', 216],
    ['while the interface is silent', 217],
  ])('%s (%i)', async (_, number) => {
    const { body } = await details(number);
    expect(body.error).toBeNull();
    expect(body.metadata.additionalData?.source).toBe('page');
    expect(body.contents?.at(-1)?.images?.length).toBeGreaterThan(6);
    const expectedPin = number === 208 ? pin(101) : pin(number);
    expect(body.metadata).toMatchObject({
      title: `Lab pin ${expectedPin}`,
      author: { name: 'Lab Maker', pinner: { name: 'Lab Saver', followerCount: expect.any(Number) } },
      additionalData: { id: expectedPin, statistics: { saveCount: expect.any(Number) }, board: { name: 'Lab board' } },
    });
  });

  test('with the same media as the JSON interface', async () => {
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

test('a page without its data still tells in its head', async () => {
  const { body } = await details(206);
  expect(body.metadata).toMatchObject({
    title: `Lab pin ${pin(206)}`,
    author: { name: 'Lab Maker', pinner: { name: 'Lab Saver' } },
    additionalData: { source: 'page_meta', duration: 8, createdAt: expect.any(String) },
  });
  expect(body.contents?.[0]?.videos).toMatchObject([{ label: '720p', metadata: { width: 1280, height: 720 } }]);
});

test('oEmbed tells the little that it has', async () => {
  const { body } = await details(207);
  expect(body.metadata).toMatchObject({ author: { name: 'Lab Saver' }, additionalData: { source: 'oembed' } });
  expect(body.contents).toEqual([{ images: [expect.objectContaining({ repId: '236x' })] }]);
  expect(await askedAbout(207)).toEqual(['www PinResource', 'www pin', 'www pin', 'www oembed']);
});

describe('what cannot be had', () => {
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
  ])('%i is answered 200 with %s, retryable: %s', async (number, code, retryable) => {
    const { status, body } = await details(number);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, retryable, message: expect.stringMatching(/\w/) });
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test("an unknown pin is not_found, with the site's own words", async () => {
    const url = `${service}/p6/v3/pin/details?pinId=404000000000000001`;
    const { body } = await extract<Result>(url);
    expect(body.error).toMatchObject({ code: 'not_found', statusCode: 404, reason: 'Pin not found.' });
  });
});

describe('a site that goes wrong everywhere', () => {
  test.each([
    ['throttles', 401, 'non_2xx_response'],
    ['is down', 402, 'non_2xx_response'],
    ['checks the browser with 403', 403, 'non_2xx_response'],
    ['checks the browser with 200', 404, 'invalid_response_data'],
    ['answers nothing', 405, 'invalid_response_data'],
    ['sends 50 MB', 407, 'invalid_response_data'],
    ['never answers', 408, 'operation_timeout'],
    ['redirects without an end', 409, 'unexpected_redirect'],
    ['redirects to another site', 410, 'unexpected_redirect'],
    ['redirects inside', 411, 'unexpected_redirect'],
    ['drops the connection', 412, 'connection_error'],
  ])('and %s (%i) is told by its first failure, in time', async (_, number, code) => {
    const started = Date.now();
    const { status, body } = await details(number);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, retryable: true });
    expect(Date.now() - started).toBeLessThan(LIMIT_MS);
  });

  test('and breaks off (406) is read as far as it goes', async () => {
    const { body } = await details(406);
    expect(body.error === null || body.error.retryable).toBe(true);
  });

  test('and redirects inside is never followed there', async () => {
    const { body } = await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests?host=169.254.169.254`);
    expect(body.requests).toEqual([]);
  });
});
