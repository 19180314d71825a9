import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestClient } from '#client/testing/test-client.ts';
import { downloadChunks } from './download-chunks.ts';

const file = { url: 'https://api.example/files/a?key=secret' };
const small = { maxBytes: 100, timeout: 20_000 };

/** Serves chunks of one byte without end: the next as soon as it is read, or each after a pause in milliseconds. */
function endlessBody(pause: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      controller.enqueue(Uint8Array.of(1));
    },
  });
}

async function read(pause: number, limits: object): Promise<unknown> {
  const { client } = createTestClient(({ signal }) => {
    const body = endlessBody(pause);
    const stopped = new TransformStream<Uint8Array, Uint8Array>();
    body.pipeTo(stopped.writable, signal === undefined ? {} : { signal }).catch(() => undefined);
    return new Response(stopped.readable);
  });
  const chunks = downloadChunks(
    client,
    file,
    { signal: new AbortController().signal, ...limits },
    async () => undefined,
  );
  try {
    for await (const _ of chunks);
    return undefined;
  } catch (error) {
    return error;
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Timeout', 'TimeoutError')), milliseconds);
    return controller.signal;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a small file that does not end is refused at its maximum size', async () => {
  expect(await read(0, { small })).toMatchObject({
    name: 'CommandError',
    message: 'https://api.example/files/a sent more than the allowed 100.00 B.',
  });
});

test('a small file of which a byte arrives now and then is refused after its time limit', async () => {
  const outcome = read(1_000, { small });
  await vi.advanceTimersByTimeAsync(small.timeout);
  expect(await outcome).toMatchObject({
    name: 'CommandError',
    message: 'https://api.example/files/a did not send the whole file within 20 s.',
  });
});
