import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { adtsObstacle } from './adts-obstacle.ts';

/** Packs numbers of the given bit widths, and pads the last byte with zeros. */
function bits(...fields: readonly (readonly [value: number, count: number])[]): Buffer {
  const text = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('');
  return Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

const low: readonly [number, number] = [2, 5];
const at48k: readonly [number, number] = [3, 4];
const stereo: readonly [number, number] = [2, 4];
const plain: readonly [number, number] = [0, 3];

describe('adtsObstacle', () => {
  it.each([
    ['AAC-LC', [low, at48k, stereo, plain]],
    ['HE-AAC with its core', [[5, 5], [6, 4], stereo, at48k, low, plain]],
    ['channels that the stream describes itself', [low, at48k, [0, 4], plain]],
  ] as const)('accepts %s', (_what, fields) => expect(adtsObstacle(bits(...fields))).toBeUndefined());

  it.each([
    ['7.1 channels of the second kind', [low, at48k, [12, 4], plain], 'ADTS has no channel configuration 12'],
    ['xHE-AAC', [[31, 5], [10, 6], at48k, stereo], 'ADTS cannot hold MPEG-4 audio of object type 42'],
    ['a rate in Hz', [low, [15, 4], [11_024, 24], stereo, plain], 'ADTS has no index for its sample rate'],
    ['frames of 960 samples', [low, at48k, stereo, [4, 3]], 'ADTS supports only plain frames of 1024 samples'],
  ] as const)('rejects %s', (_what, fields, why) => expect(adtsObstacle(bits(...fields))).toBe(why));

  it('handles arbitrary bytes without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(['string', 'undefined']).toContain(typeof adtsObstacle(Buffer.from(bytes)));
      }),
      { seed: 8, numRuns: propertyRuns(2000) },
    );
  });
});
