import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { contractOf, type DocumentedOperation, type DocumentedParameter } from '../support/contract.ts';
import { hostileValue, strangeName } from '../support/hostile.ts';
import { keys } from '../support/processes.ts';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw.ts';

const service = inject('serviceUrl');
const contract = await contractOf(service);
if (contract === undefined) throw new Error('the service publishes no document');
const { operations } = contract;
const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** What each property may take: the seed is fixed, so that a failure comes again. */
const bounds = { seed: 20_261_121, numRuns: 60, interruptAfterTimeLimit: 1_500, endOnFailure: true } as const;

const credentials: readonly (readonly [string, string])[] = [
  ['X-Marketplace-Key', keys.MEGA],
  ['X-Marketplace-Host', 'api.example'],
  ['Authorization', `Bearer ${keys.render}`],
];

interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly parameter?: string } | null;
}

/** An answer that is no fault of the service, and that its document allows. */
async function send(request: RawRequest): Promise<RawAnswer> {
  const answer = await sendRaw(service, { headers: credentials, ...request });
  const told = `${request.method} ${request.target.slice(0, 300)}: ${answer.body.slice(0, 500)}`;
  expect(answer.status, told).toBeLessThan(500);
  const contentType = answer.headers.get('content-type') ?? null;
  const url = new URL(request.target.split('?', 1)[0] ?? '', service).href;
  for (const body of bodiesOf(answer, request)) {
    contract?.check({ method: request.method, url, status: answer.status, contentType, body });
  }
  if (answer.status >= 400 && request.method !== 'HEAD') expectRefusal(answer, told);
  return answer;
}

/** Every refusal is told in one shape, and is not echoed without end. */
function expectRefusal({ status, body }: RawAnswer, told: string): void {
  const { error } = JSON.parse(body) as Refusal;
  expect(error, told).toMatchObject({
    message: expect.any(String),
    statusCode: status,
    retryable: expect.any(Boolean),
  });
  expect(error?.message.length, told).toBeLessThan(2_000);
}

function bodiesOf({ headers, body }: RawAnswer, { method }: RawRequest): readonly unknown[] {
  const type = headers.get('content-type') ?? '';
  if (method === 'HEAD' || body === '') return [];
  if (!type.startsWith('text/event-stream')) return [type.startsWith('application/json') ? JSON.parse(body) : body];
  return body
    .split('\n\n')
    .filter(Boolean)
    .map((event) => JSON.parse(event.replace(/^data: /, '')));
}

/** Values of one parameter: none, a good one, hostile ones, several at once. */
function values({ required, schema, example }: DocumentedParameter): fc.Arbitrary<readonly string[]> {
  const listed = schema.enum ?? schema.items?.enum ?? [];
  const good = [...(example === undefined ? [] : [String(example)]), ...listed].map(encodeURIComponent);
  const one = good.length === 0 ? hostileValue : fc.oneof(fc.constantFrom(...good), hostileValue);
  const many = fc.array(one, { minLength: 2, maxLength: 3 });
  const none = { weight: required ? 1 : 6, arbitrary: fc.constant([]) };
  return fc.oneof(none, { weight: 6, arbitrary: one.map((value) => [value]) }, { weight: 1, arbitrary: many });
}

/** Targets of an operation: its path with hostile names in it, and a hostile query. */
function targets({ path, parameters }: DocumentedOperation): fc.Arbitrary<string> {
  const places = parameters.filter((each) => each.in === 'path');
  const query = parameters.filter((each) => each.in === 'query');
  const filled = fc
    .tuple(...places.map(() => hostileValue))
    .map((some) =>
      places.reduce(
        (text, { name }, at) => text.replace(`{${name}}`, () => (some[at] ?? '').replace(/[/?#]/g, '-')),
        path,
      ),
    );
  const pairs = fc
    .tuple(...query.map(values))
    .map((lists) => lists.flatMap((list, at) => list.map((value) => `${query[at]?.name}=${value}`)));
  const strange = fc.array(
    fc.tuple(strangeName, hostileValue).map(([name, value]) => `${name}=${value}`),
    { maxLength: 2 },
  );
  return fc
    .tuple(filled, pairs, strange)
    .map(([place, one, other]) => `${place}?${[...one, ...other].join('&').replaceAll('#', '%23')}`);
}

const readable = named.filter(([, { method }]) => method !== 'POST');
test.each(readable)('%s answers any query as its document says, and names what is wrong', async (_name, operation) => {
  const { method, path, parameters } = operation;
  const queryNames = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  await fc.assert(
    fc.asyncProperty(targets(operation), async (target) => {
      const { status, body } = await send({ method, target });
      if (status !== 400 || !path.startsWith('/p')) return;
      const { error } = JSON.parse(body) as Refusal;
      expect(queryNames).toContain(error?.parameter);
      expect(error?.message).toContain(error?.parameter);
    }),
    bounds,
  );
});

const writable = named.filter(([, { method }]) => method === 'POST');
test.each(writable)('%s answers any body as its document says, and lists what is wrong', async (_name, operation) => {
  const { method, path: target, requestBody } = operation;
  const headers = [...credentials, ['Content-Type', 'application/json'] as const];
  const example = requestBody?.content['application/json'].example;
  await fc.assert(
    fc.asyncProperty(hostileJobs(example as Record<string, unknown>), async (body) => {
      const { status, body: text } = await send({ method, target, headers, body });
      expect([200, 201, 202, 400, 403, 413]).toContain(status);
      if (status !== 400) return;
      const { error } = JSON.parse(text) as { error: { fields: unknown[] } };
      expect(error.fields.length).toBeGreaterThan(0);
    }),
    bounds,
  );
});

describe.each(named)('%s', (_name, { method, path }) => {
  test('refuses other methods, and takes OPTIONS', async () => {
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    const taken = operations.filter((each) => each.path === path).map((each) => each.method);
    for (const other of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'].filter((each) => !taken.includes(each))) {
      const { status, headers } = await send({ method: other, target });
      expect([status, headers.get('allow')?.split(', ')]).toEqual([405, expect.arrayContaining([method, 'OPTIONS'])]);
    }
    expect((await send({ method: 'OPTIONS', target })).status).toBe(204);
    for (const none of ['BREW', 'QUERY', 'get', 'GET/', '\u0000'])
      expect((await send({ method: none, target })).status).toBe(400);
  });

  test('answers strange headers as its document says', async () => {
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    const strange: (readonly [string, string])[][] = [
      [...credentials, ...credentials],
      [['X-Marketplace-Key', 'é\u0001']],
      [
        ['X-Marketplace-Key', '\u00ff\u00fe'],
        ['X-Marketplace-Host', '\u00ff'],
      ],
      [
        ['X-Marketplace-Key', 'k'.repeat(50_000)],
        ['X-Marketplace-Host', 'h'],
      ],
      [['Authorization', `Bearer ${'k'.repeat(50_000)}`]],
      [['Authorization', 'Basic \u00e9:']],
      [...credentials, ['__proto__', 'x'], ['constructor', 'x']],
      [...credentials, ['Range', 'bytes=9-1,,'], ['If-None-Match', '"'.repeat(3_000)], ['Accept', ','.repeat(3_000)]],
      [...credentials, ['Accept-Encoding', 'gzip;q=x, *;q=-1, \u00ff']],
      [...credentials, ['Origin', '\u00ff'], ['Access-Control-Request-Method', '\u00ff']],
      [...credentials, ['Content-Type', 'application/json; charset=\u00ff'], ['Cookie', '='.repeat(5_000)]],
      [...credentials, ['X-Long', 'x'.repeat(66_000)]],
      [...credentials, ['Transfer-Encoding', 'chunked, gzip']],
    ];
    for (const headers of strange)
      await send({ method, target, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  });
});

/** Bodies: the example with one member replaced, any JSON, and what is no JSON. */
function hostileJobs(example: Record<string, unknown>): fc.Arbitrary<string> {
  // Should it be taken, it ends at once: the address is none that may be fetched.
  const inputs = [{ url: 'http://127.0.0.1:9/', ext: 'mp4' }];
  const names = [
    ...Object.keys(example),
    'ttl',
    'timeout',
    'limits',
    'progressBrackets',
    'requestOptions',
    '__proto__',
  ];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map((inner) => [inner]),
    fc.constant('x'.repeat(20_000)),
  );
  const replaced = fc.tuple(fc.constantFrom(...names), value, fc.uuid()).map(([name, inner, id]) =>
    // Not as a spread: a member named __proto__ is to reach the service.
    JSON.stringify({ ...example, id, inputs }).replace(
      /^\{/,
      () => `{${JSON.stringify(name)}:${JSON.stringify(inner)},`,
    ),
  );
  const member = fc
    .tuple(fc.constantFrom(...names), value, fc.uuid())
    .map(([name, inner, id]) => JSON.stringify({ ...example, id, inputs, [name]: inner }));
  const broken = fc.tuple(member, fc.nat(400)).map(([text, length]) => text.slice(0, length));
  return fc.oneof(member, replaced, broken, fc.json(), fc.string({ unit: 'binary', maxLength: 60 }));
}

test.each([
  '/%zz',
  '/%',
  '/p1/v3/%ff',
  '/p1/v3/video%2fdetails',
  '//p1//v3',
  '/../../etc/passwd',
  '/p1/v3/video/details/',
  '/P1/v3/video/details',
  '/__proto__',
  '/constructor/prototype',
  '/openapi/%00',
  '*',
  'http://elsewhere.example/health',
  '/files/x/%ff',
  '/relay/x/%00',
  `/${'a'.repeat(9_000)}`,
  '/\u00ff',
  '/health\u0000',
  '/health HTTP/1.1\r\nX-Injected: 1\r\nX:',
])('the path %j is refused or answered in the documented shape', async (target) => {
  const { status } = await send({ method: 'GET', target });
  expect([200, 400, 403, 404, 414]).toContain(status);
});
