import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { jobDescriptionSchema } from '../contract/job.ts';
import { renderStatusEventSchema } from '../contract/job-status.ts';
import { countryCodeParameter, langParameter } from '../contract/parameters.ts';
import { renderParameters } from '../contract/render-parameters.ts';
import { createPlatforms, defaultSettings } from '../platforms/index.ts';
import { callTool } from './call-tool.ts';
import { createTools } from './create-tools.ts';
import { toolLimits } from './limits.ts';

const platforms = createPlatforms(defaultSettings);
const tools = createTools(platforms);

function toolNamed(name: string) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

function parametersOf(platformId: string, path: string): Readonly<Record<string, TSchema>> {
  const endpoints = platforms.find(({ id }) => id === platformId)?.endpoints ?? [];
  return endpoints.find((endpoint) => endpoint.path === path)?.parameters.properties ?? {};
}

const json = (value: unknown) => JSON.parse(JSON.stringify(value));
const descriptions = (schemas: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(
    Object.entries(json(schemas)).map(([name, schema]) => [
      name,
      (schema as TSchema & { description: string }).description,
    ]),
  );

/** A service that returns the same response to every request, and the URLs of the requests. */
function fakeService(response: unknown) {
  const urls: string[] = [];
  const client = createClient({
    url: 'http://service.example',
    retries: 0,
    fetch: async (input) => {
      urls.push(String(input));
      return Response.json(response);
    },
  });
  return {
    urls,
    context: { client, canStartJobs: true, ready: async () => undefined, report: async () => undefined },
  };
}

async function call(name: string, args: unknown, response: unknown, signals: readonly AbortSignal[] = []) {
  const service = fakeService(response);
  const errors: unknown[] = [];
  const { context } = service;
  const result = await callTool(toolNamed(name), { args, context, signals, onError: (error) => errors.push(error) });
  return { ...result, urls: service.urls, errors };
}

describe('the schemas of tools', () => {
  test('have the parameters of the contract, with the same descriptions', () => {
    const { renderableAudios: _, ...fileParameters } = renderParameters;
    const shared = { ...fileParameters, countryCode: countryCodeParameter, lang: langParameter };
    expect(descriptions(toolNamed('render').input.properties)).toMatchObject(descriptions(shared));
    expect(descriptions(toolNamed('search').input.properties)).toMatchObject(
      descriptions(parametersOf('p1', '/search')),
    );
    const { transcriptLanguage } = parametersOf('p1', '/video/details');
    expect(json(toolNamed('get_transcript').input.properties.transcriptLanguage)).toMatchObject({
      description: (json(transcriptLanguage) as { description: string }).description,
    });
  });

  test('are those of the contract, except for values in any case, which are text', () => {
    const { clip, maxSize, countryCode } = toolNamed('render').input.properties;
    expect([json(clip), json(maxSize)]).toEqual([json(renderParameters.clip), json(renderParameters.maxSize)]);
    expect(json(countryCode)).toEqual({
      ...json(countryCodeParameter),
      type: 'string',
      enum: undefined,
      'x-any-case': undefined,
    });
  });

  test('describe jobs and their status as the contract does', () => {
    const { id, webhook, ...members } = json(jobDescriptionSchema.properties);
    const { job } = toolNamed('render_job').input.properties;
    expect(json(job).properties).toEqual({ id, ...members });
    expect(json(job).required).not.toContain('id');
    expect(webhook).toBeDefined();
    for (const name of ['render', 'render_job', 'get_status'])
      expect(toolNamed(name).output).toBe(renderStatusEventSchema);
  });

  test('have no alternatives at the top, which some clients reject', () => {
    for (const { input, description } of tools) {
      expect(Object.keys(json(input)).toSorted()).toEqual(['additionalProperties', 'properties', 'required', 'type']);
      expect(description.length).toBeLessThan(600);
    }
  });
});

describe('the results of tools', () => {
  const long = 'x'.repeat(100_000);
  const envelope = (metadata: object, contents?: object[]) => ({ error: null, metadata, contents, notes: [long] });
  const details = (metadata: object, contents?: object[]) =>
    call('get_details', { link: 'https://youtu.be/lab-plain30' }, envelope(metadata, contents));

  test('have limits, however long the texts of the site are', async () => {
    const image = {
      label: 'x'.repeat(1_000),
      url: `https://a.example/${'x'.repeat(1000)}`,
      repId: 'a',
      metadata: { mime_type: 'image/png', width: 1, height: 1 },
    };
    const { content, structuredContent } = await details(
      {
        title: long,
        author: { name: long },
        thumbnailUrl: `https://a.example/${long.slice(0, 60_000)}`,
        additionalData: { description: long },
      },
      Array.from({ length: 100 }, () => ({ images: Array.from({ length: 40 }, () => image) })),
    );
    expect(content[0]?.text.length).toBeLessThan(40_000);
    expect(structuredContent).not.toHaveProperty('thumbnailUrl');
    expect(structuredContent.notes).toContainEqual(expect.stringMatching(/^Only the first \d+ of 100 items/));
  });

  test('contain no control characters', async () => {
    const { content, structuredContent } = await details({
      title: 'a\u001b[31mb\u202ec\u0000',
      author: { name: 'd\u2028e' },
    });
    expect(structuredContent).toMatchObject({ title: 'a [31mb c ', author: 'd e' });
    expect(content[0]?.text).not.toMatch(/\\u00|[\p{Cc}\p{Cf}]/u);
  });

  test('split a transcript into pages, and never split a character', async () => {
    const segments = Array.from({ length: 50 }, (_, index) => ({
      startMs: index * 3_600_000,
      durationMs: 1,
      text: '😀'.repeat(500),
    }));
    const transcript = { languages: ['en'], transcript: { language: 'en', kind: 'auto', segments } };
    const response = envelope({ transcript });
    const texts: string[] = [];
    for (let offset: unknown = 0; offset !== null; ) {
      const { structuredContent } = await call(
        'get_transcript',
        { link: 'https://youtu.be/lab-plain30', offset },
        response,
      );
      texts.push(String(structuredContent.text));
      offset = structuredContent.nextOffset;
    }
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) expect([text.length <= toolLimits.transcript, text.isWellFormed()]).toEqual([true, true]);
    expect(texts.join('').split('\n')).toHaveLength(51);
    expect(texts.at(-1)).toContain('[49:00:00] ');
  });
});

describe('arguments', () => {
  test('can be lists or texts with commas', async () => {
    for (const features of [['hd', 'live'], 'hd, live']) {
      const { urls } = await call('search', { query: 'a', features }, { error: null, metadata: {} });
      expect(new URL(urls[0] ?? '').searchParams.get('features')).toBe('hd,live');
    }
  });

  test.each([
    [undefined, 'params_not_found', 'link'],
    [{ link: 'a', constructor: 'b' }, 'invalid_params', 'constructor'],
    [{ link: 'x'.repeat(3_000) }, 'invalid_params', 'link'],
    [{ link: 'a', platform: 'p9' }, 'invalid_params', 'platform'],
  ])('%j are rejected before a request is sent', async (args, code, parameter) => {
    const { isError, structuredContent, urls } = await call('get_details', args ?? {}, {});
    expect([isError, urls]).toEqual([true, []]);
    expect(structuredContent.error).toMatchObject({ code, parameter });
  });
});

describe('a job', () => {
  const url = 'http://169.254.169.254/latest/meta-data/';

  test.each([
    ['executionUrl', { executionUrl: url }],
    ['renderConfig', { renderConfig: { executionUrl: url } }],
    ['renderConfig', { renderConfig: null }],
    ['webhook', { inputs: [], webhook: { url } }],
  ])('with the member %s is rejected before a request is sent', async (parameter, job) => {
    const { isError, structuredContent, urls } = await call('render_job', { job }, {});
    expect([isError, urls]).toEqual([true, []]);
    const message = expect.stringContaining(`Remove the argument ${parameter},`);
    expect(structuredContent.error).toMatchObject({ code: 'invalid_params', parameter, message });
  });
});

describe('errors', () => {
  test('of this program reveal no internals', async () => {
    const errors: unknown[] = [];
    const run = () => Promise.reject(new TypeError('internal'));
    const { context } = fakeService({});
    const request = { args: { jobId: 'a' }, context, signals: [], onError: (error: unknown) => errors.push(error) };
    const { structuredContent } = await callTool({ ...toolNamed('get_status'), run }, request);
    expect(JSON.stringify(structuredContent)).not.toContain('TypeError');
    expect(structuredContent.error).toMatchObject({ code: 'unexpected_error', advice: expect.any(String) });
    expect(errors).toHaveLength(1);
  });

  test('of a cancelled call are not reported', async () => {
    const { isError, errors } = await call('get_status', { jobId: 'a' }, null, [AbortSignal.abort('cancelled')]);
    expect([isError, errors]).toEqual([true, []]);
  });

  test('of a service contain its code, its advice and when to try again', async () => {
    const error = {
      code: 'rate_limited',
      message: 'Too many.',
      statusCode: 429,
      retryable: true,
      requestId: 'r',
      secret: 's',
    };
    const { structuredContent } = await call('search', { query: 'a' }, { error, metadata: {} });
    expect(structuredContent.error).toEqual({
      code: 'rate_limited',
      message: 'Too many.',
      advice: expect.stringContaining('Retry-After'),
      retryable: true,
      requestId: 'r',
    });
  });
});
