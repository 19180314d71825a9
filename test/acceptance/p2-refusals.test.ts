import { describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import type { LabRequest } from '../support/lab-client.ts';
import { EXTRACTION_LIMIT_MS } from '../support/time-limits.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

const details = (shortcode: string) =>
  extract<Result>(`${service}/p2/v3/media/post/details?shortcode=${encodeURIComponent(shortcode)}`);

async function requestsWith(word: string): Promise<readonly LabRequest[]> {
  const { body } = await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests?host=www.instagram.com`);
  return body.requests.filter(({ path }) => path.includes(word));
}

describe('the fallback chain to a post', () => {
  test.each([
    ['lab-reel-12', 'page', 'reel', [[1, 0, 3]]],
    ['lab-old2024', 'page', 'reel', [[4, 1, 3]]],
    ['lab-wallone', 'graphql', 'reel', [[1, 0, 3]]],
    ['lab-graphql', 'graphql', 'reel', [[1, 0, 3]]],
    ['lab-newdocs', 'graphql', 'reel', [[1, 0, 3]]],
    ['lab-clipsgo', 'clips', 'reel', [[4, 1, 3]]],
    ['lab-newclip', 'clips', 'reel', [[4, 1, 3]]],
    ['lab-xdtreel', 'shortcode', 'reel', [[4, 1, 3]]],
    [
      'lab-xdtcaro',
      'shortcode',
      'carousel',
      [
        [0, 0, 1],
        [1, 0, 1],
        [0, 0, 1],
        [1, 0, 1],
        [0, 0, 1],
      ],
    ],
    ['lab-embed-1', 'embed', 'video', [[1, 0, 1]]],
    ['lab-embed-2', 'embed', 'image', [[0, 0, 1]]],
    ['lab-nullemb', 'embed', 'video', [[1, 0, 1]]],
  ])('%s: is found by %s', async (shortcode, source, type, counts) => {
    const { status, body } = await details(shortcode);
    expect([status, body.error]).toEqual([200, null]);
    expect(body.metadata.additionalData).toMatchObject({ source, type, shortcode });
    const mediaCounts = body.contents?.map(({ videos = [], audios = [], images = [] }) => [
      videos.length,
      audios.length,
      images.length,
    ]);
    expect(mediaCounts).toEqual(counts);
    // In every strategy, the file with audio is 720 pixels high.
    const progressive = body.contents?.flatMap(({ videos = [] }) =>
      videos.filter(({ metadata }) => metadata.has_audio),
    );
    for (const { label } of progressive ?? []) expect(label).toBe('720p');
  });

  test('needs one request in the common case', async () => {
    await details('lab-once-01');
    expect((await requestsWith('lab-once-01')).map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/p/lab-once-01/'],
    ]);
  });

  test('needs one more request for a short link, under our own user agent', async () => {
    await details('https://instagram.com/share/reel/lab-once-02');
    expect((await requestsWith('lab-once-02')).map(({ path, headers }) => [path, headers['user-agent']])).toEqual([
      ['/share/reel/lab-once-02', 'Millrace'],
      ['/p/lab-once-02/', expect.stringMatching(/^Mozilla/)],
    ]);
  });
});

describe('an unavailable post', () => {
  test.each([
    ['lab-gone404', 'not_found', 404, false],
    ['lab-errpage', 'not_found', 404, false],
    ['lab-embgone', 'not_found', 404, true],
    ['lab-newpost', 'invalid_response_data', 502, true],
    ['lab-log-403', 'signin_required', 401, true],
    ['lab-pri-403', 'unavailable', 403, false],
    ['lab-xdtnull', 'non_2xx_response', 502, true],
    ['lab-privpag', 'unavailable', 403, false],
    ['lab-privown', 'unavailable', 403, false],
    [`lab-shell00${'x'.repeat(28)}`, 'unavailable', 403, false],
    ['lab-agegate', 'age_restricted', 403, false],
    ['lab-to-home', 'age_restricted', 403, false],
    ['lab-gatedin', 'signin_required', 401, false],
    ['lab-loginpg', 'unavailable', 403, false],
    ['lab-wallall', 'non_2xx_response', 502, true],
    ['lab-wallthr', 'non_2xx_response', 502, true],
    ['lab-wait401', 'non_2xx_response', 502, true],
    ['lab-feedbck', 'non_2xx_response', 502, true],
    ['lab-challen', 'non_2xx_response', 502, true],
    ['lab-shell00', 'non_2xx_response', 502, true],
    ['lab-oldids0', 'non_2xx_response', 502, true],
    ['lab-others0', 'non_2xx_response', 502, true],
    ['lab-badjson', 'invalid_response_data', 502, true],
    ['lab-embedno', 'non_2xx_response', 502, true],
    ['lab-embed-0', 'non_2xx_response', 502, true],
    ['lab-inside0', 'unexpected_redirect', 502, true],
    ['lab-outside', 'unexpected_redirect', 502, true],
    ['lab-loop-00', 'unexpected_redirect', 502, true],
    ['lab-http429', 'non_2xx_response', 502, true],
    ['lab-http503', 'non_2xx_response', 502, true],
    ['lab-is-html', 'invalid_response_data', 502, true],
    ['lab-is-void', 'invalid_response_data', 502, true],
    ['lab-is-half', 'invalid_response_data', 502, true],
    ['lab-is-huge', 'invalid_response_data', 502, true],
    ['https://www.instagram.com/share/labnowhere', 'not_found', 404, false],
    ['https://www.instagram.com/share/lablogin', 'signin_required', 401, true],
    ['https://www.instagram.com/share/laboutside', 'unexpected_redirect', 502, true],
    ['https://www.instagram.com/share/labinside', 'unexpected_redirect', 502, true],
  ])('%s returns 200 with %s', async (shortcode, code, statusCode, retryable) => {
    const { status, body } = await details(shortcode);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code,
      statusCode,
      retryable,
      message: expect.stringMatching(/^.{20,}\.$/),
    });
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test.each([
    ['lab-agegate', 'Restricted Video: You must be 18 years old or over to see this video'],
    ['lab-gatedin', 'Not for everyone: The account shows this post to some people'],
    ['lab-loginpg', 'Not for everyone: The account shows this post to some people'],
    ['lab-wait401', 'Please wait a few minutes before you try again.'],
    ['lab-feedbck', 'feedback_required'],
    ['lab-log-403', 'login_required'],
  ])("%s returns the reason in the site's words", async (shortcode, reason) => {
    expect((await details(shortcode)).body.error?.reason).toBe(reason);
  });

  test('never leads to a request to an internal host', async () => {
    const { body } = await fetchJson<{ requests: LabRequest[] }>(`${lab}/_lab/requests?host=169.254.169.254`);
    expect(body.requests).toEqual([]);
  });

  test('times out when the site never responds, after every strategy was tried', async () => {
    const started = performance.now();
    const { body } = await details('lab-is-slow');
    expect(performance.now() - started).toBeLessThan(EXTRACTION_LIMIT_MS);
    expect(body.error).toMatchObject({ code: 'operation_timeout', statusCode: 504, retryable: true });
    expect((await requestsWith('lab-is-slow')).map(({ path }) => path)).toContain('/p/lab-is-slow/embed/captioned/');
  });
});
