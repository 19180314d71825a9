import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '#client/client.ts';
import { MillraceApiError, MillraceNetworkError } from '#client/errors.ts';
import { useClock, withoutPauses } from '#client/testing/without-pauses.ts';
import { type Visit, visitServers } from '../../testing/visit-servers.ts';
import type { Session } from '../service/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { FileRequest } from './fetch-file.ts';
import { fetchFile } from './fetch-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-free-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(useClock);
afterEach(() => {
  vi.useRealTimers();
});

/** The terminal of a command whose output goes into a file. */
const noTerminal = undefined as unknown as Terminal;

/** Fetches the file as `millrace get` does, again and again until it is complete. */
async function getFrom({ seed, server, isExact }: Visit): Promise<string> {
  const path = join(folder, String(seed), 'film.mp4');
  const client = createClient({ url: server.url, retries: 0 });
  const nothing = async () => undefined;
  const session: Session = {
    ...{ client, service: server.url, persistent: true, origin: 'https://api.example', canRender: false },
    ...{ ready: nothing, close: nothing },
  };
  const reporter = { step: () => undefined, status: () => undefined, say: () => undefined, close: () => undefined };
  const context = { session, reporter, signal: AbortSignal.timeout(60_000), retries: 2 };
  const request: FileRequest = {
    ...{ choice: { label: '720p', ext: 'mp4', url: server.url }, query: 'q' },
    ...{ path, force: false },
  };
  let outcome = '';
  for (let runs = 0; runs < 4; runs += 1) {
    try {
      const { bytes } = await withoutPauses(fetchFile(request, context, noTerminal));
      const found = await readFile(path);
      const isEmptyFault = found.length === 0 && server.character.faults.some(({ kind }) => kind === 'status');
      if (bytes !== found.length || !(isExact(found) || isEmptyFault)) throw new Error(`${found.length} wrong bytes`);
      expect(await readdir(join(path, '..'))).toEqual(['film.mp4']);
      return runs === 0 ? 'exact' : 'exact after failures';
    } catch (error) {
      if (error instanceof MillraceNetworkError) outcome = error.fault;
      else if (error instanceof MillraceApiError) outcome = `status ${error.statusCode}`;
      else throw error;
    }
    // Nothing but a part remains.
    const names = await readdir(join(path, '..')).catch(() => []);
    expect(['film.mp4.part', 'film.mp4.part.json']).toEqual(expect.arrayContaining(names));
  }
  return outcome;
}

test('a file that a command saved is exact, whatever its server and earlier commands did', async () => {
  const servers = 90;
  const outcomes = await visitServers({ servers }, getFrom);
  expect(outcomes.exact).toBeGreaterThan(servers / 9);
});
