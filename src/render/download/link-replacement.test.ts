import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { downloadInputs } from './download-inputs.ts';
import { createBytes, hash, MIB } from './testing/downloads.ts';
import { type RunPlace, runHealable, servedBytes, serveLinks } from './testing/healable-run.ts';
import { type RequestHandler, rangeOf, startOrigin } from './testing/origin.ts';

const size = 8 * MIB;
const bytes = createBytes(size);
const digest = hash(bytes);
const chunkDownload = { size: MIB, concurrency: 4 };

/** Fetches the inputs, and returns the hash of each file. */
async function fetchHashes({ job, context }: RunPlace): Promise<string[]> {
  const inputs = await downloadInputs(job, context);
  const paths = inputs.flatMap(({ files }) => files).flatMap(({ parts }) => parts.map(({ path }) => path));
  return await Promise.all(paths.map(async (path) => hash(await readFile(path))));
}

/** Returns a run of a single input whose file is at `/a`. */
const oneInput = (handler: RequestHandler, input = {}) => ({
  handlers: { '/a': handler },
  inputs: [{ url: '/a', chunkDownload, ...input }],
});

describe('a link that dies', () => {
  test('in the middle of parallel parts is replaced once, and each part continues at its byte', async () => {
    const file = serveLinks(bytes, [{ bytes: 3 * MIB + 12_345 }]);
    const { result, error, healRequests, reports, replacements } = await runHealable(
      oneInput(file.handler),
      fetchHashes,
    );
    expect([error, result]).toEqual([undefined, [digest]]);
    expect(healRequests).toEqual([
      {
        item: {
          platform: 'p1',
          endpoint: '/video/details',
          parameters: { videoId: 'abc' },
          content: 0,
          profile: 'profile-0',
        },
        representations: [{ repId: '/a', kind: 'video' }],
        exit: 'fr-1',
        failedProfiles: [],
        subject: 'job',
        owner: 'me',
        input: 0,
      },
    ]);
    expect(replacements).toEqual([{ input: 0, outcome: 'died', formerProfile: 'profile-0', profile: 'profile-1' }]);
    expect(reports).toMatchObject([
      {
        consumer: 'render',
        outcome: 'died',
        status: 403,
        exit: 'fr-1',
        country: 'FR',
        origin: { profile: 'profile-0' },
      },
      { outcome: 'arrived', origin: { platform: 'p1', profile: 'profile-1' } },
    ]);
    expect(servedBytes(file)).toBeLessThanOrEqual(size * 1.02);
  });

  test('after exactly 1 MiB costs no byte twice', async () => {
    const file = serveLinks(bytes, [{ bytes: MIB }]);
    const { result, reports } = await runHealable(oneInput(file.handler), fetchHashes);
    expect(result).toEqual([digest]);
    expect(reports.map(({ outcome, bytes: received }) => [outcome, received])).toEqual([
      ['cut', MIB],
      ['arrived', size - MIB],
    ]);
    expect(servedBytes(file)).toBe(size);
  });

  test('twice during a large file costs at most 2 % more bytes', async () => {
    const large = createBytes(48 * MIB);
    const file = serveLinks(large, [{ bytes: 10 * MIB + 1 }, { bytes: 20 * MIB + 7 }]);
    const { result, error } = await runHealable(
      { handlers: { '/a': file.handler }, inputs: [{ url: '/a' }] },
      fetchHashes,
    );
    expect([error, result]).toEqual([undefined, [hash(large)]]);
    expect(servedBytes(file)).toBeLessThanOrEqual(large.length * 1.02);
  });

  test.each([401, 403, 404, 410])('with status %i before the first byte is replaced', async (status) => {
    const file = serveLinks(bytes, [{ bytes: 0, status }]);
    const { result, reports, healRequests } = await runHealable(oneInput(file.handler), fetchHashes);
    expect(result).toEqual([digest]);
    expect(healRequests).toMatchObject([{ failedProfiles: ['profile-0'] }]);
    expect(reports).toMatchObject([
      { outcome: 'refused', status, bytes: 0 },
      { outcome: 'arrived', bytes: size },
    ]);
  });

  test('is not requested if it has expired before the start', async () => {
    const file = serveLinks(bytes, []);
    const run = { ...oneInput(file.handler), expiresAt: [Date.now() - 1000] };
    const { result, reports, healRequests, requests } = await runHealable(run, fetchHashes);
    expect(result).toEqual([digest]);
    expect(healRequests).toMatchObject([{ failedProfiles: [] }]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['expired', 'arrived']);
    expect(requests.every(({ url }) => url === '/a?v=1')).toBe(true);
  });

  test('is requested although it has expired, if no other can be obtained', async () => {
    const file = serveLinks(bytes, []);
    const heal = () => Promise.reject(new MillraceError('connection_error', 'The connection failed.'));
    const { result, reports } = await runHealable({ ...oneInput(file.handler), expiresAt: [1], heal }, fetchHashes);
    expect(result).toEqual([digest]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['arrived']);
  });

  test('during the download after its expiry does not count against its client profile', async () => {
    const file = serveLinks(bytes, [{ bytes: MIB }]);
    const heal = () => Promise.reject(new MillraceError('connection_error', 'The connection failed.'));
    const run = { ...oneInput(file.handler), expiresAt: [Date.now() - 1000], heal };
    const { healRequests, reports, error } = await runHealable(run, fetchHashes);
    expect(healRequests.map(({ failedProfiles }) => failedProfiles)).toEqual([[], []]);
    expect(reports).toMatchObject([{ outcome: 'expired', status: 403 }]);
    expect(error).toMatchObject({ code: 'source_refused' });
  });

  test('is replaced if a web page is served in place of media', async () => {
    const page: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    };
    const file = serveLinks(bytes, []);
    const handler: RequestHandler = (request, response) =>
      request.url === '/a' ? page(request, response) : file.handler(request, response);
    const { result, reports, healRequests } = await runHealable(oneInput(handler), fetchHashes);
    expect(result).toEqual([digest]);
    expect(healRequests).toMatchObject([{ failedProfiles: [] }]);
    expect(reports[0]).toEqual(expect.not.objectContaining({ status: expect.anything() }));
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed', 'arrived']);
  });

  test('twice is replaced twice, and a third time fails the job', async () => {
    const links = [{ bytes: 2 * MIB }, { bytes: 2 * MIB }];
    const file = serveLinks(bytes, links);
    expect((await runHealable(oneInput(file.handler), fetchHashes)).result).toEqual([digest]);
    expect(servedBytes(file)).toBe(size);

    const { error, healRequests, reports } = await runHealable(
      oneInput(serveLinks(bytes, [...links, { bytes: 2 * MIB }]).handler),
      fetchHashes,
    );
    expect(error).toMatchObject({
      code: 'source_refused',
      input: 0,
      message: expect.stringContaining('returned 403.'),
    });
    expect(healRequests.map(({ failedProfiles }) => failedProfiles)).toEqual([
      ['profile-0'],
      ['profile-0', 'profile-1'],
    ]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['cut', 'cut', 'cut']);
  });

  test('is not replaced or reported in a job that a caller described', async () => {
    const file = serveLinks(bytes, [{ bytes: MIB }]);
    const run = { ...oneInput(file.handler), hasOrigin: false };
    const { error, healRequests, reports } = await runHealable(run, fetchHashes);
    expect(error).toMatchObject({ code: 'source_refused', input: 0 });
    expect([healRequests, reports]).toEqual([[], []]);
  });
});

describe('a new link', () => {
  test.each([
    ['another size', { body: createBytes(5 * MIB) }, 5 * MIB],
    ['another type', { body: bytes, type: 'video/webm' }, size],
  ])('that leads to a file of %s makes the input start again', async (_name, other, length) => {
    const file = serveLinks(bytes, [{ bytes: 4 * MIB }, other]);
    const { result, reports } = await runHealable(oneInput(file.handler), fetchHashes);
    expect(result).toEqual([hash(createBytes(length))]);
    expect(file.served.get(1)).toBeGreaterThanOrEqual(length);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['died', 'arrived']);
  });

  test('that does not state the size of its file makes the input start again', async () => {
    const file = serveLinks(bytes, [{ bytes: 4 * MIB }]);
    const withoutSize: RequestHandler = (request, response) => {
      if (request.url === '/a') return file.handler(request, response);
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes);
    };
    expect((await runHealable(oneInput(withoutSize), fetchHashes)).result).toEqual([digest]);
  });

  test('that leads to an internal address is refused like any other', async () => {
    const file = serveLinks(bytes, [{ bytes: MIB }]);
    const link = { url: 'http://169.254.169.254/latest', ext: 'mp4', headers: {} };
    const { error } = await runHealable({ ...oneInput(file.handler), heal: () => ({ links: [link] }) }, fetchHashes);
    expect(error).toMatchObject({ code: 'address_refused', input: 0 });
  });

  test('to another host is requested with its own headers only, and keeps them from other hosts', async () => {
    const file = serveLinks(bytes, [{ bytes: MIB }]);
    const other = await startOrigin({
      '/b': (_request, response) => void response.writeHead(302, { location: `${third.url}/c` }).end(),
    });
    const third = await startOrigin({ '/c': serveLinks(bytes, []).handler });
    try {
      const heal = () => ({
        links: [{ url: `${other.url}/b`, ext: 'mp4', headers: { Cookie: 'new=1', 'User-Agent': 'agent' } }],
      });
      const requestOptions = { headers: { Cookie: 'old=1', 'X-Token': 'secret' } };
      const run = { ...oneInput(file.handler, { requestOptions }), heal };
      const { result, requests } = await runHealable(run, fetchHashes);
      expect(result).toEqual([digest]);
      expect(requests[0]?.headers).toMatchObject({ cookie: 'old=1', 'x-token': 'secret' });
      for (const { headers } of other.requestLog) {
        expect(headers).toMatchObject({ cookie: 'new=1', 'user-agent': 'agent' });
        expect(headers).not.toHaveProperty('x-token');
      }
      for (const { headers } of third.requestLog) expect(headers).not.toHaveProperty('cookie');
      expect([other.requestLog.length, third.requestLog.length].every((count) => count > 0)).toBe(true);
    } finally {
      await other.close();
      await third.close();
    }
  });
});

describe('several inputs', () => {
  /**
   * Returns a run of two inputs. Neither file is served before both are requested: an input that begins after new links
   * have arrived would use its new link from the start.
   */
  function twoInputs(first: RequestHandler, second: RequestHandler) {
    const begun = { '/a': Promise.withResolvers<void>(), '/b': Promise.withResolvers<void>() };
    const bothBegun = Promise.all([begun['/a'].promise, begun['/b'].promise]);
    const afterBoth =
      (path: keyof typeof begun, handler: RequestHandler): RequestHandler =>
      (request, response) => {
        begun[path].resolve();
        void bothBegun.then(() => handler(request, response));
      };
    return {
      handlers: { '/a': afterBoth('/a', first), '/b': afterBoth('/b', second) },
      inputs: [
        { url: '/a', chunkDownload },
        { url: '/b', chunkDownload },
      ],
    };
  }

  test('whose links die at once need one request for new links', async () => {
    const first = serveLinks(bytes, [{ bytes: 2 * MIB }]);
    const second = serveLinks(bytes, [{ bytes: 2 * MIB }]);
    const run = twoInputs(first.handler, second.handler);
    const { result, healRequests, reports } = await runHealable(run, fetchHashes);
    expect(result).toEqual([digest, digest]);
    expect(healRequests).toHaveLength(1);
    expect(reports.map(({ outcome }) => outcome).toSorted()).toEqual(['arrived', 'arrived', 'cut', 'cut']);
    expect(servedBytes(first, second)).toBeLessThanOrEqual(2 * size * 1.02);
  });

  /**
   * Fetches both files, but holds the second half of the second one until the link with this version is requested for the
   * first one.
   */
  async function fetchHeld(
    version: number,
    dying: ReturnType<typeof serveLinks>,
    later: ReturnType<typeof serveLinks>,
  ) {
    const held = Promise.withResolvers<void>();
    const run = twoInputs(
      (request, response) => {
        if (request.url === `/a?v=${version}`) held.resolve();
        dying.handler(request, response);
      },
      (request, response) => {
        const isHeld = (rangeOf(request, size)?.from ?? 0) >= size / 2;
        if (isHeld) void held.promise.then(() => later.handler(request, response));
        else later.handler(request, response);
      },
    );
    return await runHealable(run, fetchHashes);
  }

  test('use the link of an earlier response when theirs dies later', async () => {
    const files = [serveLinks(bytes, [{ bytes: MIB }]), serveLinks(bytes, [{ bytes: 7 * MIB }])] as const;
    const { result, healRequests, replacements } = await fetchHeld(1, ...files);
    expect(result).toEqual([digest, digest]);
    expect(healRequests).toHaveLength(1);
    expect(replacements.map(({ input }) => input)).toEqual([0, 1]);
  });

  test('use the link of the last response, if there were several', async () => {
    const dying = serveLinks(bytes, [{ bytes: MIB }, { bytes: 0 }]);
    const later = serveLinks(bytes, [{ bytes: 7 * MIB }]);
    const { result, healRequests } = await fetchHeld(2, dying, later);
    expect(result).toEqual([digest, digest]);
    expect(healRequests.map(({ input }) => input)).toEqual([0, 0]);
    expect([...later.served.keys()]).toEqual([0, 2]);
  });

  test('that have not started use the link of an earlier response from their start', async () => {
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    const small = createBytes(100_000);
    const served = paths.map((path) => serveLinks(small, path === '/a' || path === '/e' ? [{ bytes: 0 }] : []));
    const handlers = Object.fromEntries(
      paths.map((path, index) => [path, served[index]?.handler ?? (() => undefined)]),
    );
    // The fifth input starts after another has ended: the first four are held until the new links are there.
    const held = Promise.withResolvers<void>();
    for (const path of ['/b', '/c', '/d']) {
      const handler = handlers[path];
      handlers[path] = (request, response) => void held.promise.then(() => handler?.(request, response));
    }
    const first = handlers['/a'];
    handlers['/a'] = (request, response) => {
      if (request.url !== '/a') held.resolve();
      first?.(request, response);
    };
    const { result, healRequests, requests } = await runHealable(
      { handlers, inputs: paths.map((url) => ({ url })) },
      fetchHashes,
    );
    expect(result).toHaveLength(5);
    expect(healRequests).toHaveLength(1);
    expect(requests.filter(({ url }) => url.startsWith('/e')).map(({ url }) => url)).toEqual(['/e?v=1']);
  });

  test('keep links that work', async () => {
    const healthy = serveLinks(bytes, []);
    const run = twoInputs(serveLinks(bytes, [{ bytes: 2 * MIB }]).handler, healthy.handler);
    const { result, reports } = await runHealable(run, fetchHashes);
    expect(result).toEqual([digest, digest]);
    expect([...healthy.served]).toEqual([[0, size]]);
    expect(reports).toHaveLength(3);
  });
});

describe('a request for new links', () => {
  const dying = () => oneInput(serveLinks(bytes, [{ bytes: 0 }]).handler);

  test.each([
    ['not_found', 'The video does not exist.'],
    ['unavailable', 'The video is private.'],
    ['signin_required', 'The video is only shown to signed-in users.'],
    ['age_restricted', 'The video is only shown to adults.'],
  ] as const)('fails the job with the refusal of the platform: %s', async (code, message) => {
    const refusal = new MillraceError(code, message, { reason: 'LOGIN_REQUIRED' });
    const { error, reports } = await runHealable({ ...dying(), heal: () => Promise.reject(refusal) }, fetchHashes);
    expect(error).toMatchObject({ code, message: `Input 1: ${message}`, reason: 'LOGIN_REQUIRED', input: 0 });
    // An item that is gone does not count against the client profile.
    expect(reports).toMatchObject([{ outcome: 'died', status: 403 }]);
    expect((error as Error).cause).toBe(refusal);
  });

  test('that the platform could not respond to fails the job with the reason', async () => {
    const failure = new MillraceError('non_2xx_response', 'p1.example returned 503. Try again later.');
    const { error } = await runHealable({ ...dying(), heal: () => Promise.reject(failure) }, fetchHashes);
    expect(error).toMatchObject({
      code: 'source_refused',
      input: 0,
      message: expect.stringMatching(
        /^Input 1: \S+ returned 403, and no new link could be requested: p1\.example returned 503\. Request new source links/,
      ),
    });
    expect((error as Error).cause).toBe(failure);
  });

  test('that is not allowed fails the job as a refused link', async () => {
    const { error } = await runHealable({ ...dying(), heal: () => undefined }, fetchHashes);
    expect(error).toMatchObject({
      code: 'source_refused',
      input: 0,
      message: expect.stringMatching(/^Input 1: \S+ returned 403\. The link has expired or access is denied;/),
    });
  });

  test.each([
    ['without the representation', undefined],
    ['with the representation in another container', { url: 'http://127.0.0.1/', ext: 'webm', headers: {} }],
  ])('%s fails the job', async (_name, link) => {
    const { error } = await runHealable({ ...dying(), heal: () => ({ links: [link] }) }, fetchHashes);
    expect(error).toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('403, and the platform no longer offers the same file. Request'),
    });
  });

  test('ends when the job is aborted', async () => {
    const abort = new AbortController();
    const reason = new Error('cancelled');
    let healSignal: AbortSignal | undefined;
    const heal = (_request: unknown, signal: AbortSignal) => {
      healSignal = signal;
      abort.abort(reason);
      return new Promise<never>(() => undefined);
    };
    const { error } = await runHealable({ ...dying(), signal: abort.signal, heal }, fetchHashes);
    expect(error).toBe(reason);
    expect(healSignal?.aborted).toBe(true);
  });

  test('that never ends is limited by the timeout of the input', async () => {
    let healSignal: AbortSignal | undefined;
    const heal = (_request: unknown, signal: AbortSignal) => {
      healSignal = signal;
      return new Promise<never>(() => undefined);
    };
    const run = { ...oneInput(serveLinks(bytes, [{ bytes: 0 }]).handler, { timeout: 5000 }), heal };
    const { error } = await runHealable(run, fetchHashes);
    expect(error).toMatchObject({ code: 'download_timeout', message: expect.stringContaining('returned 403') });
    expect(healSignal?.aborted).toBe(true);
  });
});
