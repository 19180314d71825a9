import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Contract, contractOf, type DocumentedOperation } from '../support/contract.ts';
import { keys } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';

/** Values as they are written in a URL, each with what it may break. */
const values = [
  ['bytes that are not UTF-8', '%ff%fe'],
  ['an overlong slash', '%c0%ae%c0%ae%2f'],
  ['half of a surrogate pair', '%ed%a0%80'],
  ['a percent sign alone', '%'],
  ['a percent sign before other characters', '%zz'],
  ['a null character', '%00'],
  ['a line break and a header', '%0d%0aX-Injected:%201'],
  ['control characters', '%01%08%1b%5b2J%7f%c2%9b'],
  ['a change of the writing direction', '%e2%80%aetxt.exe'],
  ['the name of a member of every object', '__proto__'],
  ['thousands of characters', 'a'.repeat(7_000)],
] as const;

const origin = inject('serviceUrl');
let contract: Contract;

beforeAll(async () => {
  const read = await contractOf(origin);
  if (read === undefined) throw new Error('the service publishes no OpenAPI document');
  contract = read;
});

/** Sends a request whose first query parameter has the value, with no other parameter. */
async function ask({ path, parameters }: DocumentedOperation, value: string) {
  const name = parameters.find((parameter) => parameter.in === 'query')?.name;
  const target = `${path.replaceAll(/\{\w+\}/g, 'x')}?${name}=${value}`;
  const { status, headers, body } = await sendRaw(origin, {
    method: 'GET',
    target,
    headers: [
      ['X-Marketplace-Key', keys.MEGA],
      ['X-Marketplace-Host', 'api.example'],
      ['Authorization', `Bearer ${keys.render}`],
    ],
  });
  return { target, status, headers, body };
}

describe('a query parameter of every operation', () => {
  test.each(values)('gets a documented response, and no 5xx, for %s', async (_, value) => {
    const operations = contract.operations.filter(
      ({ method, parameters }) => method === 'GET' && parameters.some((parameter) => parameter.in === 'query'),
    );
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations) {
      const { target, status, headers, body } = await ask(operation, value);
      expect(status, `${target}\n${body}`).toBeLessThan(500);
      expect(headers.has('x-injected'), target).toBe(false);
      const contentType = headers.get('content-type') ?? null;
      const isJson = contentType?.startsWith('application/json') === true;
      contract.check({
        method: 'GET',
        url: `${origin}${target}`,
        status,
        contentType,
        body: isJson ? JSON.parse(body) : body,
      });
      expect(body, target).not.toContain('unexpected_error');
    }
  });
});
