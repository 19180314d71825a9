import Type from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Extraction, ExtractionContext } from '../../platforms/platform.ts';
import { UnreadResponseError } from '../../platforms/unread.ts';
import type { UnreadResponses } from '../../recording/unread-responses.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { keepUnread } from './keep-unread.ts';

const respond = async (url: string) => ({ status: 200, headers: {}, url, text: 'a response' });
const source = { get: respond, post: respond };

/** Runs an extraction that sends one request directly and one through FR. Returns the kept responses and the result. */
async function run(outcome: Partial<Extraction> | Error) {
  const kept: [unknown, string[]][] = [];
  const responses: UnreadResponses = {
    keep: (extraction, exchanges) => kept.push([extraction, Array.from(exchanges(20), ({ request }) => request.url)]),
    list: () => [],
    get: async () => undefined,
  };
  const query: SourceQuery = {
    platform: 'p9',
    endpoint: {
      path: '/video/details',
      summary: 'A video',
      parameters: Type.Object({}),
      credits: 1,
      contents: false,
      subjects: () => ({}),
      async extract(_parameters, context) {
        await context.source.get('https://site.example/a');
        await context.sourceIn('FR').post('https://site.example/b', {});
        if (outcome instanceof Error) throw outcome;
        return { metadata: {}, ...outcome };
      },
    },
    parameters: {},
    pages: { token: () => null },
    isRequested: () => true,
    item: 'i',
    key: 'k',
  };
  const context: ExtractionContext = {
    source,
    countries: ['FR'],
    sourceIn: () => source,
    pages: query.pages,
    requestsPart: query.isRequested,
    profileOrder: (all) => all,
    timeLeft: () => 25_000,
    signal: new AbortController().signal,
  };
  const fetchSource = vi.fn(async ({ endpoint, parameters }: SourceQuery) => ({
    ...(await endpoint.extract(parameters, context)),
    exit: 'direct',
  }));
  const result = await keepUnread(fetchSource, responses)(query, serviceCaller, context.signal).catch(
    (error: unknown) => error,
  );
  return { kept, result };
}

const urls = ['https://site.example/a', 'https://site.example/b'];
const response = (kinds: Record<string, number>) => [[{ platform: 'p9', endpoint: '/video/details', kinds }, urls]];

describe('an extraction', () => {
  test('with unread entries has its exchanges kept, and its result unchanged', async () => {
    const { kept, result } = await run({ unread: { newRenderer: 2, 'a b': 1 } });
    expect(kept).toEqual(response({ newRenderer: 2, other: 1 }));
    expect(result).toEqual({ metadata: {}, exit: 'direct', unread: { newRenderer: 2, 'a b': 1 } });
  });

  test('that could read nothing has its exchanges kept, and its error unchanged', async () => {
    const error = new UnreadResponseError('No.', { newTab: 1 });
    expect(await run(error)).toEqual({ kept: response({ newTab: 1 }), result: error });
    const invalid = new MillraceError('invalid_response_data', 'No.');
    expect(await run(invalid)).toEqual({ kept: response({ response: 1 }), result: invalid });
  });

  test.each([
    ['that could read everything', {}],
    ['with an empty list of unread entries', { unread: {} }],
    ['that was refused', new MillraceError('not_found', 'No.')],
    ['that failed in another way', new TypeError('a bug')],
  ])('%s has nothing kept', async (_kind, outcome) => {
    expect((await run(outcome)).kept).toEqual([]);
  });
});
