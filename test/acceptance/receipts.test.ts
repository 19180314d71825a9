/** @module-tag long */

import { createHash, createPublicKey, verify, type webcrypto } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { millrace } from '../support/command-line.ts';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, fetchJson, render } from '../support/http-client.ts';
import { fetchThroughLab, labFile } from '../support/lab-client.ts';
import { keys, startService, temporaryFolder } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

const service = inject('serviceUrl');
const env = { MILLRACE_URL: service, MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Receipt {
  readonly payload: string;
  readonly protected: string;
  readonly signature: string;
}

interface KeySet {
  readonly keys: readonly (webcrypto.JsonWebKey & { readonly kid: string })[];
}

let cwd: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});
afterAll(() => remove());

const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());

async function readKeys(url = service): Promise<KeySet> {
  const { headers, body } = await fetchJson<KeySet>(`${url}/.well-known/millrace-receipt-keys.json`);
  expect(headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
  return body;
}

/** Verifies a receipt as RFC 7515 describes, without code of the service. Returns its statement. */
async function verifiedStatement(receipt: Receipt) {
  const { alg, kid } = decode(receipt.protected);
  const jwk = (await readKeys()).keys.find((key) => key.kid === kid);
  if (jwk === undefined) throw new Error(`the key ${kid} is not published`);
  const signed = Buffer.from(`${receipt.protected}.${receipt.payload}`);
  const signature = Buffer.from(receipt.signature, 'base64url');
  expect(alg).toBe('EdDSA');
  expect(verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true);
  return decode(receipt.payload);
}

describe('the receipt of a job', () => {
  test('names the hash of each input and of the file, signed with a published key', async () => {
    const files = ['video-720.mp4', 'audio.mp4'].map((name) => labFile(`/media/amber-30/${name}`).url);
    const job = describeJob(
      'join_streams',
      files.map((url) => ({ url: `${url}?token=secret`, ext: 'mp4' })),
      'mp4',
    );
    const { event, file } = await render(service, job);
    const { status, headers, body } = await fetchJson<Receipt>(event.output?.receipt ?? '');
    expect(event.output?.receipt).toBe(`${event.output?.url}.receipt`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/jose+json; charset=utf-8']);
    const statement = await verifiedStatement(body);
    expect(statement).toMatchObject({
      version: 1,
      item: null,
      inputs: files.map((url) => ({ ext: 'mp4', representation: null, host: new URL(url).hostname })),
      operation: { type: 'join_streams', copyStreams: true, container: 'mp4' },
      output: { bytes: file.length, sha256: sha256(file) },
      proof: {
        kind: 'compared',
        streams: [
          { kind: 'video', codec: 'h264', packets: expect.any(Number) },
          { kind: 'audio', codec: 'aac', packets: expect.any(Number) },
        ],
      },
      notes: [],
    });
    for (const input of statement.inputs) {
      expect(input.files).toEqual([{ bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    }
    const text = JSON.stringify(statement);
    for (const secret of [job.id, 'secret', 'amber']) expect(text).not.toContain(secret);
  });

  test('states the clip, the encoding, and digests of what was added', async () => {
    const image = labFile('/media/amber-30/still-720.jpg');
    const subtitles = '1\n00:00:01,000 --> 00:00:02,000\nA private line\n';
    const additions = {
      metadata: { title: 'A private title', artist: 'Somebody' },
      chapters: [{ start: 0, title: 'A private chapter' }],
      cover: { url: image.url },
      subtitles: [{ content: subtitles, format: 'srt', language: 'de', title: 'Deutsch' }],
    };
    const operation = {
      type: 'convert_format',
      copyStreams: false,
      video: { maxHeight: 96, crop: '1:1' },
      audioBitrate: 48,
    };
    const job = {
      ...describeJob('convert_format', [{ url: labFile('/media/amber-30/movie-360.mp4').url, ext: 'mp4' }], 'mp4'),
      output: { ext: 'mp4', maxSize: 400_000, ...additions },
      operation,
      clip: { start: 2, end: 4 },
    };
    const { event } = await render(service, job);
    const { body } = await fetchJson<Receipt>(event.output?.receipt ?? '');
    const statement = await verifiedStatement(body);
    const { body: imageBytes } = await fetchThroughLab(inject('labUrl'), image.url);
    expect(statement).toMatchObject({
      operation: { ...operation, container: 'mp4', maxSize: 400_000 },
      clip: { start: 2, end: 4 },
      additions: {
        metadata: {
          tags: ['artist', 'title'],
          sha256: sha256(Buffer.from('{"artist":"Somebody","title":"A private title"}')),
        },
        chapters: { count: 1, sha256: sha256(Buffer.from('[{"start":0,"title":"A private chapter"}]')) },
        cover: { host: new URL(image.url).hostname, bytes: imageBytes.length, sha256: sha256(imageBytes) },
        subtitles: [
          {
            format: 'srt',
            language: 'de',
            title: 'Deutsch',
            default: false,
            host: null,
            bytes: subtitles.length,
            sha256: sha256(Buffer.from(subtitles)),
          },
        ],
      },
    });
    for (const secret of ['private', 'Somebody', image.token]) expect(JSON.stringify(statement)).not.toContain(secret);
  });

  test('of a slideshow names its post, and no host', async () => {
    const query = new URLSearchParams({ shortcode: 'lab-photo-1', renderableFormats: 'slideshow', clip: '0-1' });
    const { body } = await extract<Result>(`${service}/p2/v3/media/post/details?${query}`);
    const slideshow = body.contents?.flatMap(({ renderableVideos = [] }) => renderableVideos)[0];
    const { output } = await renderItem(slideshow);
    const statement = await verifiedStatement((await fetchJson<Receipt>(output?.receipt ?? '')).body);
    expect(statement).toMatchObject({
      item: { platform: 'p2', parameters: { shortcode: 'lab-photo-1' }, content: 0 },
      operation: { type: 'slideshow' },
      additions: { metadata: { tags: expect.arrayContaining(['url']) } },
    });
    for (const { host } of statement.inputs) expect(host).toBeNull();
  });

  test('does not exist for a link that the service did not make', async () => {
    const response = await fetchJson(`${service}/files/made-up/film.mp4.receipt`);
    expect(response.status).toBe(404);
  });
});

test('get saves a receipt, and verify accepts exactly its file, offline', async () => {
  const saved = await millrace(['get', 'lab-min-002', '--quality', '360p', '-o', 'film.mp4', '--receipt'], {
    env,
    cwd,
  });
  expect(saved.code, saved.stderr).toBe(0);
  const path = join(cwd, 'film.mp4');
  const statement = await verifiedStatement(JSON.parse(await readFile(`${path}.receipt`, 'utf8')));
  expect(statement.item).toMatchObject({ platform: 'p1', parameters: { videoId: 'lab-min-002' }, content: 0 });
  expect(statement.inputs).toHaveLength(2);
  for (const { host, representation } of statement.inputs) {
    expect([host, representation]).toEqual([null, { repId: expect.any(String), kind: expect.stringMatching(/o/) }]);
  }
  await writeFile(join(cwd, 'keys.json'), JSON.stringify(await readKeys()));
  const offline = { cwd, env: { MILLRACE_RECEIPT_KEYS: 'keys.json' } };
  const verified = await millrace(['verify', 'film.mp4'], offline);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^Verified: film\.mp4\n/)]);
  const film = await readFile(path);
  film[film.length - 1] = (film.at(-1) ?? 0) ^ 1;
  await writeFile(path, film);
  const changed = await millrace(['verify', 'film.mp4', '--json'], offline);
  expect([changed.code, JSON.parse(changed.stdout)]).toMatchObject([8, { verified: false, reason: 'wrong_hash' }]);
});

test('get refuses to sign a receipt with a key that ends with the command', async () => {
  const alone = { EGRESS_CONNECT_TO: `*=${inject('labUrl')}` };
  const { code, stderr } = await millrace(['get', 'lab-min-002', '-o', 'other.mp4', '--receipt'], { env: alone, cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Add --service or --data.')]);
});

test('a receipt stays verifiable after its secret was removed, and new ones have another key', async () => {
  const [earlier, later] = ['an earlier secret of the test', 'a later secret of the test'];
  const source = labFile('/media/amber-30/video-360.mp4').url;
  const data = await temporaryFolder();
  const withSecrets = async <T>(secrets: string, use: (url: string) => Promise<T>): Promise<T> => {
    const own = await startService(inject('labUrl'), data.path, { SIGNING_SECRETS: secrets });
    return await use(own.url).finally(own.stop);
  };
  const job = () => describeJob('no_process', [{ url: source, ext: 'mp4' }], 'mp4');
  const saveRender = async (url: string, name: string) => {
    const { event, file } = await render(url, job());
    await writeFile(join(cwd, name), file);
    const { body } = await fetchJson<Receipt>(event.output?.receipt ?? '');
    await writeFile(join(cwd, `${name}.receipt`), JSON.stringify(body));
    return decode(body.protected).kid;
  };
  try {
    const first = await withSecrets(earlier, (url) => saveRender(url, 'first.mp4'));
    const second = await withSecrets(`${later},${earlier}`, (url) => saveRender(url, 'second.mp4'));
    const published = await withSecrets(later, readKeys);
    expect(published.keys.map(({ kid }) => kid)).toEqual([second, first]);
    await writeFile(join(cwd, 'all.json'), JSON.stringify(published));
    await writeFile(join(cwd, 'later.json'), JSON.stringify({ keys: published.keys.slice(0, 1) }));
    const verify = async (name: string, key: string) => (await millrace(['verify', name, '--key', key], { cwd })).code;
    expect(await verify('first.mp4', 'all.json')).toBe(0);
    expect(await verify('second.mp4', 'all.json')).toBe(0);
    expect(await verify('first.mp4', 'later.json')).toBe(9);
  } finally {
    await data.delete();
  }
});
