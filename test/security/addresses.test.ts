import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, post, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');

/** Represents any internal target on this machine that must not be reached. */
let hits = 0;
const inner = createServer((_request, response) => {
  hits += 1;
  response.end('secret');
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    inner.listen(0, '127.0.0.1', resolve);
  });
  port = (inner.address() as AddressInfo).port;
});
afterAll(() => {
  inner.close();
});

async function refusal(url: string, ext = 'mp4'): Promise<string | null> {
  const event = await run(service, describeJob('convert_format', [{ url, ext }], 'mp4'));
  expect(event.status).toBe('failed');
  return event.error;
}

describe('an internal address is refused', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '[fd00::1]',
    '[fe80::1]',
    'localhost',
    'a.localhost',
  ])('as %s', async (host) => {
    expect(await refusal(`http://${host}:${port}/`)).toMatch(/does not connect to it/);
  });

  test.each([1, 2, 4])('behind %i redirects', async (hops) => {
    for (const host of [
      '127.0.0.1',
      '[::ffff:127.0.0.1]',
      'localhost',
      '0x7f.1',
      encodeURIComponent('２１３０７０６４３３'),
    ]) {
      const faults = { redirect: hops, redirectTo: `http://${host}:${port}/` };
      expect(await refusal(labFile('/media/amber-2/movie-360.mp4', faults).url)).toMatch(/does not connect to it/);
    }
  });

  test('behind a redirect to another scheme', async () => {
    const { url } = labFile('/media/amber-2/movie-360.mp4', { redirectTo: 'file:///etc/passwd' });
    expect(await refusal(url)).toMatch(/Only http and https/);
  });

  test.each([
    ['segment', '/hls/amber-12/360/index.m3u8'],
    ['key', '/hls/amber-12/360/aes.m3u8'],
    ['init', '/hls/amber-12/360/fmp4.m3u8'],
    ['variant', '/hls/amber-12/master.m3u8'],
  ])('behind a redirect of the %s of a playlist', async (what, playlist) => {
    const faults = { [`${what}.redirectTo`]: `http://127.0.0.1:${port}/` };
    expect(await refusal(labFile(playlist, faults).url, 'm3u8')).toMatch(/does not connect to it/);
  });

  /**
   * Spellings of this machine's own address. The guard's unit tests cover other addresses, so that no request goes out.
   */
  const spellings = ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'];

  test('as an input of a preview', async () => {
    for (const host of spellings) {
      const job = describeJob('convert_format', [{ url: `http://${host}:${port}/`, ext: 'mp4' }], 'mp4');
      const { body } = await post(`${service}/api/v1/render/execute?plan=only`, job);
      expect(body).toMatchObject({ problems: [{ code: 'address_refused' }] });
    }
  });

  test('as the receiver of a webhook', async () => {
    for (const host of spellings) {
      const clip = { url: labFile('/media/amber-2/still-720.jpg').url, ext: 'jpg' };
      const webhook = { url: `http://${host}:${port}/`, secret: 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl' };
      const job = describeJob('no_process', [clip], 'jpg', { webhook });
      expect((await run(service, job)).status).toBe('done');
      const headers = { authorization: `Bearer ${keys.render}` };
      const deliveries = () =>
        fetchJson<{ deliveries: unknown[] }>(`${service}/api/v1/render/jobs/${job.id}/deliveries`, { headers });
      await expect
        .poll(async () => (await deliveries()).body.deliveries)
        .toMatchObject([
          { state: 'given_up', tries: [{ status: null, error: expect.stringMatching(/does not connect to it/) }] },
        ]);
    }
  });

  test('and is never reached', () => expect(hits).toBe(0));
});
