import { type AddressInfo, createServer } from 'node:net';
import ipaddr from 'ipaddr.js';
import { afterAll, describe, expect, test } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { createEgress } from './create-egress.ts';
import { fetchBody } from './fetch-body.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
afterAll(() => egress.close());

/** Fetches from a server that sends these bytes. */
async function fetchFrom(response: string, client: { readonly allowBufferReuse?: true }): Promise<Buffer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The connection stays open, so that its end cannot be the reported failure.
    socket.once('data', () => socket.write(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const signal = AbortSignal.timeout(60_000);
  const { body } = await fetchBody(
    egress,
    { url: `http://127.0.0.1:${port}/`, caller: serviceCaller, signal, ...client },
    1000,
  ).finally(() => server.close());
  return body;
}

describe.each([{}, { allowBufferReuse: true as const }])('a failure of the client %o', (client) => {
  test.each([
    ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', /^The connection to .* failed: .*\bCR\b/],
    [
      'too many headers',
      `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`,
      /^The connection to .* failed: the headers of the response are larger than 16384 bytes\.$/,
    ],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nA : 2\r\n\r\n', /^The connection to .* failed: .*header/i],
  ])('is explained: %s', async (_what, response, message) => {
    const error = await fetchFrom(response, client).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'connection_error', message: expect.stringMatching(message) });
    expect(String(error)).not.toMatch(/UND_ERR|HPE_/);
  });

  test('does not occur if a list of content codings is empty', async () => {
    const response = 'HTTP/1.1 200 OK\r\nContent-Encoding: , \r\nContent-Length: 2\r\n\r\nok';
    expect((await fetchFrom(response, client)).toString()).toBe('ok');
  });
});
