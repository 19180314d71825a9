import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import { makeDash } from '../testing/dash.ts';
import { type MediaDirectory, makeMedia } from '../testing/media.ts';
import { topBoxes } from './boxes.ts';
import { headBytes, readHead, readResult } from './read-result.ts';

const { signal } = new AbortController();

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia();
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  engine = createEngine({ directory: media.path });
  const inputs = [{ path: media.file('av.mp4') }];
  const operation = { type: 'convert_format', copyStreams: true } as const;
  const output = { path: media.file('result.mp4'), ext: 'mp4' };
  await engine.process({ directory: media.path, inputs, output, operation, maxOutputBytes: 1e8 }, { signal });
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** The result of a copy, with some of its bytes changed. */
function changed(change: (file: Buffer) => Buffer): string {
  const path = media.file('changed.mp4');
  writeFileSync(path, change(readFileSync(media.file('result.mp4'))));
  return path;
}

describe('a small plain file', () => {
  it('is read as a child with the media library reads it', async () => {
    const path = media.file('result.mp4');
    const probed = await engine.probe({ directory: media.path, path, ext: 'mp4' }, { signal });
    const found = await readResult(path);
    expect(found).toMatchObject({ bytes: probed.bytes, chapters: probed.chapters });
    expect(found?.streams.map(({ kind, codec, figures }) => ({ kind, codec, figures }))).toEqual(
      probed.streams.map(({ kind, codec, figures }) => ({ kind, codec, figures })),
    );
    expect(found?.duration).toBeCloseTo(probed.duration, 1);
  });
});

describe('left to a child is', () => {
  it.each(['av.mkv', 'a.mp3', 'dash-v.mp4'])('%s', async (name) => {
    expect(await readResult(media.file(name))).toBeUndefined();
  });

  it('a file that ends early', async () => {
    expect(await readResult(changed((file) => file.subarray(0, file.length - 100)))).toBeUndefined();
  });

  it('a file whose packets lie outside its media', async () => {
    const path = changed((file) => {
      const source = { size: file.length, read: (from: number, length: number) => file.subarray(from, from + length) };
      const mdat = topBoxes(source).find(({ type }) => type === 'mdat');
      if (mdat === undefined) throw new Error('the result has no media');
      file.write('free', mdat.offset + 4, 'latin1');
      return file;
    });
    expect(await readResult(path)).toBeUndefined();
  });

  it('an index larger than what is read', async () => {
    const path = changed((file) => {
      const filler = Buffer.alloc(headBytes);
      filler.writeUInt32BE(filler.length);
      filler.write('free', 4, 'latin1');
      const [type] = topBoxes({ size: file.length, read: (from, length) => file.subarray(from, from + length) });
      return Buffer.concat([file.subarray(0, type?.end), filler, file.subarray(type?.end)]);
    });
    expect(await readResult(path)).toBeUndefined();
  });
});

it('any damage to the index is read or left to a child', () => {
  const file = readFileSync(media.file('result.mp4'));
  const places = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(places, fc.maxSafeNat(), (damage, size) => {
      const head = Buffer.from(file.subarray(0, headBytes));
      for (const [at, value] of damage) head[at % head.length] = value;
      readHead(head, file.length);
      readHead(head, size);
    }),
    { seed: 18, numRuns: 500 },
  );
});
