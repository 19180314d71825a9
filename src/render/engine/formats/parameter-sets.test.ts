import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { isAnnexB } from './nal-units.ts';
import { parameterSets } from './parameter-sets.ts';

const code = Buffer.from([0, 0, 0, 1]);
const [sps, pps, sei] = [Buffer.from([0x67, 1, 2]), Buffer.from([0x68, 3]), Buffer.from([0x06, 9])];
const [vps, hevcSps, hevcPps] = [Buffer.from([0x40, 1, 5]), Buffer.from([0x42, 1, 6]), Buffer.from([0x44, 1, 7])];

const withLength = (unit: Buffer) => Buffer.concat([Buffer.from([0, unit.length]), unit]);
const setsOf = (codec: 'h264' | 'hevc', bytes: Buffer) => {
  return [...parameterSets(codec, bytes)].map((set) => Buffer.from(set, 'latin1').toString('hex'));
};
const avcHead = Buffer.from([1, 100, 0, 31, 0xff, 0xe1]);

describe('parameter sets', () => {
  it('of H.264 are the same with start codes and in a header', () => {
    const expected = [sps, pps].map((unit) => unit.toString('hex'));
    expect(setsOf('h264', Buffer.concat([code, sps, code.subarray(1), sei, code, pps]))).toEqual(expected);
    const header = Buffer.concat([avcHead, withLength(sps), Buffer.from([1]), withLength(pps)]);
    expect(setsOf('h264', header)).toEqual(expected);
    expect(isAnnexB(header)).toBe(false);
    expect(isAnnexB(code)).toBe(true);
  });

  it('of HEVC are the same with start codes and in a header', () => {
    const units = [vps, hevcSps, hevcPps];
    const expected = units.map((unit) => unit.toString('hex'));
    expect(setsOf('hevc', Buffer.concat(units.flatMap((unit) => [code, unit])))).toEqual(expected);
    const arrays = units.flatMap((unit) => [Buffer.from([unit[0] ?? 0, 0, 1]), withLength(unit)]);
    expect(setsOf('hevc', Buffer.concat([Buffer.from([1]), Buffer.alloc(21), Buffer.from([3]), ...arrays]))).toEqual(
      expected,
    );
  });

  it('exclude trailing zeros, which are padding', () => {
    expect(setsOf('h264', Buffer.concat([code, sps, Buffer.alloc(3), code, pps, Buffer.alloc(2)]))).toEqual(
      [sps, pps].map((unit) => unit.toString('hex')),
    );
  });

  it('are skipped if they are truncated', () => {
    expect(setsOf('h264', Buffer.concat([avcHead, withLength(sps), Buffer.from([1, 0, 200, 0x68])]))).toEqual([
      '670102',
    ]);
    expect(setsOf('h264', avcHead)).toEqual([]);
  });

  it('are read from arbitrary bytes without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean(), (bytes, codes) => {
        const extradata = Buffer.concat([codes ? code : Buffer.from([1]), bytes]);
        for (const codec of ['h264', 'hevc'] as const) {
          for (const set of parameterSets(codec, extradata)) expect(extradata.toString('latin1')).toContain(set);
        }
      }),
      { seed: 7, numRuns: propertyRuns(500) },
    );
  });
});
