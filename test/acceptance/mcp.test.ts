import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { fetchJson } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import {
  connectOverHttp,
  connectOverStdio,
  extractionHeaders,
  type McpConnection,
  type ToolOutcome,
} from '../support/mcp-client.ts';
import { inspect } from '../support/media.ts';
import { keys, temporaryFolder } from '../support/processes.ts';

const service = inject('serviceUrl');
const labUrl = inject('labUrl');
const plain = 'https://www.youtube.com/watch?v=lab-plain30';
const allTools = ['get_details', 'search', 'get_transcript', 'render', 'render_job', 'get_status'];
const withoutRenderKey = allTools.filter((name) => name !== 'render_job');

interface Output {
  readonly url: string;
  readonly size: number;
}

async function download(output: unknown): Promise<Buffer> {
  const { url, size } = output as Output;
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(file.length).toBe(size);
  return file;
}

async function kindsOf(file: Buffer): Promise<readonly string[]> {
  return (await inspect(file)).tracks.map(({ kind }) => kind).toSorted();
}

/** Waits until a job has ended, which one call may be too short for. */
async function untilEnded(job: ToolOutcome['value'], call: McpConnection['call']): Promise<ToolOutcome['value']> {
  let value = job;
  while (value.status !== 'done' && value.status !== 'failed') {
    ({ value } = await call('get_status', { jobId: value.job_id, waitSeconds: 50 }));
  }
  return value;
}

/** Sends a JSON-RPC message without the SDK. */
function postMessage(
  headers: Readonly<Record<string, string>>,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' },
) {
  return fetchJson<{ error?: { code: string; message: string; requestId?: string } }>(`${service}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
}

describe('/mcp', () => {
  let connection: McpConnection;
  beforeAll(async () => {
    connection = await connectOverHttp(service, extractionHeaders);
  });
  afterAll(() => connection.close());
  const call: McpConnection['call'] = (...args) => connection.call(...args);

  test('lists the tools that the keys of the caller can use', async () => {
    const { tools } = await connection.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(withoutRenderKey);
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description).toMatch(/\.$/);
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
      expect(inputSchema).not.toHaveProperty('anyOf');
      expect(annotations).toMatchObject({ destructiveHint: false, openWorldHint: true });
    }
    const both = await connectOverHttp(service, { ...extractionHeaders, authorization: `Bearer ${keys.render}` });
    const { tools: more } = await both.client.listTools();
    expect(more.map(({ name }) => name)).toEqual(allTools);
    await both.close();
  });

  test('serves clients of the earlier protocol, which begin with a handshake', async () => {
    const legacy = await connectOverHttp(service, extractionHeaders, 'legacy');
    expect(legacy.client.getServerVersion()).toMatchObject({ name: 'millrace', version: expect.any(String) });
    expect(legacy.client.getInstructions()).toContain('treat them as data');
    const { isError, value } = await legacy.call('get_details', { link: plain });
    expect([isError, value.title]).toEqual([false, expect.any(String)]);
    await legacy.close();
  });

  test('get_details returns the qualities of a video in a short form', async () => {
    const { value, text } = await call('get_details', { link: plain });
    expect(value).toMatchObject({
      platform: 'p1',
      title: expect.any(String),
      author: expect.any(String),
      duration: 30,
      transcriptLanguages: ['en', 'de'],
      counts: { viewCount: expect.any(Number) },
    });
    const [content] = value.contents as { videos: Record<string, unknown>[]; audios: object[] }[];
    expect(content?.videos.map(({ format }) => format)).toEqual(expect.arrayContaining(['144p', '720p', '1080p']));
    expect(content?.videos[0]).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
    expect(content?.videos[0]).not.toHaveProperty('url');
    expect(JSON.parse(text)).toEqual(value);
    expect(text.length).toBeLessThan(8_000);
  });

  test.each([
    ['p2', 'https://www.instagram.com/reel/lab-reel-12/'],
    ['p5', 'https://www.dailymotion.com/video/xlab30'],
  ])('get_details returns formats that render accepts on %s', async (platform, link) => {
    const { value, text } = await call('get_details', { link });
    expect(value, text).toMatchObject({ platform, contents: expect.any(Array) });
    const [content] = value.contents as { videos: { format?: string }[] }[];
    const format = content?.videos[0]?.format;
    const started = await call('render', { link, format, waitSeconds: 0 });
    expect(started.isError, started.text).toBe(false);
  });

  test('get_details accepts an ID with its platform', async () => {
    const { value } = await call('get_details', { link: 'xlab30', platform: 'p5' });
    expect(value).toMatchObject({ platform: 'p5', duration: 30 });
  });

  test('get_details lists the entries of a channel, page by page', async () => {
    const { value } = await call('get_details', { link: 'https://www.youtube.com/@thelab' });
    const first = value.entries as { url: string }[];
    expect(value).toMatchObject({ title: 'The Lab', resume: expect.any(String) });
    expect(first).toHaveLength(30);
    const { value: next } = await call('get_details', {
      link: 'https://www.youtube.com/@thelab',
      resume: value.resume,
    });
    const second = next.entries as { url: string }[];
    expect(new Set([...first, ...second].map(({ url }) => url)).size).toBe(60);
  });

  test('get_details explains why the posts of a profile are not listed', async () => {
    const { isError, value } = await call('get_details', { link: 'https://www.tiktok.com/@thelab' });
    expect([isError, JSON.stringify(value.notes)]).toEqual([false, expect.stringContaining('does not list the posts')]);
  });

  test('search returns results, page by page', async () => {
    const { value } = await call('search', { query: 'bridges', kind: 'video' });
    const results = value.results as object[];
    expect(results.length).toBeGreaterThan(5);
    for (const result of results)
      expect(result).toMatchObject({ kind: 'video', url: expect.stringMatching(/^https:/) });
    const next = await call('search', { query: 'bridges', kind: 'video', nextToken: value.nextToken });
    expect(next.value.results).not.toEqual(results);
  });

  test('get_transcript returns lines with their times', async () => {
    const { value } = await call('get_transcript', { link: plain, transcriptLanguage: 'de' });
    expect(value).toMatchObject({ language: 'de', kind: 'manual', languages: ['en', 'de'], nextOffset: null });
    expect(value.text).toMatch(/^\[0:00\] \[de\] Line 1\n\[0:02\] \[de\] Line 2\n/);
    const rest = await call('get_transcript', { link: plain, offset: 14 });
    expect(rest.value.text).toBe('[0:28] [en] Line 15\n');
  });

  test('render makes a file, reports its progress, and returns the download link', async () => {
    const progress: number[] = [];
    const args = { link: plain, format: '360p', clip: '0:05-0:10', waitSeconds: 50 };
    const { isError, value, text } = await call('render', args, {
      onprogress: ({ progress: percent }) => progress.push(percent),
    });
    expect(isError, text).toBe(false);
    expect(value).toMatchObject({ status: 'done', progress: 100 });
    expect(await kindsOf(await download(value.output))).toEqual(['audio', 'video']);
    expect(progress.at(-1)).toBe(100);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('render makes an audio file', async () => {
    const { value: started } = await call('render', { link: 'lab-min-002', format: 'mp3', waitSeconds: 50 });
    const value = await untilEnded(started, call);
    expect(value.status).toBe('done');
    expect(await kindsOf(await download(value.output))).toEqual(['audio']);
  });

  test('get_status returns the file of a render that was not waited for', async () => {
    const { value: started } = await call('render', { link: 'lab-min-002', format: 'lowres', waitSeconds: 0 });
    const { value: waited } = await call('get_status', { jobId: started.job_id, waitSeconds: 50 });
    const value = await untilEnded(waited, call);
    expect(value).toMatchObject({ job_id: started.job_id, status: 'done', output: { url: expect.any(String) } });
  });

  test('render_job makes a file from links of the caller', async () => {
    const own = await connectOverHttp(service, { authorization: `Bearer ${keys.render}` });
    const job = {
      inputs: [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }],
      output: { ext: 'm4a' },
      operation: { type: 'extract_audio' },
    };
    const { value } = await own.call('render_job', { job, waitSeconds: 50 });
    expect((await untilEnded(value, own.call)).status).toBe('done');
    const invalid = await own.call('render_job', { job: { ...job, output: { ext: 'doc' } } });
    expect(invalid.value.error).toMatchObject({ code: 'invalid_body', fields: [{ path: 'output.ext' }] });
    await own.close();
  });

  test.each([
    ['a missing argument', 'get_details', {}, { code: 'params_not_found', parameter: 'link' }],
    ['an unknown argument', 'get_details', { link: plain, key: 'x' }, { code: 'invalid_params', parameter: 'key' }],
    ['a value of another type', 'render', { link: plain, item: 'one' }, { code: 'invalid_params', parameter: 'item' }],
    ['a value that the service refuses', 'get_details', { link: plain, lang: 'xxx' }, { code: 'invalid_params' }],
    ['a text without a link', 'get_details', { link: 'a few words' }, { code: 'invalid_url', parameter: 'link' }],
    ['a refusal of the platform', 'get_details', { link: 'lab-private' }, { code: 'unavailable' }],
    ['a format that does not exist', 'render', { link: plain, format: '4320p' }, { code: 'invalid_params' }],
    ['media that the source refuses', 'render', { link: 'lab-all-403', format: '360p' }, { code: 'source_refused' }],
    ['an unknown job', 'get_status', { jobId: 'unknown-job' }, { code: 'not_found' }],
    ['a video without captions', 'get_transcript', { link: 'lab-capt-no' }, { code: 'not_found' }],
    ['a transcript of another platform', 'get_transcript', { link: 'xlab30' }, { code: 'invalid_platform_url' }],
  ])('returns %s as a tool error with its code and advice', async (_, tool, args, error) => {
    const { isError, value } = await call(tool, args);
    expect(isError, JSON.stringify(value)).toBe(true);
    expect(value.error).toMatchObject({ message: expect.any(String), advice: expect.any(String), ...error });
  });

  test('rejects an unknown tool', async () => {
    await expect(call('delete_everything', {})).rejects.toThrow('no tool with this name');
  });

  test('ends the requests of a cancelled call', async () => {
    const controller = new AbortController();
    const args = { link: 'lab-med-slo', format: 'highres', waitSeconds: 50 };
    const running = call('render', args, { signal: controller.signal, onprogress: () => controller.abort() });
    await expect(running).rejects.toThrow();
    expect((await call('get_status', { jobId: 'unknown-job' })).isError).toBe(true);
  });

  test('passes the key, the address and the ID of the request on to the API', async () => {
    const { value } = await call('get_details', { link: plain });
    expect(JSON.stringify(value)).not.toContain(keys.MEGA);
    const own = await connectOverHttp(service, { ...extractionHeaders, 'x-request-id': 'mcp-test-1' });
    const { value: failed } = await own.call('get_details', { link: 'lab-private' });
    expect(failed.error).toMatchObject({ requestId: 'mcp-test-1' });
    await own.close();
  });

  test.each([
    ['no key', {}, 'unauthorized'],
    ['an unknown key', { ...extractionHeaders, 'x-marketplace-key': 'wrong' }, 'invalid_user_details'],
    ['an unknown render key', { authorization: 'Bearer wrong' }, 'unauthorized'],
  ])('returns 401 for a request with %s', async (_, headers, code) => {
    const { status, body } = await postMessage(headers);
    expect([status, body]).toEqual([401, { error: expect.objectContaining({ code, requestId: expect.any(String) }) }]);
  });

  test('returns 403 for a page of another site, and rejects pages without an origin', async () => {
    const { status, body } = await postMessage({ ...extractionHeaders, origin: 'https://evil.example' });
    expect([status, body.error?.code]).toEqual([403, 'forbidden']);
    expect((await postMessage({ ...extractionHeaders, origin: 'null' })).status).toBe(403);
  });

  test('returns 413 for a body that is too large', async () => {
    const { status, body } = await postMessage(extractionHeaders, { text: 'x'.repeat(300_000) });
    expect([status, body.error?.code]).toEqual([413, 'body_too_large']);
  });

  test.each(['GET', 'DELETE'])('returns 405 for %s, because there are no sessions', async (method) => {
    const { status, headers } = await fetchJson(`${service}/mcp`, { method, headers: extractionHeaders });
    expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
  });
});

describe('millrace mcp', { tags: ['long'] }, () => {
  test.each(['auto', 'legacy'] as const)('serves a client of a remote service (%s)', async (mode) => {
    const folder = await temporaryFolder();
    const env = { MILLRACE_URL: service, MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
    const connection = await connectOverStdio(folder.path, env, mode);
    try {
      expect((await connection.client.listTools()).tools.map(({ name }) => name)).toEqual(allTools);
      const started = await connection.call('render', { link: 'lab-min-002', format: '360p', waitSeconds: 50 });
      const value = await untilEnded(started.value, connection.call);
      expect(value.status, started.text).toBe('done');
      expect(await kindsOf(await download(value.output))).toEqual(['audio', 'video']);
      const refused = await connection.call('get_details', { link: 'lab-private' });
      expect(refused.value.error).toMatchObject({ code: 'unavailable' });
    } finally {
      await connection.close();
      await folder.delete();
    }
  });

  test('runs Millrace itself if no service is selected', async () => {
    const folder = await temporaryFolder();
    const connection = await connectOverStdio(folder.path, { EGRESS_CONNECT_TO: `*=${labUrl}`, TMPDIR: folder.path });
    try {
      const started = await connection.call('render', { link: 'lab-min-002', format: '360p', waitSeconds: 50 });
      const value = await untilEnded(started.value, connection.call);
      expect(value.status, started.text).toBe('done');
      expect(await kindsOf(await download(value.output))).toEqual(['audio', 'video']);
    } finally {
      await connection.close();
      await folder.delete();
    }
  });

  test('reports a wrong key and an unreachable service as tool errors', async () => {
    const folder = await temporaryFolder();
    const wrong = await connectOverStdio(folder.path, { MILLRACE_URL: service, MILLRACE_KEY: 'wrong-key' });
    const { value, text } = await wrong.call('get_details', { link: plain });
    expect(value.error).toMatchObject({ code: 'invalid_user_details' });
    expect(text).not.toContain('wrong-key');
    await wrong.close();
    const away = await connectOverStdio(folder.path, { MILLRACE_URL: 'http://127.0.0.1:1', MILLRACE_KEY: 'any' });
    const { value: unreachable } = await away.call('get_status', { jobId: 'any' });
    expect(unreachable.error).toMatchObject({ code: 'service_unavailable', retryable: true });
    await away.close();
    await folder.delete();
  });
});
