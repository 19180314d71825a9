import { readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeDash } from '../testing/make-dash.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { readTopBoxes } from './box-reader.ts';
import { headBytes, longHeadBytes, readResult, readResultHead } from './read-result.ts';

const { signal } = new AbortController();

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia();
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  engine = createInProcessEngine();
  const inputs = [{ path: media.file('av.mp4') }];
  const operation = { type: 'convert_format', copyStreams: true } as const;
  const output = { path: media.file('result.mp4'), ext: 'mp4' };
  await engine.process({ directory: media.path, inputs, output, operation, maxOutputBytes: 1e8 }, { signal });
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Returns the result of a copy with some of its bytes changed. */
function changeResult(change: (file: Buffer) => Buffer): string {
  const path = media.file('changed.mp4');
  writeFileSync(path, change(readFileSync(media.file('result.mp4'))));
  return path;
}

/** Returns the result with padding before its index, and sample offsets adjusted accordingly. */
function withRoom(bytes: number): string {
  return changeResult((file) => {
    const filler = Buffer.alloc(bytes);
    filler.writeUInt32BE(filler.length);
    filler.write('free', 4, 'latin1');
    const [type] = readTopBoxes({ size: file.length, read: (from, length) => file.subarray(from, from + length) });
    const index = Buffer.from(file);
    for (let at = index.indexOf('stco'); at >= 0; at = index.indexOf('stco', at + 4)) {
      const count = index.readUInt32BE(at + 8);
      for (let entry = at + 12; entry < at + 12 + 4 * count; entry += 4) {
        index.writeUInt32BE(index.readUInt32BE(entry) + bytes, entry);
      }
    }
    return Buffer.concat([index.subarray(0, type?.end), filler, index.subarray(type?.end)]);
  });
}

describe('a plain file', () => {
  it('yields the report that a child process with the media library returns', async () => {
    const path = media.file('result.mp4');
    const probeReport = await engine.probe({ directory: media.path, path, ext: 'mp4' }, { signal });
    const plainResult = await readResult(path);
    expect(plainResult).toMatchObject({ bytes: probeReport.bytes, chapters: probeReport.chapters });
    expect(plainResult?.streams.map(({ kind, codec, stats }) => ({ kind, codec, stats }))).toEqual(
      probeReport.streams.map(({ kind, codec, stats }) => ({ kind, codec, stats })),
    );
    expect(plainResult?.duration).toBeCloseTo(probeReport.duration, 1);
  });
});

describe('a result that a child process must read', () => {
  it.each(['av.mkv', 'a.mp3', 'dash-v.mp4'])('is %s', async (name) => {
    expect(await readResult(media.file(name))).toBeUndefined();
  });

  it('is a file that ends early', async () => {
    expect(await readResult(changeResult((file) => file.subarray(0, file.length - 100)))).toBeUndefined();
  });

  it('is a file whose packets are outside its media', async () => {
    const path = changeResult((file) => {
      const source = { size: file.length, read: (from: number, length: number) => file.subarray(from, from + length) };
      const mdat = readTopBoxes(source).find(({ type }) => type === 'mdat');
      if (mdat === undefined) throw new Error('the result has no media');
      file.write('free', mdat.offset + 4, 'latin1');
      return file;
    });
    expect(await readResult(path)).toBeUndefined();
  });

  it('is a file with many boxes', async () => {
    const path = changeResult((file) =>
      Buffer.concat([file, ...Array(20).fill(Buffer.from('\0\0\0\x08mdat', 'latin1'))]),
    );
    expect(await readResult(path)).toBeUndefined();
  });

  it('has its index outside the bytes that are read', async () => {
    expect(await readResult(withRoom(longHeadBytes))).toBeUndefined();
  });
});

it('an index of several hours is read in this process', async () => {
  const plainResult = await readResult(media.file('result.mp4'));
  const { size } = statSync(media.file('result.mp4'));
  const far = withRoom(2 * headBytes);
  // The samples and the media of this file have moved to other offsets; everything else is the same.
  expect(await readResult(far)).toEqual({ ...plainResult, bytes: size + 2 * headBytes });
});

it('a damaged index is read or left to a child process', async () => {
  const file = readFileSync(media.file('result.mp4'));
  const places = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(places, fc.maxSafeNat(), async (damage, size) => {
      const head = Buffer.from(file.subarray(0, headBytes));
      for (const [at, value] of damage) head[at % head.length] = value;
      const read = async (from: number, length: number) => file.subarray(from, from + length);
      await readResultHead(head, file.length, read);
      await readResultHead(head, size, read);
    }),
    { seed: 18, numRuns: propertyRuns(500) },
  );
});
