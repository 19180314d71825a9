import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { LostFileError } from '../../storage/lost-file-error.ts';
import { openS3Storage } from '../../storage/s3-storage.ts';
import { type Visit, visitServers } from '../../testing/visit-servers.ts';
import { openStoredPart } from './open-stored-part.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** Reads a part of a file that a store sends, three times. Returns the outcomes. */
async function readFrom({ random, server, versions: [{ bytes }] }: Visit): Promise<string> {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', new URL(server.url).origin);
  const storage = openS3Storage({ bucket: 'files', prefix: '' });
  const size = bytes.length;
  const outcomes: string[] = [];
  for (let reads = 0; reads < 3; reads += 1) {
    const first = Math.floor(random() * size);
    const part = { first, last: first + Math.floor(random() * (size - first)), size };
    const opened = openStoredPart(storage, randomUUID(), part, AbortSignal.timeout(60_000));
    try {
      const stream = await opened;
      const found = await buffer(stream).catch(() => undefined);
      if (found !== undefined && !found.equals(bytes.subarray(part.first, part.last + 1)))
        throw new Error('wrong bytes');
      outcomes.push(found === undefined ? 'broken' : 'exact');
    } catch (error) {
      if (error instanceof LostFileError) outcomes.push(error.fault);
      else if (error instanceof MillraceError) outcomes.push(error.code);
      else throw error;
    }
  }
  await storage.close();
  return outcomes.includes('exact') ? 'exact' : outcomes.join(' ');
}

test('a part of a stored file is exact, whatever its store does, or reading it fails', async () => {
  const servers = 60;
  const outcomes = await visitServers({ servers }, readFrom);
  expect(outcomes.exact).toBeGreaterThan(servers / 9);
});
