import { createHash } from 'node:crypto';
import type { ImageReference } from './image-reference.ts';

/** The kinds of manifest that name an image for several systems, and then those for one. */
const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const TIMEOUT_MS = 30_000;
/** The OCI distribution specification lets registries limit manifests to 4 MiB. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_TOKEN_BYTES = 64 * 1024;
/** Docker Hub's registry has another host than its name. */
const DOCKER_HUB_ORIGIN = 'https://registry-1.docker.io';

/**
 * Reads the digest that a tag has in its registry at present, without an account (OCI distribution specification 1.1,
 * and the token exchange of https://distribution.github.io/distribution/spec/auth/token/).
 *
 * @param origins Other origins of registries, by host: mirrors, or a registry without TLS.
 * @returns `sha256:…`, computed from the manifest that the registry sent.
 * @throws Error if the registry does not respond, refuses, or sends a manifest that does not match its digest.
 */
export async function readDigest(image: ImageReference, origins: ReadonlyMap<string, string>): Promise<string> {
  const standard = image.registry === 'docker.io' ? DOCKER_HUB_ORIGIN : `https://${image.registry}`;
  const origin = origins.get(image.registry) ?? standard;
  const url = new URL(`/v2/${image.repository}/manifests/${image.tag}`, origin);
  let response = await request(url);
  if (response.status === 401) response = await request(url, await fetchToken(response, url));
  if (!response.ok)
    throw new Error(`${url.host} responded to ${url.pathname} with ${response.status}. Check the name.`);
  const manifest = await readBody(response, url, MAX_MANIFEST_BYTES);
  const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
  const stated = response.headers.get('docker-content-digest') ?? digest;
  if (stated !== digest) throw new Error(`${url.host} sent a manifest of ${url.pathname} that is not ${stated}.`);
  return digest;
}

async function request(url: URL, token?: string): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { accept: MANIFEST_TYPES.join(', '), ...authorization };
  return await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** Fetches the token that a registry's 401 response asks for. */
async function fetchToken(response: Response, url: URL): Promise<string> {
  await response.body?.cancel();
  const challenge = response.headers.get('www-authenticate') ?? '';
  const members = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const realm = members.get('realm');
  if (!challenge.startsWith('Bearer ') || realm === undefined) throw new Error(`${url.host} requires an account.`);
  const location = new URL(realm);
  if (location.protocol !== url.protocol) throw new Error(`${url.host} names an unsafe address for tokens: ${realm}`);
  for (const name of ['service', 'scope']) {
    const value = members.get(name);
    if (value !== undefined) location.searchParams.set(name, value);
  }
  const answer = await fetch(location, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${location.host} responded with ${answer.status} instead of a token.`);
  const body = JSON.parse(String(await readBody(answer, location, MAX_TOKEN_BYTES))) as {
    readonly token?: string;
    readonly access_token?: string;
  };
  const token = body.token ?? body.access_token;
  if (token === undefined) throw new Error(`${location.host} sent no token.`);
  return token;
}

async function readBody(response: Response, url: URL, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new Error(`${url.host} sent more than ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
