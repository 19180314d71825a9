import { describe, expect, inject, test } from 'vitest';
import { contractOf, type DocumentedOperation } from '../support/contract.ts';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, outcome, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');
const contract = await contractOf(service);
if (contract === undefined) throw new Error('the service publishes no document');
const namedOperations = contract.operations.map(
  (operation) => [`${operation.method} ${operation.path}`, operation] as const,
);
const endpoints = contract.operations.filter(({ path }) => /^\/p\d\/v3\//.test(path));
const byPath = endpoints.map((each) => [each.path, each] as const);

const credentials = {
  'x-marketplace-key': keys.MEGA,
  'x-marketplace-host': 'api.example',
  authorization: `Bearer ${keys.render}`,
};
const origin = 'https://page.example';

/** Returns the path of an operation with the examples of its required parameters. */
function addressOf({ path, parameters }: DocumentedOperation, more: Readonly<Record<string, string>> = {}): string {
  const required = parameters.filter((each) => each.required);
  const filled = required.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example ?? 'none')),
    path,
  );
  const query = required
    .filter((each) => each.in === 'query')
    .map(({ name, example }) => [name, String(example ?? '')]);
  return `${service}${filled}?${new URLSearchParams([...query, ...Object.entries(more)])}`;
}

const fetchFrom = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { ...credentials, ...headers }, signal: AbortSignal.timeout(240_000) });

describe('CORS', () => {
  test.each(namedOperations)(
    'allows browsers of any origin to send their keys in a preflight of %s',
    async (_name, operation) => {
      const requestedHeaders = 'x-marketplace-key,x-marketplace-host,authorization,content-type';
      const response = await fetch(addressOf(operation), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': operation.method,
          'access-control-request-headers': requestedHeaders,
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toContain(operation.method);
      expect(response.headers.get('access-control-allow-headers')).toBe(requestedHeaders);
      expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    },
  );

  test.each([
    ['a result', '/p5/v3/video/details?videoId=xlab2', 200],
    ['a refused parameter', '/p5/v3/video/details', 400],
    ['an unknown path', '/nowhere', 404],
    ['a badly encoded path', '/%zz', 400],
    ['a status stream', '/api/v1/render/status/sse/none', 200],
    ['an unknown file', '/files/x/y', 404],
    ['a document', '/docs', 200],
  ])('lets browsers read %s', async (_name, path, status) => {
    const response = await fetchFrom(`${service}${path}`, { origin });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    await response.body?.cancel();
  });

  test('lets browsers read the documented headers and the refusal of a missing key', async () => {
    const response = await fetch(`${service}/p5/v3/video/details?videoId=xlab2`, { headers: { origin } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    const exposed = response.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['Retry-After', 'Accept-Ranges', 'Content-Range', 'ETag']) expect(exposed).toContain(name);
  });

  test.each([
    ['the extraction API', '/p5/v3/video/details?videoId=xlab2', {}, 'Bearer realm="millrace"'],
    ['the jobs API', '/api/v1/render/jobs', {}, 'Bearer realm="millrace"'],
    [
      'the jobs API, for a wrong key',
      '/api/v1/render/jobs',
      { authorization: 'Bearer wrong' },
      'Bearer realm="millrace", error="invalid_token"',
    ],
  ])('refuses a caller without a valid key with a challenge: %s', async (_name, path, headers, challenge) => {
    const response = await fetch(`${service}${path}`, { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
    await response.body?.cancel();
  });
});

describe('HEAD and OPTIONS', () => {
  test.each(namedOperations.filter(([, { method }]) => method === 'GET'))(
    'HEAD of %s returns only the head of the response',
    async (_name, operation) => {
      const url = addressOf(operation);
      const [get, head] = [await fetchFrom(url), await fetchFrom(url, {}, 'HEAD')];
      expect(head.status).toBe(get.status);
      for (const name of ['content-type', 'content-encoding', 'vary'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      expect(await head.text()).toBe('');
      await get.body?.cancel();
    },
  );

  test('HEAD of an execution URL starts nothing', async () => {
    const { body } = await extract<Result>(`${service}/p5/v3/video/details?videoId=xlab2&renderableFormats=lowres`);
    const { executionUrl = '', sseStatusUrl = '' } = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig ?? {};
    expect((await fetch(executionUrl, { method: 'HEAD' })).status).toBe(200);
    expect((await outcome(sseStatusUrl)).status).toBe('not_found');
  });

  test.each(namedOperations)('OPTIONS of %s works without being a preflight', async (_name, operation) => {
    const response = await fetch(addressOf(operation), { method: 'OPTIONS' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });
});

describe('compression', () => {
  const encodingOf = async (path: string, accepted: string) => {
    const response = await fetchFrom(`${service}${path}`, { 'accept-encoding': accepted });
    return {
      encoding: response.headers.get('content-encoding'),
      vary: response.headers.get('vary') ?? '',
      answer: response,
    };
  };

  test.each(['/openapi', '/about', '/p1/v3/video/details?videoId=lab-plain30&fields=metadata'])(
    'applies to %s in the encoding that the caller accepts',
    async (path) => {
      const plain = await (await encodingOf(path, 'identity')).answer.text();
      for (const [accepted, expected] of [
        ['br', 'br'],
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'br'],
        ['br;q=0, gzip', 'gzip'],
        ['identity', null],
        ['zstd', null],
        ['gzip;q=0, br;q=0', null],
      ] as const) {
        const { encoding, vary, answer } = await encodingOf(path, accepted);
        expect([accepted, encoding]).toEqual([accepted, expected]);
        if (expected !== null) expect(vary).toMatch(/accept-encoding/i);
        const text = await answer.text();
        if (path === '/openapi' || path === '/about') expect(text).toBe(plain);
        else expect(JSON.parse(text)).toHaveProperty('metadata.title');
      }
    },
  );

  test('is not applied to a body that fits in one packet', async () => {
    for (const path of ['/health', '/p5/v3/video/details'])
      expect((await encodingOf(path, 'gzip')).encoding).toBeNull();
  });

  test('is never applied to status streams, files and relayed media', async () => {
    const stream = await encodingOf('/api/v1/render/status/sse/none', 'gzip, br');
    expect(stream.encoding).toBeNull();
    await stream.answer.body?.cancel();

    // The extension in the job says JSON, which the service compresses in its own responses.
    const url = labFile('/media/amber-2/sound.mp3').url;
    const { event, file } = await render(service, describeJob('no_process', [{ url, ext: 'mp3' }], 'json'));
    const path = (event.output?.url ?? '').slice(service.length);
    const whole = await encodingOf(path, 'gzip, br');
    expect([whole.encoding, whole.answer.headers.get('content-type')]).toEqual([null, 'application/octet-stream']);
    expect(Buffer.from(await whole.answer.arrayBuffer())).toEqual(file);
    const part = await fetchFrom(`${service}${path}`, { range: 'bytes=5-14', 'accept-encoding': 'br' });
    expect([part.status, part.headers.get('content-encoding')]).toEqual([206, null]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(file.subarray(5, 15));

    const { body } = await extract<Result>(`${service}/p1/v3/video/details?videoId=lab-min-002&urlAccess=proxied`);
    const relayed = await encodingOf((body.contents?.[0]?.videos?.[0]?.url ?? '').slice(service.length), 'gzip, br');
    expect([relayed.answer.status, relayed.encoding]).toEqual([200, null]);
    await relayed.answer.body?.cancel();
  });
});

describe.each([
  ['/openapi', /^public, max-age=\d+$/],
  ['/openapi/platforms', /^public, max-age=\d+$/],
  ['/openapi/p1', /^public, max-age=\d+$/],
  // Names assets that only one version has.
  ['/docs', /^no-cache$/],
] as const)('caching of %s', (path, cacheControl) => {
  test('returns the same headers for HEAD and GET', async () => {
    for (const accepted of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': accepted };
      const [get, head] = [await fetchFrom(service + path, headers), await fetchFrom(service + path, headers, 'HEAD')];
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      await get.text();
    }
  });

  test('returns 304 to a caller with the current version', async () => {
    const first = await fetchFrom(`${service}${path}`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^(?:W\/)?".+"$/);
    expect(first.headers.get('cache-control')).toMatch(cacheControl);
    await first.text();
    for (const ifNoneMatch of [etag, `"other", ${etag}`, '*']) {
      const response = await fetchFrom(`${service}${path}`, { 'if-none-match': ifNoneMatch });
      expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, etag, '']);
    }
    expect((await fetchFrom(`${service}${path}`, { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('query values', () => {
  test.each(byPath)('of %s count as absent when empty', async (_path, operation) => {
    const optional = operation.parameters.filter((each) => !each.required).map(({ name }) => [name, '']);
    const empty = await extract<Result>(addressOf(operation, Object.fromEntries(optional)));
    expect([empty.status, empty.body.error]).toEqual([200, null]);
  });

  const lists = endpoints.flatMap((operation) =>
    operation.parameters
      .filter(({ schema }) => schema.type === 'array')
      .map((each) => [operation.path, each.name, operation] as const),
  );
  test.each(lists)('of %s ignore duplicates and empty entries of the list %s', async (_path, name, operation) => {
    const example = operation.parameters.find((each) => each.name === name)?.example;
    const [one = ''] = typeof example === 'string' ? [example] : (example ?? []);
    const [once, often] = [one, `${one},,${one},`].map((list) => addressOf(operation, { [name]: list }));
    const [expected, actual] = [await extract<Result>(once ?? ''), await extract<Result>(often ?? '')];
    expect([actual.status, actual.body.error]).toEqual([200, null]);
    const shape = ({ body }: typeof actual) =>
      body.contents?.map((content) => Object.entries(content).map(([key, list]) => [key, list.length]));
    expect(shape(actual)).toEqual(shape(expected));
  });

  test.each(byPath)('of %s are refused and named when a list or enum lacks them', async (_path, operation) => {
    for (const { name, schema } of operation.parameters) {
      if (schema.enum === undefined && schema.items === undefined) continue;
      const { status, body } = await extract<Result>(
        addressOf(operation, { [name]: 'no such value' }).replace(new RegExp(`([?&])${name}=(?!no-such)[^&]*&`), '$1'),
      );
      expect([name, status, body.error?.code, body.error?.parameter]).toEqual([name, 400, 'invalid_params', name]);
      expect(body.error?.message).toContain(name);
    }
  });
});

describe('countryCode', () => {
  const codes =
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
    'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
    'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
    'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK';
  const all = codes.split(' ');
  const url = (code: string) => `${service}/p5/v3/video/details?videoId=xlab2&countryCode=${code}`;

  test('accepts the 250 codes in any case', { tags: ['long'] }, async () => {
    expect(new Set(all).size).toBe(250);
    const lower = all.map((each) => each.toLowerCase());
    const mixed = all.map((each) => `${each[0]}${each[1]?.toLowerCase()}`);
    for (const codes of [all, lower, mixed]) {
      const responses = await Promise.all(codes.map((code) => extract<Result>(url(code))));
      for (const [at, { status, body }] of responses.entries())
        expect([codes[at], status, body.error?.code]).toEqual([codes[at], 200, 'unsupported_proxy_for_geo_targeting']);
    }
  });

  test.each(['worldwide', 'WorldWide', ''])('treats %j as anywhere', async (code) => {
    expect((await extract<Result>(url(code))).body.error).toBeNull();
  });

  test('refuses any other value', async () => {
    for (const code of ['ZZ', 'UK', 'EU', 'AN', 'USA', 'D', 'world', '%C4%B1t', 'fr,de', '__proto__']) {
      const { status, body } = await extract<Result>(url(code));
      expect([code, status, body.error?.parameter]).toEqual([code, 400, 'countryCode']);
    }
  });
});

test('the utility endpoints need no key', async () => {
  for (const path of [
    '/health/live',
    '/version',
    '/status',
    '/openapi',
    '/openapi/platforms',
    '/openapi/p1',
    '/docs',
  ]) {
    expect((await fetch(`${service}${path}`)).status).toBe(200);
  }
  await expect.poll(async () => (await fetchJson(`${service}/health`)).body).toEqual({ status: 'ok' });
});

test('every path of the extraction API contains v3, and every path of the render API begins with /api/v1/', () => {
  const documents = ['/', '/docs', '/openapi', '/openapi.json', '/openapi/platforms', '/openapi/{platform}'];
  const receipts = ['/files/{link}/{name}.receipt', '/.well-known/millrace-receipt-keys.json'];
  const links = ['/relay/{link}/{name}', '/files/{link}/{name}', ...receipts];
  const utility = ['/health', '/health/ready', '/health/live', '/version', '/status', '/about', ...documents, ...links];
  for (const { path } of contract.operations) {
    if (!utility.includes(path)) expect(path).toMatch(/^\/(?:p\d+\/v3|api\/v1)\//);
  }
});
