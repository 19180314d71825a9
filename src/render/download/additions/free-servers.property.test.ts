import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceCaller } from '../../../contract/caller.ts';
import { parseJob } from '../../../contract/parse-job.ts';
import { createEgress } from '../../../egress/create-egress.ts';
import { type Visit, visitServers } from '../../../testing/visit-servers.ts';
import { fetchAdditions } from './fetch-additions.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-free-'));
});
afterAll(async () => {
  await egress.close();
  await rm(folder, { recursive: true, force: true });
});

/** Fetches a cover and subtitles, each of which is the file of the server. Returns how many were fetched. */
async function fetchFrom({ seed, server, isExact }: Visit): Promise<string> {
  const directory = await mkdtemp(join(folder, `${seed}-`));
  const job = parseJob({
    id: 'job',
    inputs: [{ url: 'https://a.example/v', ext: 'mp4' }],
    output: { ext: 'mp4', cover: { url: server.url }, subtitles: [{ url: `${server.url}?subtitles`, format: 'vtt' }] },
    operation: { type: 'join_streams' },
  });
  const context = {
    egress,
    caller: serviceCaller,
    signal: AbortSignal.timeout(60_000),
    pause: async () => undefined,
    directory,
  };
  const { cover, subtitles, notes } = await fetchAdditions(job, context);
  const fetched = [...(cover === undefined ? [] : [cover]), ...subtitles];
  for (const { path } of fetched) if (!isExact(await readFile(path))) throw new Error('wrong bytes');
  expect(fetched.length + notes.length).toBe(2);
  for (const { message } of notes) expect(message).toMatch(/^(?:The cover image was|Subtitles 1 were) left out: [^:]+/);
  await rm(directory, { recursive: true });
  return `${fetched.length} fetched`;
}

test('additions from any server are exact, or left out with a note', async () => {
  const servers = 90;
  const outcomes = await visitServers({ servers, mayKeepSize: true }, fetchFrom);
  expect(outcomes['2 fetched']).toBeGreaterThan(servers / 6);
});
