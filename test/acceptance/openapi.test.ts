import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { validate } from '@readme/openapi-parser';
import { describe, expect, inject, test } from 'vitest';
import { exampleRequest } from '../support/example-request.ts';
import { extract, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';

const service = inject('serviceUrl');

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly example?: string | readonly string[];
}

interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
  readonly responses: Readonly<Record<number, { readonly content?: Readonly<Record<string, Body>> }>>;
}

interface Body {
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
}

interface List {
  readonly combined: string;
  readonly platforms: readonly {
    readonly id: string;
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly endpoints: number;
    readonly url: string;
  }[];
}

interface Envelope {
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly metadata: object;
}

const document = async (url: string) => (await fetchJson<Document>(url)).body;
const combined = await document(`${service}/openapi`);
const { body: list } = await fetchJson<List>(`${service}/openapi/platforms`);

async function expectValid(text: Document): Promise<void> {
  const result = await validate(structuredClone(text) as unknown as Parameters<typeof validate>[0]);
  expect(result).toMatchObject({ valid: true, warnings: [] });
}

describe('GET /openapi', () => {
  test('is a valid OpenAPI 3 document that names the platforms as tags', async () => {
    await expectValid(combined);
    expect(combined.openapi).toMatch(/^3\./);
    expect(combined.servers).toEqual([{ url: service }]);
    for (const [path, { get }] of Object.entries(combined.paths)) {
      const [, id] = /^\/(p\d+)\/v3\//.exec(path) ?? [];
      if (id !== undefined) expect(get?.tags).toEqual([id]);
    }
  });

  test('needs no key, and can be read by browsers', async () => {
    const { status, headers } = await fetchJson(`${service}/openapi`, { headers: { origin: 'https://page.example' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

test('the documents and /version state the version of the software', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(combined.info).toMatchObject({ version, 'x-millrace-version': version });
  const { body } = await fetchJson(`${service}/version`);
  expect(body).toEqual({ version, extractionApi: 'v3', renderApi: 'v1' });
});

test('lists a valid document for each platform under /openapi/platforms', async () => {
  expect(list.combined).toBe(`${service}/openapi`);
  expect(list.platforms.map(({ id }) => id)).toEqual(expect.arrayContaining(['p1', 'p5', 'openapi']));
  for (const { id, name, title, version, endpoints, url } of list.platforms) {
    const single = await document(url);
    await expectValid(single);
    expect(single.info).toMatchObject({ title, version });
    expect(name).not.toBe('');
    expect(Object.keys(single.paths)).toHaveLength(endpoints);
    expect(Object.keys(combined.paths)).toEqual(expect.arrayContaining(Object.keys(single.paths)));
    if (id !== 'openapi') expect(Object.keys(single.paths).every((path) => path.startsWith(`/${id}/v3/`))).toBe(true);
  }
});

test.each(['/openapi', '/openapi/platforms', '/openapi/p1', '/openapi/p5', '/openapi/openapi'])(
  'returns the same document at %s.json, and its head for HEAD',
  async (path) => {
    const plain = { headers: { 'accept-encoding': 'identity' } };
    const response = await fetch(`${service}${path}`, plain);
    const text = await response.text();
    expect(await (await fetch(`${service}${path}.json`)).text()).toBe(text);
    const head = await fetch(`${service}${path}.json`, { method: 'HEAD', ...plain });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))]);
    expect(await head.text()).toBe('');
  },
);

test.each(['p9', 'P1', 'p1.json.json', '__proto__', '..%2fhealth', 'p1.yaml'])(
  'returns 404 in the envelope for /openapi/%s',
  async (name) => {
    const { status, body } = await fetchJson<Envelope>(`${service}/openapi/${name}`);
    expect(status).toBe(404);
    expect(body).toEqual({ error: expect.objectContaining({ code: 'not_found' }), metadata: {} });
    expect(body.error?.message).toContain('p1');
  },
);

const examples = Object.entries(combined.paths).flatMap(([path, { get }]) => {
  if (get === undefined || !/^\/p\d+\/v3\//.test(path)) return [];
  const { parameters = [] } = get;
  const required = parameters.filter((parameter) => parameter.required);
  const optional = parameters.filter(({ required, example }) => !required && example !== undefined);
  const queries = [required, ...optional.map((parameter) => [...required, parameter])];
  return queries.map((query) => {
    const pairs = query.map(({ name, example = '' }) => [name, String(example)]);
    return `${path}?${new URLSearchParams(pairs)}`;
  });
});

test.each(examples)('the example works: %s', async (request) => {
  const { status, body } = await extract<Envelope>(`${service}${request}`);
  expect([status, body.error]).toEqual([200, null]);
});

/** Returns the path of each member of a value, such as `contents[].videos[].url`. */
function memberPaths(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => memberPaths(entry, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...memberPaths(member, `${path}.${name}`),
  ]);
}

const recorded = Object.entries(combined.paths).flatMap(([path, { get }]) => {
  const request = get === undefined ? undefined : exampleRequest(path, get);
  const example = get?.responses[200]?.content?.['application/json']?.examples?.result?.value;
  return request === undefined ? [] : [{ request, example }];
});

test.each(recorded)(
  'the example of the response has members of the response: $request',
  async ({ request, example }) => {
    const { body } = await extract<Envelope>(service + request);
    const members = new Set(memberPaths(body));
    expect(memberPaths(example)).not.toEqual([]);
    expect(memberPaths(example).filter((path) => !members.has(path))).toEqual([]);
  },
);

test('the example of a job works', async () => {
  const { example } = combined.paths['/api/v1/render/execute']?.post?.requestBody?.content['application/json'] ?? {};
  const started = await post<StartedJob>(`${service}/api/v1/render/execute`, { ...example, id: `job-${randomUUID()}` });
  expect(started.status).toBe(202);
  expect(await outcome(started.body.sseStatusUrl)).toMatchObject({ status: 'done' });
});
