/** @module-tag long */

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { downloadInputs } from './download-inputs.ts';
import { downloadPlaced } from './placed-download.ts';
import { createBytes, hash, MIB } from './testing/downloads.ts';
import { type RunPlace, runHealable, servedBytes, serveLinks } from './testing/healable-run.ts';
import { interleavingPlacer } from './testing/interleaving-placer.ts';

const files = [createBytes(6 * MIB), createBytes(5 * MIB).fill(1, 0, 1000)] as const;
const chunkDownload = { size: 256 * 1024, concurrency: 2 };

/** Serves both files through links that die, and places them. Returns the hash of the result, or why it was declined. */
async function place(links: readonly Parameters<typeof serveLinks>[1][]) {
  const served = files.map((bytes, index) => serveLinks(bytes, links[index] ?? []));
  const [video, audio] = served;
  if (video === undefined || audio === undefined) throw new Error('there are two files');
  const fetch = async ({ job, context }: RunPlace) => {
    const outcome = await downloadPlaced(job, interleavingPlacer, context);
    if (outcome.kind === 'placed') return hash(await readFile(outcome.path));
    const inputs = await downloadInputs(job, context);
    const paths = inputs.map(({ files: [file] }) => file?.parts[0]?.path ?? '');
    return { reason: outcome.reason, hashes: await Promise.all(paths.map(async (path) => hash(await readFile(path)))) };
  };
  const inputs = ['/v', '/a'].map((url) => ({ url, chunkDownload }));
  const handlers = { '/v': video.handler, '/a': audio.handler };
  return { ...(await runHealable({ handlers, inputs }, fetch)), served: servedBytes(...served), video, audio };
}

const total = 11 * MIB;

test.each([
  ['the head of one file', [[{ bytes: 50_000 }], []], 1],
  ['the fragments of one file', [[{ bytes: 3 * MIB }], []], 1],
  ['the fragments of both files', [[{ bytes: 3 * MIB }], [{ bytes: 2 * MIB }]], 1],
  ['both files before the first byte', [[{ bytes: 0 }], [{ bytes: 0 }]], 1],
  ['the fragments of one file twice', [[{ bytes: 2 * MIB }, { bytes: 2 * MIB }], []], 2],
] as const)('places all bytes once when a link dies in %s', async (_name, links, requests) => {
  const expected = await place([]);
  const { result, error, served, healRequests, reports } = await place(links);
  expect([error, result]).toEqual([undefined, expected.result]);
  expect(healRequests).toHaveLength(requests);
  expect(served).toBeLessThanOrEqual(total * 1.02);
  expect(reports.filter(({ outcome }) => outcome === 'arrived')).toHaveLength(2);
});

describe('a new link to a file of another size', () => {
  const other = createBytes(4 * MIB);

  test.each([
    ['', []],
    [', although the link of the other input died at the same time', [{ bytes: 2 * MIB }]],
  ])('makes only its input start again%s', async (_name, links) => {
    const { result, error, audio, video } = await place([[{ bytes: 3 * MIB }, { body: other }], links]);
    expect(error).toBeUndefined();
    expect(result).toEqual({ reason: 'Input 1 has a new version', hashes: [hash(other), hash(files[1])] });
    // Requests that were running when the placement ended may have to be repeated.
    expect(servedBytes(audio)).toBeLessThanOrEqual(files[1].length + chunkDownload.concurrency * chunkDownload.size);
    expect(video.served.get(1)).toBeGreaterThanOrEqual(other.length);
  });
});
