/** @module-tag long */

import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { createHasher, type Hasher } from '../../files/hashing/hasher.ts';
import { type RequestHandler, rangeOf, startOrigin } from '../download/testing/origin.ts';
import { box, fullBox, u16, u32 } from '../engine/mp4/box-writer.ts';
import { emptyDash } from '../engine/testing/make-dash.ts';
import { testTrack } from '../engine/testing/mp4-tracks.ts';
import { type MediaDirectory, makeTestDirectory } from '../engine/testing/test-media.ts';
import { fetchMedia } from '../stages/fetch-media.ts';
import { createTestEngine } from '../stages/testing/test-engine.ts';
import { hashInputs } from './hash-inputs.ts';

const MIB = 1024 * 1024;
const hasher = createHasher();
const { signal } = new AbortController();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let directory: MediaDirectory;
beforeEach(() => {
  directory = makeTestDirectory();
});
afterEach(() => directory.remove());
afterAll(() => hasher.close());

/** Returns a DASH file of three fragments of different sizes and contents, so that those of two files alternate. */
function dashFile(kind: 'video' | 'audio', tail = Buffer.alloc(0)): Buffer {
  const oneFragment = emptyDash(kind, MIB);
  const head = oneFragment.subarray(0, oneFragment.indexOf('sidx') - 4);
  const { timescale } = testTrack(kind);
  const sizes = [MIB + 1, 3 * MIB, 2 * MIB + 77];
  const entries = sizes.map((size) => u32(size, 2 * timescale, 0x9000_0000));
  const index = fullBox('sidx', 0, 0, u32(1, timescale, 0, 0), u16(0, entries.length), ...entries);
  const fragments = sizes.map((size, at) => box('mdat', Buffer.alloc(size - 8, `${kind} ${at}`)));
  return Buffer.concat([head, index, ...fragments, tail]);
}

/** Serves a file in ranges, except those that `refuse` selects. */
function serve(bytes: Buffer, refuse: (from: number) => boolean): RequestHandler {
  return (request, response) => {
    const { from, to } = rangeOf(request, bytes.length) ?? { from: 0, to: bytes.length - 1 };
    if (refuse(from)) return void response.writeHead(403).end();
    const head = {
      etag: '"1"',
      'content-range': `bytes ${from}-${to}/${bytes.length}`,
      'content-length': to - from + 1,
    };
    response.writeHead(206, head).end(bytes.subarray(from, to + 1));
  };
}

/** How inputs are fetched and hashed. */
interface Fetching {
  /** Whether a range from an offset on is refused in a run, of which the first is 1. */
  readonly refuse?: (from: number, run: number) => boolean;
  /** Hashes the inputs while they arrive; undefined if it is done later. */
  readonly arrivalHasher?: Pick<Hasher, 'open'> | undefined;
}

/**
 * Fetches files as the inputs of a job, in as many runs as it takes, and hashes the inputs. `read` counts those that
 * were read again for it.
 */
async function fetchAndHash(
  files: readonly Buffer[],
  output: string,
  { refuse = () => false, arrivalHasher = hasher }: Fetching = {},
) {
  const paths = files.map((_, index) => `/${index}`);
  let runs = 0;
  const origin = await startOrigin(
    Object.fromEntries(files.map((bytes, index) => [`/${index}`, serve(bytes, (from) => refuse(from, runs))])),
  );
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const job = parseJob({
    id: 'job',
    inputs: paths.map((path) => ({ url: `${origin.url}${path}`, ext: 'mp4' })),
    output: { ext: output },
    operation: { type: 'join_streams' },
  });
  const fetchOnce = async () => {
    runs += 1;
    return await fetchMedia(
      job,
      {
        egress,
        caller: serviceCaller,
        directory: directory.path,
        signal,
        hasher: arrivalHasher,
        pause: async () => undefined,
        onProgress: () => undefined,
      },
      createTestEngine().engine,
      pino({ level: 'silent' }),
    );
  };
  try {
    const media = await fetchOnce().catch(fetchOnce);
    let read = 0;
    const start: Hasher['start'] = (...call) => {
      read += 1;
      return hasher.start(...call);
    };
    return { kind: media.kind, hashes: await hashInputs(job, media, { start }, signal), read };
  } finally {
    await egress.close();
    await origin.close();
  }
}

const expected = (files: readonly Buffer[]) => files.map((bytes) => [{ bytes: bytes.length, sha256: sha256(bytes) }]);

test('hashes inputs that were fetched as whole files', async () => {
  const files = [dashFile('video'), dashFile('audio')];
  expect(await fetchAndHash(files, 'mkv')).toEqual({ kind: 'whole', hashes: expected(files), read: 0 });
});

test('hashes inputs whose fragments were written directly into the result', async () => {
  const files = [dashFile('video'), dashFile('audio')];
  expect(await fetchAndHash(files, 'mp4')).toEqual({ kind: 'placed', hashes: expected(files), read: 0 });
});

test('reads inputs again whose hash fails while they arrive', async () => {
  const files = [dashFile('video'), dashFile('audio')];
  const arrivalHasher = createHasher();
  await arrivalHasher.close();
  for (const [output, kind] of [
    ['mkv', 'whole'],
    ['mp4', 'placed'],
  ] as const) {
    const outcome = await fetchAndHash(files, output, { arrivalHasher });
    expect(outcome).toEqual({ kind, hashes: expected(files), read: 2 });
  }
});

test('hashes inputs of a download that an earlier run began', async () => {
  const files = [dashFile('video'), dashFile('audio')];
  let refusals = 0;
  const refuse = (from: number, run: number) => {
    const isRefused = run === 1 && from >= 4 * MIB;
    if (isRefused) refusals += 1;
    return isRefused;
  };
  const outcome = await fetchAndHash(files, 'mp4', { refuse });
  expect(outcome).toEqual({ kind: 'placed', hashes: expected(files), read: 0 });
  expect(refusals).toBeGreaterThan(0);
});

test('states the size of an input whose last bytes are in no fragment, and were not fetched', async () => {
  const tail = Buffer.from('0000000cfree0000', 'latin1');
  const [video, audio] = [dashFile('video', tail), dashFile('audio')];
  const { kind, hashes } = await fetchAndHash([video, audio], 'mp4');
  const fetched = video.subarray(0, -tail.length);
  expect(kind).toBe('placed');
  expect(hashes[0]).toEqual([{ bytes: fetched.length, sha256: sha256(fetched), sourceBytes: video.length }]);
  expect(hashes[1]).toEqual(expected([audio])[0]);
});
