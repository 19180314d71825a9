import { execFileSync } from 'node:child_process';
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { links } from '../../../lab/platforms/sample-links.ts';
import { openContract } from '../contract.ts';
import { linksFor, linkTexts } from './links.ts';
import { bytesOf, commandOf, type FuzzRequest } from './request.ts';
import { createRequests, type Subject } from './requests.ts';

const origin = 'http://127.0.0.1:8080';
const url = { type: 'string', minLength: 1, maxLength: 2_048 };
const job = {
  type: 'object',
  required: ['id', 'url'],
  properties: { id: { type: 'string' }, url, ttl: { type: 'integer', minimum: 1, maximum: 9 } },
};
const contract = openContract({
  openapi: '3.1.0',
  paths: {
    '/p1/v3/pets/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]{1,5}$' } },
          { name: 'kind', in: 'query', required: true, schema: { type: 'string', enum: ['cat', 'dog'] } },
          { name: 'url', in: 'query', required: false, schema: url },
        ],
        responses: {},
      },
    },
    '/jobs': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: job, example: { id: 'a', url: 'https://a.example/' } } },
        },
        responses: {},
      },
    },
  },
});
const subject: Subject = { origin, contract, credentials: [['Authorization', 'Bearer key']], knownTargets: new Map() };
const requestOf = createRequests(subject);
const sample = Array.from({ length: 2_000 }, (_, index) => requestOf(1, index));

test('the same seed and number give the same request, independent of earlier ones', () => {
  const again = createRequests(subject);
  for (const number of [1_500, 3, 700]) expect(again(1, number)).toEqual(sample[number]);
  expect(
    sample.filter((request, number) => bytesOf(request).equals(bytesOf(requestOf(2, number)))).length,
  ).toBeLessThan(20);
});

test('valid, boundary and invalid requests of every kind are generated', () => {
  const has = (holds: (request: FuzzRequest) => boolean) => expect(sample.filter(holds).length).toBeGreaterThan(0);
  has(({ target, method }) => method === 'GET' && /^\/p1\/v3\/pets\/[a-z]{1,5}\?kind=(?:cat|dog)$/.test(target));
  has(({ target }) => target.endsWith('kind=CAT'));
  has(({ target }) => /kind=[^&]*&kind=/.test(target));
  has(({ target }) => target.startsWith('/p1/v3/pets/') && !target.includes('kind'));
  has(({ target }) => target.length === 8_192);
  has(({ target }) => target.length === 8_193);
  has(({ target }) => target.includes('%00'));
  has(({ target }) => target.includes('%2e%2e'));
  has(({ method }) => method === 'DELETE');
  has(({ headers }) => headers.every(([name]) => name !== 'Authorization'));
  has(({ headers }) => headers.some(([name]) => name === 'Transfer-Encoding'));
  has(({ body }) => body.includes('__proto__'));
  has(({ body }) => body.length === 256 * 1024 + 1);
  has(({ body }) => body.length > 0 && !body.equals(Buffer.from(body.toString())));
  has(({ damaged }) => damaged !== undefined);
});

test('links have every form of every platform, also with IDs that the lab has', () => {
  const texts = new Set(fc.sample(linkTexts(), { seed: 1, numRuns: 10_000 }));
  expect(
    Object.values(links)
      .flat()
      .filter((link) => !texts.has(link)),
  ).toEqual([]);
  const known = fc.sample(linkTexts('p5', 'xlab30'), { seed: 1, numRuns: 200 });
  expect(known).toContain('https://touch.dailymotion.com/#/video/xlab30');
  expect(sample.some(({ body }) => body.includes('tiktok.com'))).toBe(true);
  const parameter = { name: 'link', in: 'query', required: true, schema: { type: 'string' } } as const;
  expect(linksFor('/p5/v3/video/details', parameter)).toBeDefined();
  expect(linksFor('/health', parameter)).toBeUndefined();
});

test('no request names an address off this machine', () => {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  for (const request of sample) {
    const text = decodeLoosely(bytesOf(request).toString('latin1'));
    for (const [, host = ''] of text.matchAll(/https?:\/\/(?:[^/?#\s"']*@)?(\[[^\]\s]*\]|[\w.-]+)/g)) {
      // URL parses every spelling of an address: decimal, octal, short.
      const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
      const family = isIP(name);
      if (family !== 0) expect(loopback.check(name, family === 4 ? 'ipv4' : 'ipv6'), host).toBe(true);
    }
  }
});

function decodeLoosely(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

describe('the command line that repeats a request', () => {
  /** Returns the words into which bash splits a command line; the words of the input piped into netcat come first. */
  function runInBash(command: string): readonly Buffer[] {
    const shims = 'words() { printf \'%s\\0\' "$@"; }; curl() { words "$@"; }; nc() { cat; }';
    const printed = execFileSync('bash', ['--norc', '-c', `${shims}; ${command}`], {
      env: { LC_ALL: 'C', PATH: process.env.PATH },
    });
    return command.startsWith('curl') ? splitAtNul(printed) : [printed];
  }

  test('sends the bytes of a damaged request', () => {
    // A NUL ends a word of bash, but not the output of printf.
    const damaged = Buffer.from([0, 10, 13, 37, 39, 92, 128, 255, 65]);
    const request = { method: 'GET', target: '/', headers: [], body: Buffer.alloc(0), damaged };
    expect(runInBash(commandOf(request, origin))).toEqual([damaged]);
  });

  test('contains the method, target and headers that were sent', () => {
    const headers = [
      ['Host', '127.0.0.1:8080'],
      ['X-Quote', `it's "\\" \u00ff`],
      ['X-Empty', ''],
    ] as const;
    const request = { method: 'GET', target: "/a b'%00\u00e9", headers, body: Buffer.alloc(0) };
    const words = runInBash(commandOf(request, origin)).map((word) => word.toString('latin1'));
    expect(words).toEqual(expect.arrayContaining(["/a b'%00\u00e9", `X-Quote: it's "\\" \u00ff`, 'X-Empty;', origin]));
  });

  function splitAtNul(bytes: Buffer): readonly Buffer[] {
    const text = bytes.toString('latin1').split('\0').slice(0, -1);
    return text.map((word) => Buffer.from(word, 'latin1'));
  }
});
