import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { plainCharacter } from '../../lab/freedom/character.ts';
import { type Visit, visitServers } from '../testing/visit-servers.ts';
import { openS3Storage } from './s3-storage.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-free-'));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Stores a file on the server. Returns the outcome. */
async function putTo({ server, versions: [{ bytes }] }: Visit): Promise<string> {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', new URL(server.url).origin);
  const storage = openS3Storage({ bucket: 'files', prefix: '' });
  const key = randomUUID();
  const path = join(folder, key);
  await writeFile(path, bytes);
  const call = { size: bytes.length, signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  try {
    const { sha256 } = await storage.put(key, path, call);
    if (server.stored === undefined || !server.stored.equals(bytes)) throw new WrongFile('the store has other bytes');
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('base64'));
    return 'stored';
  } catch (error) {
    if (error instanceof WrongFile || !(error instanceof Error) || call.signal.aborted) throw error;
    expect(error.message).not.toBe('');
    return 'failed';
  } finally {
    await storage.close();
    await rm(path);
  }
}

class WrongFile extends Error {}

test('a file of a store that does not state its size is read back', async () => {
  const habits = { ...plainCharacter, framing: 'close' } as const;
  const [bytes, other] = [Buffer.from('a film'), Buffer.from('another one')];
  const options = { servers: 1, versions: () => [bytes, other] as const, server: () => ({ isStore: true, habits }) };
  let methods: string[] = [];
  const outcomes = await visitServers(options, async (visit) => {
    const outcome = await putTo(visit);
    methods = visit.server.requests.map(({ method }) => method);
    return outcome;
  });
  expect([Object.keys(outcomes), methods]).toEqual([['stored'], ['PUT', 'HEAD', 'GET']]);
});

test('a file that counts as stored is whole in any store', async () => {
  const servers = 60;
  const outcomes = await visitServers({ servers, server: () => ({ isStore: true }) }, putTo);
  expect(outcomes.stored).toBeGreaterThan(servers / 9);
});
