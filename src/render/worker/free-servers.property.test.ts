import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEgress } from '../../egress/create-egress.ts';
import { certificate, trustCertificate } from '../../egress/testing/certificate.ts';
import { passTurns, type Visit, visitServers } from '../../testing/visit-servers.ts';
import { putFile } from './put-file.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
let folder: string;
beforeAll(async () => {
  trustCertificate();
  folder = await mkdtemp(join(tmpdir(), 'millrace-free-'));
});
afterAll(async () => {
  await egress.close();
  await rm(folder, { recursive: true, force: true });
});

/** Uploads a file to the server until the outcome is final. Returns the outcome. */
async function upload({ seed, server, versions: [{ bytes }] }: Visit): Promise<string> {
  const path = join(folder, String(seed));
  await writeFile(path, bytes);
  const source = { path, bytes: bytes.length, mediaType: 'video/mp4' };
  // By then, the server has sent a response that does not wait for the file.
  const pause = () => passTurns(200);
  const call = { egress, owner: 'me', onProgress: () => undefined, signal: AbortSignal.timeout(60_000), pause };
  let outcome = '';
  for (let attempts = 0; attempts < 6; attempts += 1) {
    const attemptsBefore = server.requests.length;
    const { verdict, status, error } = await putFile(source, { url: server.url, headers: {}, keep: true }, call);
    const received = server.requests.slice(attemptsBefore);
    for (const { body = bytes } of received) expect(body.equals(bytes)).toBe(true);
    if (verdict === 'delivered')
      expect(received.some(({ body, accepted }) => accepted && body !== undefined)).toBe(true);
    if (status === null) expect(error?.message).toMatch(/127\.0\.0\.1/);
    outcome = verdict === 'failed' ? `failed ${status ?? error?.code}` : verdict;
    if (verdict !== 'failed') break;
  }
  await rm(path);
  return outcome;
}

test('a file that counts as delivered is whole in any store', async () => {
  const servers = 90;
  const outcomes = await visitServers(
    { servers, maxBytes: 600_000, server: (random) => (random() < 0.2 ? { secure: certificate } : {}) },
    upload,
  );
  expect(outcomes.delivered).toBeGreaterThan(servers / 9);
});
