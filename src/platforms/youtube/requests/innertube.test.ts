import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { builtInProfile } from '../testing/built-in-profile.ts';
import { createInnertube } from './innertube.ts';

const ok = { contents: { a: 1 } };

function open(reply: (request: SeenRequest) => Reply, lang?: string, surroundings: Surroundings = {}) {
  const site = fakeSite(reply, surroundings);
  const openInnertube = createInnertube(defaultSite);
  return { ...site, innertube: openInnertube(lang === undefined ? {} : { lang }, site.context), openInnertube };
}

/** Returns visitor IDs to visitor requests, and a response to all others. */
const withVisitors = ({ url }: SeenRequest): Reply =>
  url.pathname.endsWith('/visitor_id') ? { body: { responseContext: { visitorData: 'V' } } } : { body: ok };

describe('an InnerTube request', () => {
  it("is sent in English, with the site's own headers", async () => {
    const { innertube, requests } = open(() => ({ body: ok }), 'de');
    expect(await innertube.request('browse', { browseId: 'VLPL1' }, { fields: 'header' })).toEqual(ok);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url.href).toBe('https://www.youtube.com/youtubei/v1/browse?prettyPrint=false&%24fields=header');
    expect(requests[0]?.headers).toMatchObject({ 'x-youtube-client-name': '1', cookie: 'SOCS=CAE=' });
    expect(requests[0]?.body).toMatchObject({
      browseId: 'VLPL1',
      context: { client: { clientName: 'WEB', hl: 'en', gl: 'US' }, user: { lockedSafetyMode: false } },
    });
  });

  it("is also sent in the caller's language, and succeeds without it", async () => {
    const reply = ({ body }: SeenRequest): Reply =>
      JSON.stringify(body).includes('"hl":"iw"') ? { status: 500, body: '' } : { body: ok };
    const failing = open(reply, 'he');
    expect(await failing.innertube.requestLocalised('browse', {})).toEqual({ response: ok });
    expect(failing.requests).toHaveLength(2);
    const working = open(() => ({ body: ok }), 'fr');
    expect(await working.innertube.requestLocalised('browse', {})).toEqual({ response: ok, translation: ok });
    const english = open(() => ({ body: ok }), 'en');
    expect(await english.innertube.requestLocalised('browse', {})).toEqual({ response: ok });
    expect(english.requests).toHaveLength(1);
  });

  it('has a visitor ID if the client needs one, and the ID is requested only once', async () => {
    const { innertube, requests, openInnertube, context } = open(withVisitors);
    const options = { client: builtInProfile('VISIONOS') };
    await Promise.all([innertube.request('player', {}, options), innertube.request('player', {}, options)]);
    await openInnertube({}, context).request('player', {}, options);
    expect(requests.filter(({ url }) => url.pathname.endsWith('/visitor_id'))).toHaveLength(1);
    expect(requests.at(-1)?.body).toMatchObject({ context: { client: { visitorData: 'V', clientName: 'VISIONOS' } } });
    innertube.dropVisitor(builtInProfile('VISIONOS'));
    await innertube.request('player', {}, options);
    expect(requests.filter(({ url }) => url.pathname.endsWith('/visitor_id'))).toHaveLength(2);
  });

  it('does not ignore a failed localised request when the time is over', async () => {
    const late = new MillraceError('operation_timeout', 'Over.');
    const reply = ({ body }: SeenRequest) => (JSON.stringify(body).includes('"hl":"fr"') ? late : { body: ok });
    const { innertube } = open(reply, 'fr', { signal: AbortSignal.abort(late) });
    await expect(innertube.requestLocalised('browse', {})).rejects.toBe(late);
  });

  it('requests its own visitor ID when the shared request for one fails', async () => {
    let first = true;
    const { innertube, requests } = open((request) => {
      if (!first || !request.url.pathname.endsWith('/visitor_id')) return withVisitors(request);
      first = false;
      return new MillraceError('operation_timeout', 'Over.');
    });
    const options = { client: builtInProfile('ANDROID') };
    const pending = [innertube.request('player', {}, options), innertube.request('player', {}, options)];
    expect((await Promise.allSettled(pending)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(requests).toHaveLength(3);
  });
});

describe('an InnerTube response', () => {
  const notFound = { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } };
  const badArgument = { error: { code: 400, message: 'Invalid.', status: 'INVALID_ARGUMENT' } };
  const precondition = { error: { code: 400, message: 'Precondition.', status: 'FAILED_PRECONDITION' } };
  const alert = (text: string) => ({ alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: text } } }] });

  it.each<[string, number, unknown, string]>([
    ['nothing', 200, '', 'non_2xx_response'],
    ['a page', 200, '<!doctype html><title>Sorry</title>', 'non_2xx_response'],
    ['truncated JSON', 200, '{"contents":{"a"', 'invalid_response_data'],
    ['a list', 200, [1], 'non_2xx_response'],
    ['404', 404, notFound, 'not_found'],
    ['400 for an id', 400, badArgument, 'not_found'],
    ['400 for the client', 400, precondition, 'non_2xx_response'],
    ['401', 401, '', 'signin_required'],
    ['403', 403, '<html>', 'non_2xx_response'],
    ['429', 429, '', 'non_2xx_response'],
    ['503', 503, '', 'non_2xx_response'],
    ['an alert of nothing', 200, alert('This channel does not exist.'), 'not_found'],
    ['an alert of a removal', 200, alert('This account has been terminated.'), 'not_found'],
    ['an alert of a private list', 200, alert('This playlist is private.'), 'unavailable'],
    ['any alert', 200, alert('Hm.'), 'unavailable'],
  ])('with %s is an error', async (_name, status, body, code) => {
    const { innertube } = open(() => ({ status, body }));
    const error = await innertube.request('browse', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ code, retryable: /non_2xx|invalid_response/.test(code) });
  });

  it('with a harmless alert is not an error', async () => {
    const { innertube } = open(() => ({ body: { ...alert('Hidden.'), ...ok } }));
    expect(await innertube.request('browse', {})).toMatchObject(ok);
  });

  it('that rejects a page cursor results in invalid_token', async () => {
    const { innertube } = open(() => ({ status: 400, body: badArgument }), undefined, { cursor: 'C' });
    await expect(innertube.request('browse', { continuation: 'C' })).rejects.toMatchObject({ code: 'invalid_token' });
    await expect(innertube.request('browse', { continuation: 'D' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
