import { expect, test } from 'vitest';
import { openContract } from '../contract.ts';
import { judge } from './judge.ts';

const responses = { 503: { content: { 'application/json': { schema: { type: 'object', required: ['error'] } } } } };
const contract = openContract({
  openapi: '3.1.0',
  paths: { '/health': { get: { responses } }, '/health/live': { get: { responses } } },
});
const body = JSON.stringify({ error: { message: 'No.', code: 'no', retryable: true, statusCode: 503 } });
const head = `HTTP/1.1 503 No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

test.each([
  ['/health?a', undefined],
  ['/health/live', 'server error'],
])('the status 503 is the fault of %s: %s', (target, fault) => {
  const request = { method: 'GET', target, headers: [], body: Buffer.alloc(0) };
  const verdict = judge(contract, request, { received: Buffer.from(head + body), ended: 'closed' });
  expect(verdict?.fault).toBe(fault);
});
