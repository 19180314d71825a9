import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createBody,
  createTestClient,
  errorResponse,
  jsonResponse,
  type RequestHandler,
  type SentRequest,
} from '#client/testing/test-client.ts';
import type { Reporter } from '../reporting/reporter.ts';
import type { Session } from '../service/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Choice } from './choose-file.ts';
import { fetchFile } from './fetch-file.ts';

const api = 'https://api.example';
const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
const contentSha256 = createHash('sha256').update(content).digest('hex');
const statusUrl = `${api}/status/j`;
const render: Choice = { label: '720p', ext: 'mp4', start: `${api}/start` };
const relayedFile: Choice = { label: 'AAC', ext: 'm4a', url: `${api}/relay/x` };

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-fetch-'));
  path = join(folder, 'film.mp4');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** How the fake service of a test serves its file. */
interface FakeServiceOptions {
  readonly tag?: string;
  /** Last-Modified of the file. */
  readonly modified?: string;
  readonly ranges?: boolean;
  readonly size?: number;
  readonly jobIsGone?: boolean;
  /**
   * Number of download requests that fail because the file is lost. After such a request, the render has failed until
   * it is started again.
   */
  readonly losses?: number;
  readonly notes?: readonly object[];
  /** The checksum that the service states. */
  readonly sha256?: string;
}

/** Simulates a service with one render and its file. */
function fakeService(options: FakeServiceOptions = {}): RequestHandler {
  const {
    tag = '"a"',
    modified,
    ranges = true,
    size = content.length,
    jobIsGone = false,
    notes = [],
    sha256 = contentSha256,
  } = options;
  let { losses = 0 } = options;
  let failed = false;
  return ({ url, headers }) => {
    if (url.pathname === '/files/j' && losses > 0) {
      losses -= 1;
      failed = true;
      return errorResponse(410, 'file_lost', { retryable: false });
    }
    if (url.pathname === '/status/j' && failed) {
      const event = {
        job_id: 'j',
        status: 'failed',
        progress: 100,
        output: null,
        error: 'Lost.',
        error_code: 'file_lost',
      };
      return new Response(`data: ${JSON.stringify(event)}\n\n`);
    }
    if (url.pathname === '/start') failed = false;
    if (url.pathname === '/start' || url.pathname === '/api/v1/render/execute') {
      return jsonResponse(
        { jobId: 'j', status: 'queued', message: 'Started.', statusUrl, sseStatusUrl: statusUrl },
        202,
      );
    }
    if (url.pathname === '/status/gone' || (url.pathname === '/status/j' && jobIsGone)) {
      return new Response(`data: ${JSON.stringify({ id: 'j', status: 'not_found', error: 'It is gone.' })}\n\n`);
    }
    if (url.pathname === '/status/j') {
      const output = { url: `${api}/files/j`, size, sizeText: '', sha256, key: 'k', notes };
      const event = { job_id: 'j', status: 'done', progress: 100, output, error: null, created_at: '', expires_at: '' };
      return new Response(`data: ${JSON.stringify(event)}\n\n`);
    }
    const from = ranges ? Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? 0) : 0;
    const fileHeaders = {
      ...{ etag: tag, 'content-length': String(size - from) },
      ...(modified === undefined ? {} : { 'last-modified': modified }),
    };
    if (from === 0) return new Response(fileBody(0), { headers: fileHeaders });
    const range = `bytes ${from}-${content.length - 1}/${content.length}`;
    return new Response(fileBody(from), { status: 206, headers: { ...fileHeaders, 'content-range': range } });
  };
}

/** Streams the file from an offset, in chunks as over a network. */
function fileBody(from: number) {
  const size = 50_000;
  const count = Math.ceil((content.length - from) / size);
  return createBody(
    Array.from({ length: count }, (_, at) => content.subarray(from + at * size, from + (at + 1) * size)),
    'ends',
  );
}

interface FetchOptions {
  readonly serviceOptions?: FakeServiceOptions;
  readonly choice?: Choice;
  /** Ends the stream after this many bytes. */
  readonly stopAt?: number;
  /** False: the service ends with the command. */
  readonly persistent?: boolean;
  readonly canRender?: boolean;
  readonly force?: boolean;
  readonly query?: string;
  readonly keepPart?: boolean;
}

/** Fetches a file as a command does. Returns the requests to the service and the outcome. */
async function runFetch(options: FetchOptions = {}) {
  const {
    choice = render,
    stopAt = Number.POSITIVE_INFINITY,
    canRender = false,
    persistent = true,
    force = false,
    query = 'q',
    keepPart = true,
  } = options;
  const controller = new AbortController();
  const { client, requests } = createTestClient(fakeService(options.serviceOptions), { retries: 0 });
  const messages: string[] = [];
  const reporter: Reporter = {
    step: ({ bytes = 0 }) => {
      if (bytes >= stopAt) controller.abort(new Error('stopped'));
    },
    status: () => undefined,
    say: (text) => messages.push(text),
    close: () => undefined,
  };
  const ready = async () => undefined;
  const session: Session = { client, service: api, persistent, origin: api, canRender, ready, close: ready };
  const context = { session, reporter, signal: controller.signal };
  const result = await fetchFile(
    { choice, query, path, force, keepPart },
    context,
    undefined as unknown as Terminal,
  ).catch((error: unknown) => error);
  return { result, requests: requests.map(describeRequest), messages };
}

function describeRequest({ method, url, headers }: SentRequest): string {
  const range = headers.get('range');
  const condition = headers.get('if-range');
  return [method, url.pathname, ...(range === null ? [] : [range]), ...(condition === null ? [] : [condition])].join(
    ' ',
  );
}

const startAndFetch = ['GET /start', 'GET /status/j', 'GET /files/j'];

async function expectCompleteFile() {
  expect(await readdir(folder)).toEqual(['film.mp4']);
  expect((await readFile(path)).equals(content)).toBe(true);
}

test('a render is started, followed, downloaded and verified, and its notes are printed', async () => {
  const notes = [{ code: 'stream_left_out', message: 'Stream 2\u001b[2J is\nnot in the result.', input: 0 }];
  const { result, requests, messages } = await runFetch({ serviceOptions: { notes } });
  expect(result).toEqual({ path, label: '720p', bytes: content.length, resumedFrom: 0, notes });
  expect(messages).toEqual(['Note: Stream 2 [2J is not in the result.']);
  expect(requests).toEqual(startAndFetch);
  await expectCompleteFile();
});

describe('a file that the service has lost', () => {
  test('is rendered again', async () => {
    const { requests, messages } = await runFetch({ serviceOptions: { losses: 1 } });
    expect(messages).toEqual(['The service has lost the file. Rendering it again.']);
    expect(requests).toEqual([...startAndFetch, 'GET /status/j', ...startAndFetch]);
    await expectCompleteFile();
  });

  test('is rendered again no more than once', async () => {
    const { result, requests } = await runFetch({ serviceOptions: { losses: 3 } });
    expect(result).toMatchObject({ code: 'file_lost' });
    expect(requests).toEqual([...startAndFetch, 'GET /status/j', ...startAndFetch]);
  });
});

describe('an interrupted download', () => {
  test('resumes the same render from the same byte', async () => {
    const interrupted = await runFetch({ stopAt: 1 });
    expect(interrupted.result).toMatchObject({ message: 'stopped' });
    expect(interrupted.messages).toEqual([`${path}.part was kept. Run the same command again to resume.`]);
    expect((await readFile(`${path}.part`)).equals(content.subarray(0, 50_000))).toBe(true);
    const { result, requests } = await runFetch();
    expect(result).toMatchObject({ bytes: content.length, resumedFrom: 50_000 });
    expect(requests).toEqual(['GET /status/j', 'GET /files/j bytes=50000- "a"']);
    await expectCompleteFile();
  });

  test.each([
    ['has changed', { tag: '"b"' }],
    ['is served without ranges', { ranges: false }],
  ])('starts over if the file %s', async (_, serviceOptions) => {
    await part(50_000);
    const { result, requests } = await runFetch({ serviceOptions });
    expect(result).toMatchObject({ bytes: content.length, resumedFrom: 0 });
    expect(requests).toEqual(['GET /status/j', 'GET /files/j bytes=50000- "a"', 'GET /files/j']);
    await expectCompleteFile();
  });

  test.each([
    ['resumes', 'is the same', 50_000, 'Sun, 01 Nov 2026 10:00:00 GMT'],
    ['starts over', 'has changed', 0, 'Sun, 01 Nov 2026 10:00:01 GMT'],
  ])('%s if the date beside a weak tag %s', async (_what, _when, resumedFrom, modified) => {
    const weak = { tag: 'W/"a"', modified: 'Sun, 01 Nov 2026 10:00:00 GMT' };
    await runFetch({ stopAt: 1, serviceOptions: weak });
    const { result } = await runFetch({ serviceOptions: { ...weak, modified } });
    expect(result).toMatchObject({ bytes: content.length, resumedFrom });
    await expectCompleteFile();
  });

  test('starts over if its render is gone', async () => {
    await part(50_000, { render: `${api}/status/gone` });
    expect((await runFetch()).requests).toEqual(['GET /status/gone', ...startAndFetch]);
    await expectCompleteFile();
  });

  test('starts over if another file is requested', async () => {
    await part(50_000);
    expect((await runFetch({ query: 'another' })).requests).toEqual(startAndFetch);
    await expectCompleteFile();
  });

  test('starts over if the part is longer than the file', async () => {
    await part(content.length);
    await appendFile(`${path}.part`, 'more');
    expect((await runFetch()).requests).toEqual(['GET /status/j', 'GET /files/j']);
    await expectCompleteFile();
  });

  test.each([1, 50_000, content.length])('starts over if its first %i bytes have other content', async (bytes) => {
    await part(bytes);
    await writeFile(`${path}.part`, Buffer.alloc(bytes, 255));
    const { result } = await runFetch();
    expect(result).toMatchObject({ bytes: content.length, resumedFrom: 0 });
    await expectCompleteFile();
  });

  test('downloads nothing more if the part is complete', async () => {
    await part(content.length);
    expect((await runFetch()).requests).toEqual(['GET /status/j']);
    await expectCompleteFile();
  });

  test('is discarded if its render ends with the command', async () => {
    expect((await runFetch({ stopAt: 1, persistent: false })).messages).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  async function part(bytes: number, more: object = {}) {
    await writeFile(`${path}.part`, content.subarray(0, bytes));
    const note = { question: 'q', render: statusUrl, size: content.length, tag: '"a"', ...more };
    await writeFile(`${path}.part.json`, JSON.stringify(note));
  }
});

describe('a failed download', () => {
  test.each([
    ['its render fails', { losses: 3 }],
    ['the disk has too little space', { size: 1e18 }],
    ['the file has another checksum than its render', { sha256: 'f'.repeat(64) }],
  ])('leaves nothing if %s', async (_, serviceOptions) => {
    expect((await runFetch({ serviceOptions })).result).toBeInstanceOf(Error);
    expect(await readdir(folder)).toEqual([]);
  });

  test('keeps the render of an interruption, so that the next command follows it', async () => {
    await runFetch({ stopAt: 0 });
    expect(await readdir(folder)).toEqual(['film.mp4.part.json']);
    expect((await runFetch()).requests[0]).toBe('GET /status/j');
    await expectCompleteFile();
  });

  test('leaves nothing if nothing is to be kept', async () => {
    const { result, messages } = await runFetch({ stopAt: 1, keepPart: false });
    expect([result, messages]).toEqual([expect.objectContaining({ message: 'stopped' }), []]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('an existing file', () => {
  test('is downloaded unchanged and can be resumed', async () => {
    const { requests } = await runFetch({ choice: relayedFile, stopAt: 1 });
    expect(requests).toEqual(['GET /relay/x']);
    expect((await runFetch({ choice: relayedFile })).requests).toEqual(['GET /relay/x bytes=50000- "a"']);
    await expectCompleteFile();
  });

  test.each([content.length - 1, content.length + 1])(
    'is refused unless it has the %i bytes that its result states',
    async (size) => {
      const { result } = await runFetch({ choice: { ...relayedFile, size } });
      expect(result).toMatchObject({ fault: 'changed' });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test('on another host is fetched by a job if there is a render key, and directly otherwise', async () => {
    const elsewhere = { ...relayedFile, url: 'https://cdn.example/x' };
    expect((await runFetch({ choice: elsewhere })).requests).toEqual(['GET /x']);
    const { requests } = await runFetch({ choice: elsewhere, canRender: true, force: true });
    expect(requests).toEqual(['POST /api/v1/render/execute', 'GET /status/j', 'GET /files/j']);
  });
});

describe('nothing is started', () => {
  test('if a playlist needs a job and there is no key for one', async () => {
    const { result, requests } = await runFetch({ choice: { ...relayedFile, playlist: true } });
    expect(result).toMatchObject({ message: expect.stringContaining('MILLRACE_RENDER_KEY') });
    expect(requests).toEqual([]);
    expect((await runFetch({ choice: { ...relayedFile, playlist: true }, canRender: true })).requests[0]).toMatch(
      /^POST /,
    );
  });

  test('if it would overwrite a file', async () => {
    await writeFile(path, 'mine');
    const { result, requests } = await runFetch();
    expect(result).toMatchObject({ message: expect.stringContaining('already exists') });
    expect(requests).toEqual([]);
    await runFetch({ force: true });
    await expectCompleteFile();
  });

  test('if the disk has too little space', async () => {
    const { result, requests } = await runFetch({ serviceOptions: { size: 1e18 } });
    expect(result).toMatchObject({ message: expect.stringMatching(/has .* free, but 1000000\.00 TB are needed/) });
    expect(requests).toEqual(['GET /start', 'GET /status/j']);
  });
});
