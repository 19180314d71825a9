import { validate } from '@readme/openapi-parser';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { type Document, openContract, schemasOf } from '../../test/support/contract.ts';
import { createPlatforms, defaultSettings } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import { createAdminDocument } from './admin-document.ts';
import { type ApiDocument, type Example, methods, type Operation } from './document-types.ts';
import { createDocuments } from './documents.ts';
import responseExamples from './response-examples.json' with { type: 'json' };

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

/** Returns the bodies of all responses of a document, each with its examples. */
function bodiesOf({ paths, components }: ApiDocument) {
  const resolve = <Part>(part: Part | { readonly $ref?: string }): Part => {
    const { $ref = '' } = part as { readonly $ref?: string };
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec($ref) ?? [];
    return (kind === '' ? part : components[kind]?.[name]) as Part;
  };
  return Object.entries(paths).flatMap(([url, operations]) =>
    methods.flatMap((method) =>
      Object.entries(operations[method]?.responses ?? {}).flatMap(([status, response]) =>
        Object.entries(resolve(response).content ?? {}).map(([contentType, { examples = {} }]) => ({
          request: { method: method.toUpperCase(), url, status: Number(status), contentType },
          examples: Object.values(examples).map((example) => resolve<Example>(example as Example).value),
        })),
      ),
    ),
  );
}

test.each(documents)('the examples of responses in the document %s match their schemas', (_id, document) => {
  const contract = openContract(document as unknown as Document);
  for (const { request, examples } of bodiesOf(document)) {
    for (const body of examples) expect(contract.check({ ...request, body }), request.url).toBe(true);
  }
});

test('every body that is JSON or a stream of events has an example, except documents', () => {
  const missing = bodiesOf(combined)
    .filter(({ request, examples }) => /json$|event-stream$/.test(request.contentType) && examples.length === 0)
    .map(({ request }) => request.url);
  expect(missing).toEqual(['/openapi', '/openapi.json', '/openapi/{platform}']);
});

test('a response of each data endpoint is recorded, and all of them are short', () => {
  const paths = endpoints.map(({ platform, endpoint }) => pathOf(platform, endpoint.path));
  expect(Object.keys(responseExamples).toSorted()).toEqual(paths.toSorted());
  expect(JSON.stringify(responseExamples).length).toBeLessThan(50_000);
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

  test('describes csv parameters as arrays of repeated parameters, as generated clients send them', () => {
    expect(parameter('/p1/v3/video/details', 'fields')).toMatchObject({
      style: 'form',
      explode: true,
      example: ['contents.videos', 'metadata.author'],
      schema: { type: 'array', items: { $ref: '#/components/schemas/ResponsePart' } },
    });
    expect(combined.components.schemas?.ResponsePart).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['-metadata.comments']),
    });
  });

  test('describes case-insensitive enums, defaults and deprecations', () => {
    const countryCode = parameter('/p5/v3/video/details', 'countryCode');
    expect(countryCode?.schema).toEqual({ $ref: '#/components/schemas/CountryCode' });
    const { CountryCode } = combined.components.schemas ?? {};
    expect(CountryCode).toMatchObject({ type: 'string', 'x-any-case': true });
    expect(CountryCode).toHaveProperty('enum.length', 251);
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
    const resultSchemaOf = (path: string) =>
      dataOperation(path).responses[200]?.content?.['application/json']?.schema ?? {};
    expect(resultSchemaOf('/p1/v3/playlist')).toMatchObject({
      $ref: '#/components/schemas/MetadataResult',
      else: {
        required: ['metadata'],
        properties: {
          metadata: { required: ['playlist'], properties: { playlist: { required: ['videos', 'nextToken'] } } },
        },
      },
    });
    expect(resultSchemaOf('/p5/v3/video/details')).toMatchObject({
      $ref: '#/components/schemas/ExtractionResult',
      else: { required: ['contents', 'metadata'] },
    });
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
    expect(schemas?.RenderableMediaItem).toEqual({
      oneOf: [
        { $ref: '#/components/schemas/PreparedMediaItem' },
        { $ref: '#/components/schemas/UnavailableMediaItem' },
      ],
    });
    expect(schemas?.PreparedMediaItem).toMatchObject({
      properties: { metadata: { $ref: '#/components/schemas/MediaMetadata' } },
    });
  });

  test('allows only bodies with the documented members, and only error codes of the source', () => {
    const ajv = schemasOf(combined as unknown as Document);
    const isValid = (path: string, body: object) => {
      const pointer = `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/get/responses/200`;
      return ajv.getSchema(`document${pointer}/content/application~1json/schema`)?.(body);
    };
    const failure = { message: 'Not found.', code: 'not_found', statusCode: 404, retryable: false };
    const details = '/p5/v3/video/details';
    const metadata = { additionalData: {} };
    expect(isValid(details, { error: null, contents: [], metadata })).toBe(true);
    expect(isValid(details, { error: null, metadata })).toBe(false);
    expect(isValid(details, { error: failure, contents: [], metadata: {} })).toBe(true);
    expect(isValid(details, { error: failure, metadata: {} })).toBe(true);
    expect(isValid(details, { error: { ...failure, code: 'invalid_params' }, metadata: {} })).toBe(false);
    const suggestions = '/p1/v3/search/suggestions';
    const additionalData = { searchSuggestions: ['a'] };
    expect(isValid(suggestions, { error: null, metadata: { additionalData } })).toBe(true);
    expect(isValid(suggestions, { error: null, metadata: {} })).toBe(false);
    expect(isValid(suggestions, { error: null, contents: [], metadata: { additionalData } })).toBe(false);
  });

  test('states defaults in words, because generators make a member with a default required', () => {
    const { schemas } = combined.components;
    expect(schemas?.JobDescription).toHaveProperty(
      'properties.ttl.description',
      'How long the job and its file are kept, in milliseconds. Default: `3600000`.',
    );
    expect(schemas?.ChunkDownload).toHaveProperty('properties.concurrency.description', 'Default: `4`.');
    for (const [name, schema] of Object.entries(schemas ?? {})) {
      expect(JSON.stringify(schema), name).not.toMatch(/"default":(?!\{)/);
    }
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
