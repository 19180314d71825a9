/** @module-tag long */

import { copyFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DownloadContext, downloadInputs } from './download-inputs.ts';
import { createJobLinks } from './links/job-links.ts';
import { downloadPlaced } from './placed-download.ts';
import { createBytes, hash, MIB } from './testing/downloads.ts';
import { type RunPlace, runHealable, servedBytes, serveLinks } from './testing/healable-run.ts';
import { interleavingPlacer } from './testing/interleaving-placer.ts';
import type { RequestHandler } from './testing/origin.ts';
import { createPlaylist } from './testing/playlist-handlers.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-resume-links-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const crash = new Error('the process is killed');

/**
 * Fetches until 60 % have arrived, then stops like a killed process, and fetches the rest in another process. Links with
 * version 0 die, and each process has another link in their place, which sends other validators.
 */
async function fetchInTwoProcesses<Result>(
  { job, context, services }: RunPlace,
  fetch: (context: DownloadContext) => Promise<Result>,
): Promise<Result> {
  const [directory, next] = [await mkdtemp(join(root, 'run-')), await mkdtemp(join(root, 'run-'))];
  const abort = new AbortController();
  const onProgress = (fraction: number) => {
    if (abort.signal.aborted || fraction < 0.6) return;
    // Journals are copied first, because a journal never records more than its file contains.
    const names = readdirSync(directory).toSorted((a, b) => Number(b.endsWith('l')) - Number(a.endsWith('l')));
    for (const name of names) copyFileSync(join(directory, name), join(next, name));
    abort.abort(crash);
  };
  const linksWith = (version: number) => {
    const links = job.inputs.map(({ url, ext }) => ({ url: `${url}?v=${version}`, ext, headers: {} }));
    return createJobLinks(job, { ...services, healer: { heal: async () => ({ links }) } });
  };
  await expect(fetch({ ...context, directory, signal: abort.signal, onProgress, links: linksWith(1) })).rejects.toBe(
    crash,
  );
  return await fetch({ ...context, directory: next, links: linksWith(2) });
}

const chunkDownload = { size: 256 * 1024, concurrency: 2 };
/** Maximum number of bytes in flight when the process is killed, for two inputs. */
const inFlight = 2 * 2 * 2 * chunkDownload.size;

test('another process continues a file that had a new link through a further one', async () => {
  const bytes = createBytes(8 * MIB);
  const file = serveLinks(bytes, [{ bytes: 2 * MIB }]);
  const { result, error } = await runHealable(
    { handlers: { '/a': file.handler }, inputs: [{ url: '/a', chunkDownload }] },
    (place) =>
      fetchInTwoProcesses(place, (context) =>
        downloadInputs(place.job, context).then(async ([input]) =>
          hash(await readFile(input?.files[0]?.parts[0]?.path ?? '')),
        ),
      ),
  );
  expect([error, result]).toEqual([undefined, hash(bytes)]);
  expect(servedBytes(file)).toBeLessThanOrEqual(bytes.length + inFlight);
  expect([...file.served.keys()]).toEqual([0, 1, 2]);
});

test('another process continues placed fragments that had a new link through a further one', async () => {
  const bytes = [createBytes(6 * MIB), createBytes(5 * MIB)] as const;
  const files = bytes.map((each) => serveLinks(each, [{ bytes: MIB }]));
  const [video, audio] = files;
  if (video === undefined || audio === undefined) throw new Error('there are two files');
  const run = {
    handlers: { '/v': video.handler, '/a': audio.handler },
    inputs: ['/v', '/a'].map((url) => ({ url, chunkDownload })),
  };
  const place = async ({ job }: RunPlace, context: DownloadContext) => {
    const outcome = await downloadPlaced(job, interleavingPlacer, context);
    return outcome.kind === 'placed' ? hash(await readFile(outcome.path)) : outcome.reason;
  };
  const undisturbed = { '/v': serveLinks(bytes[0], []).handler, '/a': serveLinks(bytes[1], []).handler };
  const expected = await runHealable({ ...run, handlers: undisturbed }, (at) => place(at, at.context));
  const { result, error } = await runHealable(run, (at) => fetchInTwoProcesses(at, (context) => place(at, context)));
  expect([error, result]).toEqual([undefined, expected.result]);
  expect(servedBytes(...files)).toBeLessThanOrEqual(11 * MIB + inFlight);
});

test('another process continues a playlist that had a new link through a further one', async () => {
  const segments = Array.from({ length: 10 }, (_, index) => createBytes(100_000 + index).fill(index, 0, 500));
  const files = segments.map((bytes, index) => serveLinks(bytes, index < 2 ? [] : [{ bytes: 0 }]));
  const list: RequestHandler = (request, response) => {
    const version = new URL(request.url ?? '', 'http://origin').searchParams.get('v') ?? '0';
    const lines = segments.flatMap((_bytes, index) => ['#EXTINF:4,', `/${index}?v=${version}`]);
    response.writeHead(200).end(createPlaylist(lines));
  };
  const handlers = { '/list': list, ...Object.fromEntries(files.map(({ handler }, index) => [`/${index}`, handler])) };
  const inputs = [{ url: '/list', ext: 'm3u8', HLSPlaylistDownload: { concurrency: 1 } }];
  const { result, error } = await runHealable({ handlers, inputs }, (place) =>
    fetchInTwoProcesses(place, (context) =>
      downloadInputs(place.job, context).then(async ([input]) =>
        hash(await readFile(input?.files[0]?.parts[0]?.path ?? '')),
      ),
    ),
  );
  expect([error, result]).toEqual([undefined, hash(Buffer.concat(segments))]);
  // One segment was in flight, and one byte of another checks its version.
  expect(servedBytes(...files)).toBeLessThanOrEqual(Buffer.concat(segments).length + 2 * 100_010);
});
