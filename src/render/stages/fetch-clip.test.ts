import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import type { Clip } from '../../contract/clip.ts';
import type { JobDescription } from '../../contract/job.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { createHasher } from '../../files/hashing/hasher.ts';
import { filmBytesPerSecond, makeFilm } from '../download/excerpt/testing/make-film.ts';
import { readWithMediabunny } from '../download/excerpt/testing/read-with-mediabunny.ts';
import { MIB } from '../download/testing/downloads.ts';
import { type RequestHandler, rangeOf, serveRanges, serveWhole, startOrigin } from '../download/testing/origin.ts';
import { type MediaDirectory, makeMedia, makeTestDirectory } from '../engine/testing/test-media.ts';
import { probeInput } from '../preview/probe-input.ts';
import { hashInputs } from '../receipts/hash-inputs.ts';
import { fetchMedia } from './fetch-media.ts';
import { createTestEngine } from './testing/test-engine.ts';

let source: Buffer;
beforeAll(() => {
  source = makeFilm();
});
afterAll(() => {
  source = Buffer.alloc(0);
});

let directory: MediaDirectory;
beforeEach(() => {
  directory = makeTestDirectory();
});
afterEach(() => directory.remove());

/** Plans a clip of the film without fetching it. */
async function probeClip(serve: RequestHandler, clip: Clip) {
  const origin = await startOrigin({ '/film.mp4': serve });
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const [input] = parseJob({
    id: 'job',
    inputs: [{ url: `${origin.url}/film.mp4`, ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  }).inputs;
  if (input === undefined) throw new Error('the job has an input');
  const { signal } = new AbortController();
  try {
    return await probeInput(input, 0, {
      egress,
      caller: serviceCaller,
      signal,
      pause: async () => undefined,
      clip,
      hasOtherInputs: false,
    });
  } finally {
    await egress.close();
    await origin.close();
  }
}

/** Fetches a clip of the film, and counts the bytes that are served. */
async function fetchClip(serve: RequestHandler, more: Partial<JobDescription> = {}) {
  let servedBytes = 0;
  const origin = await startOrigin({
    '/film.mp4': (request, response) => {
      const range = rangeOf(request, source.length);
      servedBytes += range === undefined ? source.length : range.to - range.from + 1;
      serve(request, response);
    },
  });
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const job = parseJob({
    id: 'job',
    inputs: [{ url: `${origin.url}/film.mp4`, ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    clip: { start: 102, end: 132 },
    ...more,
  });
  const context = {
    egress,
    caller: serviceCaller,
    directory: directory.path,
    signal: new AbortController().signal,
    pause: async () => undefined,
    onProgress: () => undefined,
  };
  try {
    const media = await fetchMedia(job, context, createTestEngine().engine, pino({ level: 'silent' }));
    if (media.kind === 'placed') throw new Error('clips are never placed');
    return { job, media, input: media.inputs[0], servedBytes, requests: origin.requestLog.length };
  } finally {
    await egress.close();
    await origin.close();
  }
}

describe('a clip of a file', () => {
  test('is fetched with little more than its own bytes', async () => {
    const { input, servedBytes, requests } = await fetchClip(serveRanges(source));
    const [file] = input?.files ?? [];
    expect(file).toMatchObject({ sourceBytes: source.length, parts: [{ excerptStart: 100 }] });
    expect(servedBytes).toBeLessThan(1.1 * 33 * filmBytesPerSecond + source.indexOf('mdat') + 128 * 1024);
    expect(requests).toBeLessThanOrEqual(8);
    const tracks = await readWithMediabunny(await readFile(file?.parts[0]?.path ?? ''));
    expect(tracks.map(({ packets }) => packets[0]?.timestamp)).toEqual([100, expect.closeTo(99.9, 1)]);
    expect(tracks.map(({ packets }) => packets.at(-1)?.timestamp)).toEqual([
      expect.closeTo(133, 0),
      expect.closeTo(133, 0),
    ]);
  });

  test('may be much larger than the limit of its inputs', async () => {
    const limits = { inputSize: { total: 6 * MIB } };
    const { servedBytes } = await fetchClip(serveRanges(source), { limits });
    expect(servedBytes).toBeLessThan(6 * MIB);
  });

  test('is refused before its media is fetched if it is larger than the limit', async () => {
    let servedBytes = 0;
    const serve: RequestHandler = (request, response) => {
      const { from, to } = rangeOf(request, source.length) ?? { from: 0, to: source.length - 1 };
      servedBytes += to - from + 1;
      serveRanges(source)(request, response);
    };
    const job = { limits: { inputSize: { total: 6 * MIB } }, clip: { start: 0, end: 150 } };
    await expect(fetchClip(serve, job)).rejects.toMatchObject({ code: 'input_too_large', input: 0 });
    expect(servedBytes).toBeLessThan(source.indexOf('mdat') + MIB);
  });

  test('is fetched completely through connections that fail', async () => {
    const cut = serveRanges(source, (from) => (from % 3 === 0 ? 200_000 : undefined));
    const [{ input: whole }, { input }] = [await fetchClip(serveRanges(source)), await fetchClip(cut)];
    expect(input?.files).toEqual(whole?.files);
  });

  test('is fetched with the whole file from a source without ranges, with a reason', async () => {
    const { input } = await fetchClip(serveWhole(source));
    expect(input).toMatchObject({
      wholeReason: 'its server does not support ranges',
      files: [{ bytes: source.length }],
    });
    expect(input?.files[0]?.parts[0]?.excerptStart).toBeUndefined();
  });

  test('is fetched with the whole file from backends with different tags, with a reason', async () => {
    let count = 0;
    const { input } = await fetchClip((request, response) => {
      count += 1;
      const { from, to } = rangeOf(request, source.length) ?? { from: 0, to: source.length - 1 };
      const isWhole = request.headers.range === undefined;
      response.writeHead(isWhole ? 200 : 206, {
        ...(isWhole ? {} : { 'content-range': `bytes ${from}-${to}/${source.length}` }),
        'content-length': to + 1 - from,
        etag: `"${count}"`,
      });
      response.end(source.subarray(from, to + 1));
    });
    expect(input).toMatchObject({
      wholeReason: 'its server sends different versions of it',
      files: [{ bytes: source.length }],
    });
  });

  test('is fetched with the whole file if it has no index, with a reason', async () => {
    const unindexed = Buffer.concat([Buffer.from('ID3 tags'), source.subarray(8)]);
    const { input } = await fetchClip(serveRanges(unindexed));
    expect(input).toMatchObject({ wholeReason: 'its format has no index', files: [{ bytes: source.length }] });
  });

  test('is fetched with the whole file if its index calls every frame a key frame, with a reason', async () => {
    const media = await makeMedia('gop.mp4');
    const file = await readFile(media.file('gop.mp4'));
    media.remove();
    const { input: honest } = await fetchClip(serveRanges(file), { clip: { start: 2.2, end: 2.4 } });
    expect(honest?.wholeReason).toBeUndefined();
    // Without the list of key frames, all frames count as such (ISO/IEC 14496-12 §8.6.2).
    file.write('sdtp', file.indexOf('stss'), 'latin1');
    const { input } = await fetchClip(serveRanges(file), { clip: { start: 2.2, end: 2.4 } });
    expect(input).toMatchObject({
      wholeReason: 'its index does not lead to key frames',
      files: [{ bytes: file.length }],
    });
  });

  test('finds the media of fragments that state where in the file it is', async () => {
    const media = await makeMedia('reordered-fragments.mp4');
    const file = await readFile(media.file('reordered-fragments.mp4'));
    media.remove();
    const { input } = await fetchClip(serveRanges(file), { clip: { start: 2.2, end: 2.7 } });
    expect(input?.wholeReason).toBeUndefined();
    const tracks = await readWithMediabunny(await readFile(input?.files[0]?.parts[0]?.path ?? ''));
    const sourceTracks = await readWithMediabunny(file);
    for (const [at, { packets }] of tracks.entries()) {
      const hashes = sourceTracks[at]?.packets.map(({ hash }) => hash);
      expect(packets.length).toBeGreaterThan(20);
      expect(hashes).toEqual(expect.arrayContaining(packets.map(({ hash }) => hash)));
    }
  });

  test('has the size that its preview states', async () => {
    const probed = await probeClip(serveRanges(source), { start: 102, end: 132 });
    const { servedBytes } = await fetchClip(serveRanges(source));
    expect(probed).toMatchObject({ size: source.length, sizeIsExact: true, clipSize: servedBytes, ranges: true });
    await expect(probeClip(serveRanges(source), { start: 200 })).rejects.toMatchObject({ code: 'clip_out_of_range' });
  });

  test('is stated as such in the hashes of the inputs', async () => {
    const { job, media } = await fetchClip(serveRanges(source));
    const hasher = createHasher();
    try {
      const [hashed] = await hashInputs(job, media, hasher, new AbortController().signal);
      const bytes = media.inputs[0]?.files[0]?.bytes;
      expect(hashed).toEqual([{ bytes, sha256: expect.any(String), sourceBytes: source.length, excerptStart: 100 }]);
    } finally {
      await hasher.close();
    }
  });

  test('fails with the duration of the file if it starts after the end', async () => {
    await expect(fetchClip(serveRanges(source), { clip: { start: 250 } })).rejects.toMatchObject({
      code: 'clip_out_of_range',
      message: 'The clip starts at 250 s, but input 1 lasts 200 s. Choose a clip within it.',
      input: 0,
    });
  });
});
