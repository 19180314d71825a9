import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createJournal } from '../http/journal.ts';
import { listen } from '../http/server.ts';
import type { Content } from './content.ts';
import { createGates } from './gates.ts';
import { createSender } from './send.ts';
import { createTokens } from './tokens.ts';

const size = 1 << 30;

test('the file is read only as fast as the client receives it, and not at all after the client disconnects', async () => {
  let read = 0;
  const ended = Promise.withResolvers<void>();
  const blocked = Promise.withResolvers<ServerResponse>();
  const content: Content = {
    type: 'video/mp4',
    size,
    etag: '"x"',
    async *read() {
      try {
        for (; read < size; read += 1 << 20) yield Buffer.alloc(1 << 20);
      } finally {
        ended.resolve();
      }
    },
  };
  const send = createSender(createTokens(), createGates());
  const server = await listen(0, createJournal(), async (exchange) => {
    blocked.resolve(exchange.response);
    await send(exchange, content);
  });
  const client = connect(server.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: cdn.lab.example\r\n\r\n');
  const response = await blocked.promise;
  await expect.poll(() => response.writableNeedDrain).toBe(true);
  // The buffers of the operating system hold a few megabytes.
  expect(read).toBeLessThan(size / 8);
  client.destroy();
  await ended.promise;
  expect(read).toBeLessThan(size / 8);
  if (!response.closed) await once(response, 'close');
  await server.close();
});
