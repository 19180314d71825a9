import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { changeMp4, setEdits } from '../testing/change-mp4.ts';
import { bufferSource } from '../testing/make-dash.ts';
import { makeMedia } from '../testing/test-media.ts';
import { readIndexProperties } from './index-properties.ts';

let plain: Buffer;
let fragmented: Buffer;
beforeAll(async () => {
  const media = await makeMedia('gop.mp4', 'negative-offsets.mp4');
  [plain, fragmented] = [readFileSync(media.file('gop.mp4')), readFileSync(media.file('negative-offsets.mp4'))];
  media.remove();
});
afterAll(() => {
  plain = fragmented = Buffer.alloc(0);
});

const shiftsOf = (file: Buffer) => readIndexProperties(bufferSource(file)).shifts;

describe('the shifts of the tracks of a file', () => {
  it('do not exist if its edit lists begin with the first frame', () => {
    expect(shiftsOf(plain)).toEqual({ seconds: new Map(), hasOpenEdits: false });
  });

  it('are the time before the first frame of an edit', () => {
    const edited = changeMp4(plain, setEdits(0, [[4000, 0]]));
    expect(shiftsOf(edited)).toEqual({ seconds: new Map([[1, 1024 / 12_800]]), hasOpenEdits: false });
  });

  it('do not exist if edits are open', () => {
    const edited = changeMp4(plain, setEdits(0, [[0, 0]]));
    expect(shiftsOf(edited)).toEqual({ seconds: new Map(), hasOpenEdits: true });
  });

  it('are the largest negative composition offset of fragments', () => {
    const { seconds, hasOpenEdits } = shiftsOf(fragmented);
    expect([...seconds]).toEqual([[1, -0.04]]);
    expect(hasOpenEdits).toBe(false);
    // A file that still arrives has its first fragments.
    expect(shiftsOf(fragmented.subarray(0, fragmented.length / 2)).seconds).toEqual(seconds);
  });

  it('are read from damaged files, or not', () => {
    const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const damages = fc.array(fc.tuple(position, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.boolean(), damages, (isPlain, damage) => {
        const file = Buffer.from(isPlain ? plain : fragmented);
        const begin = isPlain ? file.lastIndexOf('moov') : 0;
        for (const [at, value] of damage) file[begin + Math.floor(at * Math.min(4000, file.length - begin))] = value;
        shiftsOf(file);
      }),
      { seed: 11, numRuns: propertyRuns(300) },
    );
  });
});
