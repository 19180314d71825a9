import { validate } from '@readme/openapi-parser';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { batchResponseSchema } from '../contract/batch.ts';
import { renderStatusEventSchema } from '../contract/job-status.ts';
import { batchExamples, jobExamples } from '../contract/render-api/examples.ts';
import { createPlatforms, defaultSettings } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import { createAdminDocument } from './admin-document.ts';
import { type ApiDocument, methods, type Operation } from './document-types.ts';
import { createDocuments } from './documents.ts';

const platforms = createPlatforms(defaultSettings);
const addresses = { base: 'https://base.example', api: 'https://api.example', render: 'https://render.example' };
const { combined, single, list } = createDocuments(platforms, addresses, '1.2.3');
const documents: readonly (readonly [string, ApiDocument])[] = [
  ['combined', combined],
  ...single.map(({ id, document }) => [id, document] as const),
  ['admin', createAdminDocument('1.2.3')],
];

const endpoints = platforms.flatMap((platform) => platform.endpoints.map((endpoint) => ({ platform, endpoint })));
const pathOf = ({ id }: Platform, path: string) => `/${id}/v3${path}`;
const operations = ({ paths }: ApiDocument): readonly Operation[] =>
  Object.values(paths).flatMap((operations) => methods.flatMap((method) => operations[method] ?? []));

test('the examples of responses match their schemas', () => {
  for (const { value } of Object.values(jobExamples)) expect(Check(renderStatusEventSchema, value)).toBe(true);
  for (const { value } of Object.values(batchExamples)) expect(Check(batchResponseSchema, value)).toBe(true);
});

function dataOperation(path: string): Operation {
  const operation = combined.paths[path]?.get;
  if (operation === undefined) throw new Error(`${path} is not in the document`);
  return operation;
}

const parameter = (path: string, name: string) => dataOperation(path).parameters?.find((each) => each.name === name);

describe.each(documents)('the document %s', (_, document) => {
  test('is valid according to an independent validator, including all references', async () => {
    const result = await validate(structuredClone(document) as unknown as Parameters<typeof validate>[0]);
    expect(result).toMatchObject({ valid: true, warnings: [] });
    expect(result).toHaveProperty('specification', 'OpenAPI');
  });

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('contains every operation once, under one of its tags', () => {
    const ids = operations(document).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const operation of operations(document)) expect(tags).toEqual(expect.arrayContaining([...operation.tags]));
  });

  test('describes every parameter', () => {
    for (const { parameters = [] } of operations(document)) {
      for (const { name, description } of parameters) expect(description, name).not.toBe('');
    }
  });

  test('has no broken references and no undefined security schemes', () => {
    const text = JSON.stringify(document);
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      expect(document.components[kind], kind).toHaveProperty(name);
    }
    for (const { security } of operations(document)) {
      for (const name of security.flatMap((scheme) => Object.keys(scheme))) {
        expect(document.components.securitySchemes).toHaveProperty(name);
      }
    }
  });
});

test('the validator detects a broken document', async () => {
  const { paths, ...rest } = structuredClone(combined);
  const result = await validate({ ...rest, paths: { search: paths } } as unknown as Parameters<typeof validate>[0]);
  expect(result.valid).toBe(false);
});

test.each(endpoints)('$platform.id $endpoint.path is documented as it is parsed', ({ platform, endpoint }) => {
  const operation = dataOperation(pathOf(platform, endpoint.path));
  expect(operation.tags).toEqual([platform.id]);
  expect(operation.security).toEqual([{ marketplaceKey: [], marketplaceHost: [] }]);
  expect(Object.keys(operation.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '414',
    '429',
    '431',
    '451',
    '500',
    '503',
  ]);
  const { properties, required = [] } = endpoint.parameters;
  expect(operation.parameters?.map(({ name }) => name)).toEqual(Object.keys(properties));
  expect(operation.parameters?.filter(({ required }) => required).map(({ name }) => name)).toEqual(required);
  for (const [name, schema] of Object.entries<TSchema>(properties)) {
    const entry = operation.parameters?.find((each) => each.name === name);
    if (name === 'nextToken') expect(entry).not.toHaveProperty('example');
    else expect(Check(schema, entry?.example), name).toBe(true);
  }
});

describe('the combined document', () => {
  test('contains all single documents, the render API and the links in responses', () => {
    const paths = single.flatMap(({ document }) => Object.keys(document.paths));
    const render = Object.keys(combined.paths).filter((path) => path.startsWith('/api/v1/'));
    const links = [
      '/relay/{link}/{name}',
      '/files/{link}/{name}',
      '/files/{link}/{name}.receipt',
      '/.well-known/millrace-receipt-keys.json',
    ];
    expect(Object.keys(combined.paths).toSorted()).toEqual([...paths, ...render, ...links].toSorted());
    expect(render).toEqual([
      '/api/v1/render/execute',
      '/api/v1/render/cache',
      '/api/v1/render/execute/{cacheId}',
      '/api/v1/render/status/{jobId}',
      '/api/v1/render/status/sse/{jobId}',
      '/api/v1/render/jobs/{jobId}',
      '/api/v1/render/batch',
      '/api/v1/render/jobs/{jobId}/deliveries',
      '/api/v1/render/jobs',
      '/api/v1/render/jobs/{jobId}/retry',
      '/api/v1/render/jobs/{jobId}/deliveries/{deliveryId}/redeliver',
      '/api/v1/webhooks',
      '/api/v1/webhooks/{webhookId}',
      '/api/v1/webhooks/test',
      '/api/v1/usage',
    ]);
  });

  test('states the address of each operation', () => {
    expect(combined.servers).toEqual([{ url: 'https://base.example' }]);
    const { get, post } = combined.paths['/api/v1/render/execute'] ?? {};
    expect(post?.servers).toEqual([{ url: 'https://api.example' }]);
    expect(get?.servers).toEqual([{ url: 'https://render.example' }]);
    expect(combined.paths['/api/v1/render/status/{jobId}']?.get?.servers).toEqual([{ url: 'wss://render.example' }]);
  });

  test('describes comma-separated lists as arrays in one value', () => {
    expect(parameter('/p1/v3/video/details', 'fields')).toMatchObject({
      style: 'form',
      explode: false,
      example: ['contents.videos', 'metadata.author'],
      schema: { type: 'array', items: { type: 'string', enum: expect.arrayContaining(['-metadata.comments']) } },
    });
  });

  test('describes case-insensitive enums, defaults and deprecations', () => {
    const countryCode = parameter('/p5/v3/video/details', 'countryCode');
    expect(countryCode?.schema).toMatchObject({ type: 'string', 'x-any-case': true });
    expect(countryCode?.schema.enum).toHaveLength(251);
    expect(parameter('/p1/v3/video/details', 'urlAccess')?.schema).toMatchObject({ default: 'normal' });
    expect(parameter('/p1/v3/search', 'sortBy')?.deprecated).toBe(true);
    expect(parameter('/p1/v3/search', 'query')).not.toHaveProperty('deprecated');
  });

  test('states prices and pagination', () => {
    expect(dataOperation('/p1/v3/video/details').description).toContain('Costs 1 credit, or 2');
    expect(dataOperation('/p1/v3/playlist').description).toContain('nextToken');
    expect(dataOperation('/p5/v3/video/details').description).not.toContain('nextToken');
  });

  test('states the members of successful results', () => {
    const resultSchemaOf = (path: string) => {
      const { schema = {} } = dataOperation(path).responses[200]?.content?.['application/json'] ?? {};
      return Array.isArray(schema.allOf) ? schema.allOf[1] : undefined;
    };
    expect(resultSchemaOf('/p1/v3/playlist')).toMatchObject({
      properties: { contents: false },
      else: {
        required: [],
        properties: {
          metadata: { required: ['playlist'], properties: { playlist: { required: ['videos', 'nextToken'] } } },
        },
      },
    });
    expect(resultSchemaOf('/p5/v3/video/details')).toMatchObject({ else: { required: ['contents'] } });
    expect(resultSchemaOf('/p1/v3/video/details')).toMatchObject({ else: { required: [] } });
    expect(dataOperation('/p1/v3/playlist').description).toContain(
      'A successful response contains `metadata.playlist.videos` and `metadata.playlist.nextToken`.',
    );
  });

  test('refers to named schemas', () => {
    const { schemas } = combined.components;
    expect(schemas?.ExtractionResult).toMatchObject({
      properties: {
        contents: { items: { $ref: '#/components/schemas/ExtractedContent' } },
        metadata: { $ref: '#/components/schemas/ContentMetadata' },
      },
    });
    expect(schemas?.RenderableMediaItem).toMatchObject({
      properties: { metadata: { $ref: '#/components/schemas/MediaMetadata' } },
    });
  });
});

test('the list of documents has an entry for each document', () => {
  expect(list).toEqual({
    combined: 'https://base.example/openapi',
    platforms: single.map(({ id, document }) => ({
      id,
      name: expect.any(String),
      title: document.info.title,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      endpoints: Object.keys(document.paths).length,
      url: `https://base.example/openapi/${id}`,
    })),
  });
  expect(list.platforms.map(({ id }) => id)).toEqual([...platforms.map(({ id }) => id), 'openapi']);
});
