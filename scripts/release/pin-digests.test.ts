import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseImageReference } from './image-reference.ts';
import { imagesIn, pinImages } from './pin-images.ts';
import { readDigest } from './read-digest.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

describe('parseImageReference', () => {
  test.each([
    ['node:26-slim', { registry: 'docker.io', repository: 'library/node', tag: '26-slim' }],
    ['grafana/grafana:13.3.0', { registry: 'docker.io', repository: 'grafana/grafana', tag: '13.3.0' }],
    ['quay.io/a/b/c:v1', { registry: 'quay.io', repository: 'a/b/c', tag: 'v1' }],
    ['localhost:5000/a:v1', { registry: 'localhost:5000', repository: 'a', tag: 'v1' }],
    [`node:26@${DIGEST}`, { registry: 'docker.io', repository: 'library/node', tag: '26' }],
  ])('reads %s', (text, expected) => {
    expect(parseImageReference(text)).toEqual(expected);
  });

  test.each(['node', 'localhost:5000/a', `node@${DIGEST}`])('rejects %s, which has no tag', (text) => {
    expect(() => parseImageReference(text)).toThrow(/has no tag/);
  });
});

describe('pinImages', () => {
  const text = [
    'FROM node:26.10.0-slim AS packages # comment',
    `FROM debian:12@${OTHER}`,
    '    image: nginx:1.28.0-alpine',
    '# image: of a comment',
    '  - { name: millrace, newName: registry.example/millrace, newTag: 0.2.0 }',
  ].join('\n');
  const names = ['nginx:1.28.0-alpine', 'node:26.10.0-slim', 'debian:12', 'registry.example/millrace:0.2.0'];

  test('finds all images', () => {
    expect(imagesIn(text)).toEqual(names);
  });

  test('adds digests, and replaces those that exist', () => {
    const pinned = pinImages(text, new Map(names.map((name) => [name, DIGEST])));
    expect(pinned).toBe(
      text
        .replace(OTHER, DIGEST)
        .replace('26.10.0-slim', `26.10.0-slim@${DIGEST}`)
        .replace('1.28.0-alpine', `1.28.0-alpine@${DIGEST}`)
        .replace('newTag: 0.2.0', `newTag: 0.2.0, digest: ${DIGEST}`),
    );
    expect(imagesIn(pinned)).toEqual(names);
  });

  test('does not change images without a digest', () => {
    expect(pinImages(text, new Map())).toBe(text);
  });
});

describe('with a registry', () => {
  let server: Server;
  let origin: string;
  let requests: string[];
  const manifests = new Map<string, string>();

  /** A registry that requires a token, as Docker Hub does for anonymous pulls. */
  beforeAll(async () => {
    server = createServer(({ url = '', headers }, response) => {
      const { pathname, searchParams } = new URL(url, origin);
      requests.push(url);
      if (pathname === '/token') {
        response.end(JSON.stringify({ token: `pull ${searchParams.get('scope')}` }));
        return;
      }
      const [, repository = '', tag = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(pathname) ?? [];
      const scope = `repository:${repository}:pull`;
      if (headers.authorization !== `Bearer pull ${scope}`) {
        const challenge = `Bearer realm="${origin}/token",service="test",scope="${scope}"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
        return;
      }
      const manifest = manifests.get(repository) ?? JSON.stringify({ schemaVersion: 2, repository, tag });
      const digest = manifests.has(repository) ? DIGEST : digestOf(repository, tag);
      response.writeHead(repository === 'missing' ? 404 : 200, { 'docker-content-digest': digest }).end(manifest);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    requests = [];
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const digestOf = (repository: string, tag: string) =>
    `sha256:${createHash('sha256')
      .update(JSON.stringify({ schemaVersion: 2, repository, tag }))
      .digest('hex')}`;
  const origins = () => new Map(['docker.io', 'registry.example'].map((host) => [host, origin]));
  const read = (name: string) => readDigest(parseImageReference(name), origins());

  test('readDigest returns the digest of the manifest, with a token', async () => {
    expect(await read('nginx:1')).toBe(digestOf('library/nginx', '1'));
  });

  test('readDigest rejects a manifest that does not match the digest of the registry', async () => {
    manifests.set('other/changed', '{}');
    await expect(read('other/changed:1')).rejects.toThrow(/is not sha256:a/);
  });

  test('readDigest rejects a manifest that is too long', async () => {
    manifests.set('other/long', ' '.repeat(5 * 1024 * 1024));
    await expect(read('other/long:1')).rejects.toThrow(/more than 4194304 bytes/);
  });

  test('readDigest reports an image that does not exist', async () => {
    await expect(read('registry.example/missing:1')).rejects.toThrow(
      /responded to \/v2\/missing\/manifests\/1 with 404/,
    );
  });

  test('pin-digests.ts pins every image of the deployment files except the one that is built there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-pin-'));
    const paths = ['compose.yaml', 'Dockerfile', 'kubernetes/pod/kustomization.yaml'];
    const sources = paths.map((path) => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url)));
    const files = sources.map((source) => join(folder, basename(source)));
    for (const [index, source] of sources.entries()) await copyFile(source, files[index] ?? '');
    const program = fileURLToPath(new URL('pin-digests.ts', import.meta.url));
    const registries = ['docker.io', 'registry.example'].map((host) => `--registry=${host}=${origin}`);
    requests = [];
    await promisify(execFile)(process.execPath, [program, ...registries, `--digest=${OWN}=${OTHER}`, ...files]);
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const all = texts.join('\n');
    const images = texts.flatMap(imagesIn);
    expect(images.length).toBeGreaterThan(7);
    for (const image of images.filter((name) => name !== OWN && !name.startsWith('millrace:'))) {
      const { repository, tag } = parseImageReference(image);
      expect(all).toContain(`${image}@${digestOf(repository, tag)}`);
    }
    expect(all).toContain(`digest: ${OTHER}`);
    expect(all).toMatch(/^ {2}image: millrace:\S+$/m);
    // The digest of the image that was just pushed is not requested.
    expect(requests.filter((url) => url.includes('registry.example'))).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const OWN = `registry.example/millrace:${version}`;
