import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, post, run, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');

/** Represents an internal target that must not be reached. */
let reached = 0;
const inner = createServer((_request, response) => {
  reached += 1;
  response.end('secret');
});
let target = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    inner.listen(0, '127.0.0.1', resolve);
  });
  target = `http://127.0.0.1:${(inner.address() as AddressInfo).port}/`;
});
afterAll(() => {
  inner.close();
});

async function failure(path: string, query: Record<string, string | number> = {}, operation = 'convert_format') {
  const { url } = labFile(path, { target, ...query });
  const event = await run(service, describeJob(operation, [{ url, ext: path.split('.').at(-1) ?? '' }], 'mp4'));
  expect(event).toMatchObject({ status: 'failed', output: null });
  return event.error ?? '';
}

describe('hostile media', () => {
  test.each(['ffconcat', 'mpd', 'sdp', 'svg', 'm3u8'])(
    '%s with the extension mp4 is refused, and causes no request',
    async (name) => {
      expect(await failure(`/hostile/${name}.mp4`)).toMatch(/Input 1/);
    },
  );

  test.each(['huge-dimensions', 'huge-samples', 'huge-tables', 'huge-box'])(
    '%s ends in time, within its limits',
    async (name) => {
      const { url } = labFile(`/hostile/${name}.mp4`);
      for (const copyStreams of [true, false]) {
        const job = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', {
          operation: { type: 'convert_format', copyStreams },
        });
        const event = await run(service, job);
        // The false declarations may be harmless in a copy. The file has then been verified.
        if (event.status === 'failed') expect(event.error).toMatch(/\w/);
        else expect(event.output?.size).toBeGreaterThan(0);
      }
    },
  );
});

describe('a playlist with internal addresses is refused', () => {
  test.each(['segment', 'key', 'init', 'variant', 'audio'])('in its %s', async (as) => {
    expect(await failure('/hostile/internal.m3u8', { as })).toMatch(/does not connect to it/);
  });

  test.each([
    'file:///etc/passwd',
    'concat:/etc/passwd|/etc/hosts',
    'data:video/mp4;base64,AAAA',
    'subfile,,start,0,end,1,,:/etc/passwd',
  ])('in %s', async (address) => {
    for (const as of ['segment', 'key', 'init', 'variant']) {
      const error = await failure('/hostile/scheme.m3u8', { as, target: address });
      expect(error).not.toContain('root:');
    }
  });
});

test('no internal target was reached, and the service is healthy', async () => {
  expect(reached).toBe(0);
  // The health of a busy service can be bad for a moment.
  await expect.poll(async () => (await fetch(`${service}/health`)).status).toBe(200);
  const { url } = labFile('/media/amber-2/movie-360.mp4');
  const started = await post<StartedJob>(
    `${service}/api/v1/render/execute`,
    describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4'),
  );
  expect(started.status).toBe(202);
});
