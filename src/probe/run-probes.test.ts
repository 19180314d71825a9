import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, MillraceError } from '../contract/errors.ts';
import { noSubjects } from '../contract/subjects.ts';
import type { Exit, Exits } from '../egress/exits.ts';
import type { SourceQuery } from '../extraction/request/source-query.ts';
import type { Endpoint, Extraction } from '../platforms/platform.ts';
import type { Probe } from '../platforms/probe.ts';
import { UnreadResponseError } from '../platforms/unread.ts';
import { createSealer } from '../sealing/sealer.ts';
import { classifyFailure } from './findings/classify-failure.ts';
import { type ProbeCase, runProbe } from './run-probe.ts';
import { runProbes } from './run-probes.ts';
import { type FakeReply, fakeExit, serveFile } from './testing/fake-exit.ts';

const endpoint: Endpoint = {
  path: '/list',
  summary: 'A list',
  parameters: Type.Object({ id: Type.String(), nextToken: Type.Optional(Type.String()) }),
  credits: 1,
  contents: false,
  subjects: () => ({}),
  extract: () => Promise.reject(new Error('the test fetches the extraction')),
};
const list: Probe = { name: 'list', endpoint: '/list', parameters: { id: 'a' }, expects: ['metadata.title'] };
const pages: Probe = { ...list, pages: 'metadata.playlist' };
const media: Probe = { ...list, expects: ['contents.0'], media: true };
const file = serveFile(Buffer.alloc(3_000_000));
const pace = { pause: 0, wait: 0 };

type Reply = (query: SourceQuery) => Extraction;

/** Runs a probe whose endpoint returns an extraction, and whose media comes from a simulated server. */
async function run(
  reply: Reply,
  probe = list,
  server: (request: { url: string }) => FakeReply = file as never,
  { signal } = new AbortController(),
) {
  const exit: Exit = { id: 'fr-1', ...fakeExit((request) => server(request)) };
  const exits: Exits = {
    countries: [],
    forCountry: () => [exit],
    byId: (id) =>
      id === exit.id ? exit : { ...exit, id: 'direct', exchange: () => Promise.reject(new Error('wrong exit')) },
    forJobs: exit,
    checkUrl: async () => undefined,
    close: () => Promise.resolve(),
  };
  const access = {
    exits,
    sealer: createSealer(['a secret of the tests']),
    fetchSource: async (query: SourceQuery) => ({ ...reply(query), exit: 'fr-1' }),
  };
  const probeCase: ProbeCase = { platform: 'p9', endpoint, probe };
  const [result] = await runProbes([probeCase], (each) => runProbe(each, access, signal), pace, signal);
  return result;
}

const failing =
  (error: Error): Reply =>
  () => {
    throw error;
  };

describe('a probe', () => {
  test('works if every expected field has a value', async () => {
    expect(await run(() => ({ metadata: { title: 'A title' } }))).toEqual({
      platform: 'p9',
      probe: 'list',
      endpoint: '/list',
      verdict: 'works',
      problems: [],
    });
  });

  test('is drifting if fields are missing or entries were not read', async () => {
    expect(await run(() => ({ metadata: {}, unread: { newViewModel: 2 } }))).toMatchObject({
      verdict: 'drifting',
      problems: [
        { kind: 'missing_field', path: 'metadata.title', message: 'Missing: metadata.title.' },
        { kind: 'unread', shape: 'newViewModel', count: 2, message: 'New shape: newViewModel (2 entries).' },
      ],
    });
  });

  test('is drifting if nothing could be read, and names the new shapes', async () => {
    expect(await run(failing(new UnreadResponseError('Nothing is known.', { newTab: 1 })))).toMatchObject({
      verdict: 'drifting',
      problems: [
        { kind: 'error', code: 'invalid_response_data', message: 'Nothing is known.' },
        { kind: 'unread', shape: 'newTab', count: 1, message: 'New shape: newTab (1 entry).' },
      ],
    });
  });

  test('is drifting if the parser fails', async () => {
    const { verdict, problems } = (await run(failing(new TypeError('x is undefined')))) ?? {};
    expect([verdict, problems?.[0]]).toMatchObject(['drifting', { code: 'unexpected_error' }]);
  });

  test.each<[ErrorCode, string]>([
    ['non_2xx_response', 'refused'],
    ['unexpected_redirect', 'refused'],
    ['signin_required', 'refused'],
    ['age_restricted', 'refused'],
    ['unavailable', 'refused'],
    ['not_found', 'refused'],
    ['connection_error', 'unreachable'],
    ['operation_timeout', 'unreachable'],
  ])('with the error %s is %s', async (code, verdict) => {
    const result = await run(failing(new MillraceError(code, 'It failed.')));
    expect(result).toMatchObject({ verdict, problems: [{ kind: 'error', code }] });
  });

  test('advises to replace an item that is gone', async () => {
    const result = await run(failing(new MillraceError('not_found', 'The post does not exist.')));
    expect(result?.problems[0]?.message).toMatch(/^The post does not exist\. If other visitors .* replace the item/);
  });
});

describe('the next page of a probe', () => {
  const page = (ids: readonly string[], nextToken: string | null): Extraction => ({
    metadata: { title: 'A list', playlist: { videos: ids.map((id) => ({ type: 'video', id })), nextToken } },
  });
  const first = ({ pages: { token } }: SourceQuery) => page(['a', 'b'], token('2', {}));

  test('has no result if the person interrupts the command meanwhile', async () => {
    const controller = new AbortController();
    const interrupt: Reply = (query) => {
      if (query.pages.cursor !== '2') return first(query);
      controller.abort(new Error('interrupted'));
      throw controller.signal.reason;
    };
    await expect(run(interrupt, pages, undefined, controller)).rejects.toThrow('interrupted');
  });

  test('works if it differs', async () => {
    const result = await run((query) => (query.pages.cursor === '2' ? page(['c'], null) : first(query)), pages);
    expect(result?.verdict).toBe('works');
  });

  test.each<[string, Reply, string]>([
    ['repeats the first', first, 'The next page of metadata.playlist repeats the first.'],
    [
      'is empty',
      (query) => (query.pages.cursor === '2' ? page([], null) : first(query)),
      'The next page of metadata.playlist is empty.',
    ],
    ['is missing', () => page(['a'], null), 'metadata.playlist has no next page.'],
  ])('makes it drifting if it %s', async (_what, reply, message) => {
    const result = await run(reply, pages);
    expect(result).toMatchObject({ verdict: 'drifting', problems: [{ kind: 'next_page', message }] });
  });

  test('reports its own error', async () => {
    const result = await run((query) => {
      if (query.pages.cursor === undefined) return first(query);
      throw new MillraceError('non_2xx_response', 'The site returned 429.');
    }, pages);
    expect(result).toMatchObject({ verdict: 'refused', problems: [{ code: 'non_2xx_response' }] });
  });
});

describe('the media of a probe', () => {
  const metadata = { mime_type: 'video/mp4', width: 640, height: 360, has_audio: true };
  const video = (name: string, bytes: number, ext = 'mp4') => ({
    item: { label: name, url: `https://cdn.example/${name}`, repId: name, metadata },
    stream: { ext, kind: 'muxed' as const, bytes },
  });
  const extraction: Extraction = {
    metadata: { title: 'x' },
    contents: [{ videos: [video('small', 1), video('large', 2)], subjects: noSubjects }],
  };

  test('is requested through the exit of the extraction, for the largest item of each kind', async () => {
    const urls: string[] = [];
    const result = await run(
      () => extraction,
      media,
      (request) => {
        urls.push(request.url);
        return file(request as never);
      },
    );
    expect(result?.verdict).toBe('works');
    expect(urls).toEqual(['large', 'large', 'large'].map((name) => `https://cdn.example/${name}`));
  });

  test('makes it refused if the server refuses it', async () => {
    expect(
      await run(
        () => extraction,
        media,
        () => ({ status: 403 }),
      ),
    ).toMatchObject({
      verdict: 'refused',
      problems: [{ kind: 'media', item: 'video large', status: 403 }],
    });
  });

  test('makes it drifting if the response has no media', async () => {
    const result = await run(
      () => ({ metadata: {}, contents: [{ unrenderable: 'It is live.', subjects: noSubjects }] }),
      media,
    );
    expect(result).toMatchObject({ verdict: 'drifting', problems: [{ path: 'contents.0' }] });
  });
});

test('probes of a platform run one after the other, and platforms side by side', async () => {
  const running: string[] = [];
  const most = new Map<string, number>();
  const atOnce: number[] = [];
  const cases = ['p1', 'p1', 'p2', 'p2'].map((platform): ProbeCase => ({ platform, endpoint, probe: list }));
  const results = await runProbes(
    cases,
    async ({ platform }) => {
      running.push(platform);
      most.set(platform, Math.max(most.get(platform) ?? 0, running.filter((each) => each === platform).length));
      atOnce.push(running.length);
      await new Promise(setImmediate);
      running.splice(running.indexOf(platform), 1);
      return { finding: { verdict: 'works', problems: [] }, media: [] };
    },
    pace,
    new AbortController().signal,
  );
  expect(results.map(({ platform }) => platform)).toEqual(['p1', 'p1', 'p2', 'p2']);
  expect([...most.values()]).toEqual([1, 1]);
  expect(Math.max(...atOnce)).toBe(2);
});

test('an item that is gone is requested once, and reported for every strategy', async () => {
  let requests = 0;
  const cases = ['page', 'embed'].map((strategy): ProbeCase => ({ platform: 'p1', endpoint, probe: media, strategy }));
  const results = await runProbes(
    cases,
    async () => {
      requests += 1;
      return { finding: classifyFailure(new MillraceError('not_found', 'It is gone.')), media: [] };
    },
    pace,
    new AbortController().signal,
  );
  expect(requests).toBe(1);
  expect(results.map(({ strategy, verdict }) => [strategy, verdict])).toEqual([
    ['page', 'refused'],
    ['embed', 'refused'],
  ]);
});
