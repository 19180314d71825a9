import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { afterEach, describe, expect, test } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { MillraceError } from '../contract/errors.ts';
import { createEgress, createUrlCheck } from './create-egress.ts';
import { bindHeaders } from './credentials.ts';
import type { Egress, EgressRequest } from './egress.ts';
import { fetchBody } from './fetch-body.ts';
import type { Resolve } from './names/resolve-name.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
});

async function origin(listener: RequestListener): Promise<{ port: number; receivedHeaders: IncomingHttpHeaders[] }> {
  const receivedHeaders: IncomingHttpHeaders[] = [];
  const server: Server = createServer((request, response) => {
    receivedHeaders.push(request.headers);
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push({ close: () => server.closeAllConnections() }, server);
  return { port: (server.address() as AddressInfo).port, receivedHeaders };
}

const loopback = ipaddr.parseCIDR('127.0.0.1/32');

/** An egress whose resolver uses a table of addresses. */
function egressWith(addresses: Record<string, string[]>, allow = [loopback]): Egress {
  const resolve: Resolve = (hostname, _options, callback) => {
    const records = addresses[hostname] ?? [];
    callback(
      null,
      records.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const egress = createEgress({ EGRESS_ALLOW: allow, EGRESS_CONNECT_TO: [] }, { resolve });
  open.push(egress);
  return egress;
}

describe('a stream as the body of a request', () => {
  const put = (port: number, body: Readable) => ({
    url: `http://a.example:${port}/`,
    caller: serviceCaller,
    method: 'PUT' as const,
    headers: bindHeaders(`http://a.example:${port}/`, { 'content-length': '4' }),
    bodyStream: body,
    signal: new AbortController().signal,
  });

  test('is sent with its length', async () => {
    const bodies: string[] = [];
    const { port, receivedHeaders } = await origin(async (request, response) => {
      bodies.push(await text(request));
      response.end();
    });
    const egress = egressWith({ 'a.example': ['127.0.0.1'] });
    const { status } = await egress.exchange(put(port, Readable.from([Buffer.from('film')])), () => undefined);
    expect([status, bodies]).toEqual([200, ['film']]);
    expect(receivedHeaders[0]).toMatchObject({ 'content-length': '4' });
    expect(receivedHeaders[0]).not.toHaveProperty('transfer-encoding');
  });

  test('is not sent to the target of a redirect, which is returned', async () => {
    const { port, receivedHeaders } = await origin((_request, response) =>
      response.writeHead(307, { location: '/other' }).end(),
    );
    const egress = egressWith({ 'a.example': ['127.0.0.1'] });
    const { status } = await egress.exchange(put(port, Readable.from([Buffer.from('film')])), () => undefined);
    expect([status, receivedHeaders.length]).toEqual([307, 1]);
  });
});

test.each([
  ['https://public.example/', undefined],
  ['https://unknown.example/', undefined],
  ['https://private.example/', 'address_refused'],
  ['https://10.0.0.1/', 'address_refused'],
  ['ftp://public.example/', 'address_refused'],
  ['https://blocked.example/', 'blocked'],
  ['https://redirected.example/', undefined],
])('checks whether requests to %s are permitted', async (url, code) => {
  const addresses: Record<string, string> = {
    'public.example': '93.184.216.34',
    'private.example': '10.0.0.1',
    'redirected.example': '10.0.0.1',
  };
  const resolve: Resolve = (hostname, _options, callback) => {
    const address = addresses[hostname];
    if (address === undefined) callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    else callback(null, [{ address, family: 4 }]);
  };
  const redirection = { pattern: 'redirected.example', origin: new URL('http://127.0.0.1:1') };
  const check = createUrlCheck(
    { EGRESS_ALLOW: [], EGRESS_CONNECT_TO: [redirection] },
    {
      resolve,
      hostRefusal: (host) => (host === 'blocked.example' ? new MillraceError('blocked', 'It is blocked.') : undefined),
    },
  );
  const outcome = await check(url, AbortSignal.timeout(60_000)).catch((error: unknown) => error);
  if (code === undefined) expect(outcome).toBeUndefined();
  else expect(outcome).toMatchObject({ code });
});

describe.each([
  ['undici', {}],
  ['the bulk client', { allowBufferReuse: true as const }],
])('an egress using %s', (_client, by) => {
  const get = (egress: Egress, url: string, more: Partial<EgressRequest> = {}, maxBytes = 1000) =>
    fetchBody(egress, { url, caller: serviceCaller, signal: new AbortController().signal, ...by, ...more }, maxBytes);

  describe('name resolution', () => {
    test.each([
      ['a private address', ['10.0.0.1']],
      ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
      ['an IPv6 form of a private address', ['::ffff:10.0.0.1']],
      ['no address', []],
    ])('refuses a name that resolves to %s without opening a connection', async (_name, addresses) => {
      const { port, receivedHeaders } = await origin((_request, response) => response.end('secret'));
      const egress = egressWith({ 'a.example': addresses }, []);
      await expect(get(egress, `http://a.example:${port}/`)).rejects.toMatchObject({ code: 'address_refused' });
      expect(receivedHeaders).toEqual([]);
    });

    test('happens once for each connection, which uses the checked address', async () => {
      const { port } = await origin((_request, response) => response.end('ok'));
      let lookups = 0;
      const resolve: Resolve = (_hostname, _options, callback) => {
        lookups += 1;
        callback(null, [{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
      };
      const egress = createEgress({ EGRESS_ALLOW: [loopback], EGRESS_CONNECT_TO: [] }, { resolve });
      open.push(egress);
      expect((await get(egress, `http://a.example:${port}/`)).body.toString()).toBe('ok');
      expect(lookups).toBe(1);
    });
  });

  describe('a redirect', () => {
    const redirectTo =
      (location: string, status = 302): RequestListener =>
      (_request, response) => {
        response.writeHead(status, { location }).end();
      };

    test('keeps cookies, authorization and unknown headers on the same host only', async () => {
      const harmless = { referer: 'https://r.example/', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      const headers = { cookie: 'a=1', authorization: 'Bearer a', 'x-token': 'a', ...harmless };
      const second = await origin((_request, response) => response.end('there'));
      const first = await origin((request, response) => {
        if (request.url === '/') response.writeHead(302, { location: '/again' }).end();
        else redirectTo(`http://b.example:${second.port}/`)(request, response);
      });
      const egress = egressWith({ 'a.example': ['127.0.0.1'], 'b.example': ['127.0.0.1'] });
      const url = `http://a.example:${first.port}/`;
      const answer = await get(egress, url, { headers: bindHeaders(url, headers) });
      expect(answer.body.toString()).toBe('there');
      expect(first.receivedHeaders).toMatchObject([headers, headers]);
      expect(second.receivedHeaders[0]).toMatchObject(harmless);
      for (const name of ['cookie', 'authorization', 'x-token'])
        expect(second.receivedHeaders[0]).not.toHaveProperty(name);
    });

    test('back to the original origin carries its credentials again, and no other origin receives them', async () => {
      const elsewhere = await origin((request, response) => {
        if (request.url === '/') redirectTo(`http://a.example:${firstOrigin.port}/back`)(request, response);
        else response.end();
      });
      const firstOrigin = await origin((request, response) => {
        if (request.url === '/back') response.end('back');
        else redirectTo(`http://a.example:${elsewhere.port}/`)(request, response);
      });
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const url = `http://a.example:${firstOrigin.port}/`;
      await get(egress, url, { headers: bindHeaders(url, { cookie: 'a=1' }) });
      expect(firstOrigin.receivedHeaders.map(({ cookie }) => cookie)).toEqual(['a=1', 'a=1']);
      expect(elsewhere.receivedHeaders.map(({ cookie }) => cookie)).toEqual([undefined]);
    });

    test('never carries headers to an origin other than the one that they are bound to', async () => {
      const { port, receivedHeaders } = await origin((_request, response) => response.end());
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const headers = bindHeaders('http://a.example/', { cookie: 'a=1', accept: 'video/*' });
      await get(egress, `http://a.example:${port}/`, { headers });
      expect(receivedHeaders[0]).toMatchObject({ accept: 'video/*' });
      expect(receivedHeaders[0]).not.toHaveProperty('cookie');
    });

    test.each([
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://localhost/',
      'file:///etc/passwd',
      'http://u:p@a.example/',
    ])('to %s is refused', async (location) => {
      const { port } = await origin(redirectTo(location));
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      await expect(get(egress, `http://a.example:${port}/`)).rejects.toMatchObject({ code: 'address_refused' });
    });

    test('is returned like any other response when it is not followed', async () => {
      const { port, receivedHeaders } = await origin(redirectTo('http://169.254.169.254/'));
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const answer = await get(egress, `http://a.example:${port}/`, { followRedirects: false });
      expect(answer).toMatchObject({ status: 302, headers: { location: 'http://169.254.169.254/' } });
      expect(receivedHeaders.length).toBe(1);
    });

    test('fails the request when it loops', async () => {
      const { port, receivedHeaders } = await origin(redirectTo('/'));
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      await expect(get(egress, `http://a.example:${port}/`)).rejects.toMatchObject({ code: 'unexpected_redirect' });
      expect(receivedHeaders.length).toBe(6);
    });

    test.each([307, 308])('with status %i does not repeat a POST at another origin', async (status) => {
      const other = await origin((_request, response) => response.end());
      const { port } = await origin(redirectTo(`http://a.example:${other.port}/next`, status));
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      await expect(get(egress, `http://a.example:${port}/`, { method: 'POST', body: 'body' })).rejects.toMatchObject({
        code: 'unexpected_redirect',
        retryable: false,
        message: expect.stringContaining(`http://a.example:${other.port}`),
      });
      expect(other.receivedHeaders).toEqual([]);
    });

    test('that turns a POST into a GET drops the body and its headers', async () => {
      const { port, receivedHeaders } = await origin((request, response) => {
        if (request.url === '/') redirectTo('/next')(request, response);
        else response.end();
      });
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const url = `http://a.example:${port}/`;
      const headers = bindHeaders(url, { 'content-type': 'text/plain', 'x-token': 'a' });
      await get(egress, url, { method: 'POST', body: 'body', headers });
      expect(receivedHeaders).toMatchObject([
        { 'content-type': 'text/plain', 'content-length': '4' },
        { 'x-token': 'a' },
      ]);
      expect(receivedHeaders[1]).not.toHaveProperty('content-type');
      expect(receivedHeaders[1]).not.toHaveProperty('content-length');
    });

    test.each([
      [303, 'GET', ''],
      [307, 'POST', 'body'],
    ])('with status %i after a POST becomes a %s', async (status, method, body) => {
      const { port } = await origin((request, response) => {
        if (request.url === '/') response.writeHead(status, { location: '/next' }).end();
        else request.on('data', (chunk) => response.write(chunk)).on('end', () => response.end(request.method));
      });
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const answer = await get(egress, `http://a.example:${port}/`, { method: 'POST', body: 'body' });
      expect(answer.body.toString()).toBe(body + method);
    });
  });

  describe('a response body', () => {
    test('is decoded within its size limit', async () => {
      const { port } = await origin((request, response) => {
        const size = request.url === '/bomb' ? 100_000 : 500;
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(size, 'a')));
      });
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      expect((await get(egress, `http://a.example:${port}/`)).body.length).toBe(500);
      await expect(get(egress, `http://a.example:${port}/bomb`)).rejects.toMatchObject({
        code: 'invalid_response_data',
      });
    });

    test.each([
      ['announced', (response: ServerResponse) => response.writeHead(200, { 'content-length': 1001 }).flushHeaders()],
      ['not announced', (response: ServerResponse) => response.end(Buffer.alloc(1001))],
    ])('over its size limit is rejected (length %s)', async (_name, send) => {
      const { port } = await origin((_request, response) => send(response));
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      await expect(get(egress, `http://a.example:${port}/`)).rejects.toMatchObject({ code: 'invalid_response_data' });
    });

    test('in many small chunks is reassembled', async () => {
      const pieces = Array.from({ length: 100_000 }, (_, index) => String(index % 10));
      const { port } = await origin((_request, response) => {
        for (const piece of pieces) response.write(piece);
        response.end();
      });
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const answer = await get(egress, `http://a.example:${port}/`, {}, pieces.length);
      expect(answer.body.toString()).toBe(pieces.join(''));
    });
  });

  describe('a connection', () => {
    test('that is refused or broken is reported as a connection error naming only the host', async () => {
      const { port } = await origin((_request, response) => response.destroy());
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      const failing = get(egress, `http://a.example:${port}/secret?token=1`);
      await expect(failing).rejects.toMatchObject({ code: 'connection_error', retryable: true });
      await expect(failing).rejects.not.toThrow(/secret|token/);
    });

    test('that stays silent times out', async () => {
      const { port } = await origin(() => undefined);
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      await expect(get(egress, `http://a.example:${port}/`, { headTimeout: 50 })).rejects.toMatchObject({
        code: 'operation_timeout',
      });
    });

    test('is closed when the caller aborts', async () => {
      const closed = Promise.withResolvers<void>();
      const { port } = await origin((request) => {
        request.socket.on('close', () => closed.resolve());
        abort.abort(new Error('no longer wanted'));
      });
      const abort = new AbortController();
      const egress = egressWith({ 'a.example': ['127.0.0.1'] });
      await expect(get(egress, `http://a.example:${port}/`, { signal: abort.signal })).rejects.toThrow(
        'no longer wanted',
      );
      await closed.promise;
    });
  });

  test('repeated headers of a response are joined, except cookies', async () => {
    const repeated = ['age', '1', 'age', '2', 'x-other', 'c', 'x-other', 'd', 'set-cookie', 'e', 'set-cookie', 'f'];
    const { port } = await origin((_request, response) => response.writeHead(200, repeated).end());
    const egress = egressWith({ 'a.example': ['127.0.0.1'] });
    for (const bulk of [{}, { allowBufferReuse: true } as const]) {
      const request = {
        url: `http://a.example:${port}/`,
        caller: serviceCaller,
        signal: AbortSignal.timeout(60_000),
        ...bulk,
      };
      const { headers } = await egress.exchange(request, () => undefined);
      expect(headers).toMatchObject({ age: '1, 2', 'x-other': 'c, d', 'set-cookie': ['e', 'f'] });
    }
  });

  test('redirects names by EGRESS_CONNECT_TO, keeps the Host header, and does not redirect addresses', async () => {
    const { port, receivedHeaders } = await origin((_request, response) => response.end('led'));
    const to = (pattern: string) => ({ pattern, origin: new URL(`http://127.0.0.1:${port}`) });
    const egress = createEgress({ EGRESS_ALLOW: [], EGRESS_CONNECT_TO: [to('*.cdn.example'), to('one.example')] });
    open.push(egress);
    for (const host of ['a.cdn.example', 'one.example']) {
      expect((await get(egress, `https://${host}/`)).body.toString()).toBe('led');
      expect(receivedHeaders.at(-1)?.host).toBe(host);
    }
    for (const url of ['http://127.0.0.1/', 'http://10.0.0.1/', 'http://localhost/']) {
      await expect(get(egress, url)).rejects.toMatchObject({ code: 'address_refused' });
    }
  });
});
