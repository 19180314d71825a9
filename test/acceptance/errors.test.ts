import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

/** How the simulated source responds; set by each test. */
let behave: RequestListener;
let service: RunningProcess;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const outside = createServer((request, response) => behave(request, response));
  outside.listen(0, '127.0.0.1');
  await once(outside, 'listening');
  closers.push(async () => {
    outside.closeAllConnections();
    outside.close();
    await once(outside, 'close');
  });
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  const address = outside.address();
  if (address === null || typeof address === 'string') throw new Error('the system assigned no port');
  service = await startService(`http://127.0.0.1:${address.port}`, folder.path);
  closers.push(service.stop);
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

describe('a source', () => {
  test.each<[string, string, number, RequestListener]>([
    ['that hangs up', 'connection_error', 502, (request) => request.socket.destroy()],
    [
      'that redirects in a loop',
      'unexpected_redirect',
      502,
      (request, response) => response.writeHead(302, { location: request.url }).end(),
    ],
    ['that returns 500', 'non_2xx_response', 502, (_request, response) => response.writeHead(500).end('sorry')],
  ])('%s is reported as %s, with 200', async (_name, code, statusCode, listener) => {
    behave = listener;
    for (const path of ['/p5/v3/video/details?videoId=xlab2', '/p1/v3/search/suggestions?query=mills']) {
      const { status, body } = await extract<Result>(`${service.url}${path}`);
      expect([path, status, body.error?.code]).toEqual([path, 200, code]);
      expect(body.error).toMatchObject({ statusCode, retryable: true, message: expect.stringMatching(/\w+ \w+/) });
      expect(body.metadata).toEqual({});
    }
  });
});
