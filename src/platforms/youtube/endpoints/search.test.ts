import { describe, expect, it } from 'vitest';
import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply } from '../../testing/fake-site.ts';
import { createInnertube } from '../requests/innertube.ts';
import { defaultSite } from '../site.ts';
import { searches } from './search.ts';

const video = (videoId: string, title = 'A') => ({
  videoRenderer: { videoId, title: { runs: [{ text: title }] }, viewCountText: { simpleText: '1,234 views' } },
});

const sections = (...contents: readonly unknown[]) => ({
  twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents } } },
});

const nextPage = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});

const response = (...contents: readonly unknown[]) => ({
  estimatedResults: '42',
  contents: sections({ itemSectionRenderer: { contents } }, nextPage('T')),
});

async function search(path: string, parameters: EndpointParameters, reply: () => Reply, cursor?: string) {
  const endpoint = searches
    .map((make) => make(createInnertube(defaultSite), defaultSite))
    .find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const site = fakeSite(reply, cursor === undefined ? {} : { cursor });
  const extraction = await endpoint.extract(parameters, site.context);
  const result = fields(extraction.metadata.additionalData?.searchResults);
  const { notes, unread } = extraction;
  return { result, notes, unread, requestBodies: site.requests.map(({ body }) => fields(body)) };
}

describe('a search', () => {
  it.each([
    ['/search', '8AEB'],
    ['/search/video', 'EgIQAfABAQ%3D%3D'],
    ['/search/channel', 'EgIQAvABAQ%3D%3D'],
    ['/search/playlist', 'EgIQA_ABAQ%3D%3D'],
    ['/search/movie', 'EgIQBPABAQ%3D%3D'],
  ])('%s requests its own type of results', async (path, params) => {
    const { result, requestBodies } = await search(path, { query: 'x' }, () => ({
      body: response(video('dQw4w9WgXcQ')),
    }));
    expect(requestBodies).toEqual([expect.objectContaining({ query: 'x', params })]);
    expect(result).toMatchObject({
      results: [{ type: 'video', id: 'dQw4w9WgXcQ', viewCount: 1_234, viewCountText: '1,234 views' }],
      estimated_results: 42,
      nextToken: 'T',
    });
    expect(result).not.toHaveProperty('correctedQuery');
  });

  it('continues to the last page', async () => {
    const items = [{ itemSectionRenderer: { contents: [video('aaaaaaaaaaa')] } }];
    const body = {
      estimatedResults: '42',
      onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: items } }],
    };
    const { result, requestBodies } = await search('/search', { query: 'x', features: ['hd'] }, () => ({ body }), 'T');
    expect(requestBodies).toEqual([expect.objectContaining({ continuation: 'T' })]);
    expect(requestBodies[0]).not.toHaveProperty('query');
    expect(result).toMatchObject({ results: [{ id: 'aaaaaaaaaaa' }], nextToken: null });
    const end = await search('/search', { query: 'x' }, () => ({ body: { estimatedResults: '0' } }), 'T');
    expect(end.result).toEqual({ results: [], estimated_results: 0, nextToken: null });
  });

  it('reports corrections, refinements, the requested order and omitted entries', async () => {
    const correction = { showingResultsForRenderer: { correctedQuery: { runs: [{ text: 'cats' }] } } };
    const body = { ...response(correction, video('dQw4w9WgXcQ'), { holoRenderer: {} }), refinements: ['cats 4k', 7] };
    const { result, notes, unread } = await search('/search', { query: 'cast', sortBy: 'rating' }, () => ({ body }));
    expect(result).toMatchObject({ correctedQuery: 'cats', correction: 'replaced', refinements: ['cats 4k'] });
    expect(notes).toEqual([expect.stringMatching(/sortBy is deprecated/)]);
    expect(unread).toEqual({ holoRenderer: 1 });
  });

  it('has titles in the requested language and counts from the English response', async () => {
    const reply = (request: { body?: unknown }): Reply =>
      JSON.stringify(request.body).includes('"hl":"de"')
        ? { body: { contents: sections({ itemSectionRenderer: { contents: [video('dQw4w9WgXcQ', 'Ä')] } }) } }
        : { body: response(video('dQw4w9WgXcQ')) };
    const endpoint = searches[0]?.(createInnertube(defaultSite), defaultSite);
    const { context } = fakeSite(reply);
    const extraction = await endpoint?.extract({ query: 'x', lang: 'de' }, context);
    expect(extraction?.metadata.additionalData?.searchResults).toMatchObject({
      results: [{ title: 'Ä', viewCount: 1_234 }],
      nextToken: 'T',
    });
  });

  it.each<[string, Reply, string | undefined, string]>([
    ['no results and no list', { body: { responseContext: {} } }, undefined, 'invalid_response_data'],
    ['a page of HTML', { body: '<!doctype html>' }, undefined, 'non_2xx_response'],
    ['truncated JSON', { body: '{"contents":' }, undefined, 'invalid_response_data'],
    ['a refusal', { status: 429, body: '' }, undefined, 'non_2xx_response'],
    ['a refused query', { status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } }, undefined, 'invalid_params'],
    ['an expired token', { status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } }, 'T', 'invalid_token'],
  ])('fails after a response with %s', async (_name, reply, cursor, code) => {
    await expect(search('/search', { query: 'x' }, () => reply, cursor)).rejects.toMatchObject({ code });
  });

  it('rejects a query of 10 KB without sending a request', async () => {
    const extraction = search('/search', { query: 'x'.repeat(10_240) }, () => new Error('was asked'));
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_params', parameter: 'query' });
  });
});
