import { describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { describeJob, post, run, type StatusEvent } from '../support/http-client.ts';
import { type LabRequest, labFile, requestsWithToken } from '../support/lab-client.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** The origin that every input of these tests names. */
const origin = 'https://cdn.lab.example';

/** Headers that belong to the requested origin. */
const credentials = {
  cookie: 'session=secret',
  authorization: 'Bearer secret',
  'x-token': 'secret',
};
/** Headers that any origin may see. */
const harmless = {
  'user-agent': 'Test/1.0',
  referer: 'https://page.example/watch',
  origin: 'https://page.example',
  accept: 'video/*',
  'accept-language': 'de',
};
const requestOptions = { headers: { ...credentials, ...harmless } };

/** Origins that differ from the requested one in one part each. The lab responds for all of them. */
const others = [
  ['another host', 'https://other.lab.example'],
  ['another port', 'https://cdn.lab.example:8443'],
  ['another scheme', 'http://cdn.lab.example'],
] as const;

const movie = '/media/amber-2/movie-360.mp4';
/** Path of a playlist member in tests that check only the request: the link makes the lab return 404. */
const missing = '/hls/amber-2/180/seg-00001.ts';

/** Returns a link to a file at another origin, with the same token. */
function at(origin: string, path: string, token: string, query: Record<string, string> = {}): string {
  return `${origin}${path}?${new URLSearchParams({ token, ...query })}`;
}

function jobOf(url: string, more: Record<string, unknown> = {}) {
  const ext = new URL(url).pathname.endsWith('.m3u8') ? 'm3u8' : 'mp4';
  return describeJob('convert_format', [{ url, ext, requestOptions, ...more }], 'mp4');
}

const renders = (url: string, more: Record<string, unknown> = {}): Promise<StatusEvent> =>
  run(service, jobOf(url, more));

/** Returns the requests of a token whose path contains a text. */
async function requestsFor(token: string, text: string): Promise<readonly LabRequest[]> {
  const requests = (await requestsWithToken(lab, token)).filter(({ path }) => path.includes(text));
  expect(requests).not.toEqual([]);
  return requests;
}

function expectCredentials(requests: readonly LabRequest[]): void {
  for (const { headers } of requests) expect(headers).toMatchObject({ ...credentials, ...harmless });
}

function expectNoCredentials(requests: readonly LabRequest[]): void {
  for (const { headers } of requests) {
    expect(headers).toMatchObject(harmless);
    expect(JSON.stringify(headers)).not.toMatch(/secret/);
  }
}

for (const { rows, options } of firstRows(1, others))
  describe.each(rows)('an input that is redirected to %s', options, (_name, origin) => {
    test('sends no credentials there', async () => {
      const { url, token } = labFile(movie);
      const target = at(origin, movie, token, { target: '1' });
      expect(await renders(`${url}&${new URLSearchParams({ redirectTo: target })}`)).toMatchObject({ status: 'done' });
      expectCredentials(await requestsFor(token, 'redirectTo='));
      expectNoCredentials(await requestsFor(token, 'target=1'));
    });

    test('sends no credentials there in a preview', async () => {
      const { url, token } = labFile(movie);
      const target = at(origin, movie, token, { target: '1' });
      const job = jobOf(`${url}&${new URLSearchParams({ redirectTo: target })}`);
      expect((await post(`${service}/api/v1/render/execute?plan=only`, job)).status).toBe(200);
      expectCredentials(await requestsFor(token, 'redirectTo='));
      expectNoCredentials(await requestsFor(token, 'target=1'));
    });

    test('sends no credentials for the segments, keys and maps of a playlist there', async () => {
      for (const [path, member] of [
        ['/hls/amber-12/360/aes.m3u8', /seg-|key-/],
        ['/hls/amber-12/360/fmp4.m3u8', /seg-|init/],
        ['/hls/amber-2/master-audio.m3u8', /index|seg-/],
      ] as const) {
        const { url, token } = labFile(path);
        const target = at(origin, path, token, { target: '1' });
        expect(await renders(`${url}&${new URLSearchParams({ redirectTo: target })}`)).toMatchObject({
          status: 'done',
        });
        const requests = await requestsWithToken(lab, token);
        expectCredentials(requests.filter((request) => request.path.includes('redirectTo=')));
        expect(requests.filter((request) => member.test(request.path)).length).toBeGreaterThan(1);
        expectNoCredentials(requests.filter((request) => !request.path.includes('redirectTo=')));
      }
    });

    test.each([307, 308])('does not send its body there (%i)', async (redirectStatus) => {
      const { url, token } = labFile(movie, { redirectStatus });
      const target = at(origin, movie, token, { target: '1' });
      const posted = { requestOptions: { ...requestOptions, method: 'POST', body: 'secret body' } };
      const event = await renders(`${url}&${new URLSearchParams({ redirectTo: target })}`, posted);
      expect(event).toMatchObject({ status: 'failed', error: expect.stringMatching(/another origin.*not sent/) });
      const requests = await requestsWithToken(lab, token);
      expect(requests.map(({ method, body }) => [method, body])).toEqual([['POST', 'secret body']]);
    });
  });

describe('a playlist at the requested origin', () => {
  for (const { rows, options } of firstRows(1, others))
    test.each(rows)('sends no credentials to its members at %s', options, async (_name, origin) => {
      for (const as of ['segment', 'key', 'init', 'variant', 'audio']) {
        const { url, token } = labFile('/hostile/internal.m3u8', { as });
        // The job fails because the member is missing; only the sent requests count.
        const target = at(origin, missing, token, { status: '404' });
        await renders(`${url}&${new URLSearchParams({ target })}`);
        expectCredentials(await requestsFor(token, 'target='));
        expectNoCredentials(await requestsFor(token, `${missing}?`));
      }
    });

  test('sends all headers to its members there', async () => {
    for (const path of ['/hls/amber-2/180/aes.m3u8', '/hls/amber-2/180/fmp4.m3u8', '/hls/amber-2/master-audio.m3u8']) {
      const { url, token } = labFile(path);
      expect(await renders(url)).toMatchObject({ status: 'done' });
      expectCredentials(await requestsWithToken(lab, token));
    }
  });
});

test('a playlist that was redirected elsewhere sends credentials to members at the requested origin', async () => {
  for (const as of ['segment', 'key', 'init', 'variant', 'audio']) {
    const { url, token } = labFile('/hls/amber-2/180/index.m3u8');
    const member = at(origin, missing, token, { status: '404' });
    const playlist = at('https://other.lab.example', '/hostile/internal.m3u8', token, { as, target: member });
    await renders(`${url}&${new URLSearchParams({ redirectTo: playlist })}`);
    const requests = await requestsWithToken(lab, token);
    const elsewhere = requests.filter(({ host }) => host === 'other.lab.example');
    expect(elsewhere).not.toEqual([]);
    expectNoCredentials(elsewhere);
    expectCredentials(await requestsFor(token, `${missing}?`));
  }
});

test('Proxy-Authorization is refused, because it would belong to no origin', async () => {
  const { url } = labFile(movie);
  const job = jobOf(url, { requestOptions: { headers: { 'Proxy-Authorization': 'Basic c2VjcmV0' } } });
  const { status, body } = await post<{ error: { code: string } }>(`${service}/api/v1/render/execute`, job);
  expect([status, body.error.code]).toEqual([400, 'invalid_body']);
});

test('a 307 within the requested origin keeps method, body and credentials', async () => {
  const { url, token } = labFile(movie, { redirect: 1, redirectStatus: 307 });
  const posted = { requestOptions: { ...requestOptions, method: 'POST', body: 'secret body' } };
  expect(await renders(url, posted)).toMatchObject({ status: 'done' });
  const requests = await requestsWithToken(lab, token);
  expect(requests.length).toBeGreaterThan(1);
  expectCredentials(requests);
  for (const { method, body } of requests) expect([method, body]).toEqual(['POST', 'secret body']);
});

test('a webhook is not sent to the redirect target of its receiver', async () => {
  const { url, token } = labFile('/media/amber-2/still-720.jpg', { redirect: 1, redirectHost: 'other.lab.example' });
  const webhook = { url, secret: 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl' };
  const clip = { url: labFile(movie).url, ext: 'mp4' };
  await run(service, describeJob('no_process', [clip], 'mp4', { webhook }));
  await expect.poll(() => requestsWithToken(lab, token)).toMatchObject([{ host: 'cdn.lab.example', method: 'POST' }]);
});
