import { describe, expect, it } from 'vitest';
import { essenceOf } from './essence.ts';

const slice = Buffer.concat([Buffer.from([0x65]), Buffer.alloc(300, 7)]);
const parameters = Buffer.from([0x67, 1, 2, 3]);
const delimiter = Buffer.from([9, 0xf0]);

const lengthPrefixedUnits = (...units: Buffer[]) =>
  Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );

const started = (...units: Buffer[]) => Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));

describe('the essence of a packet', () => {
  it('is its slices, after lengths or start codes', () => {
    expect(essenceOf('h264', lengthPrefixedUnits(slice))).toEqual(slice);
    expect(essenceOf('h264', started(delimiter, parameters, slice))).toEqual(slice);
    expect(essenceOf('h264', lengthPrefixedUnits(parameters, slice, slice))).toEqual(Buffer.concat([slice, slice]));
  });

  it('is split by lengths even if one looks like a start code', () => {
    expect(lengthPrefixedUnits(slice).subarray(0, 3)).toEqual(Buffer.from([0, 0, 1]));
    expect(essenceOf('h264', lengthPrefixedUnits(slice, slice))).toEqual(Buffer.concat([slice, slice]));
  });

  it('omits HEVC parameter sets', () => {
    const [picture, set] = [Buffer.from([0x26, 1, 5]), Buffer.from([0x40, 1, 5])];
    expect(essenceOf('hevc', started(set, picture))).toEqual(picture);
  });

  it('is an AAC frame without its header', () => {
    const frame = Buffer.from([0x21, 0x10, 5]);
    expect(essenceOf('aac', Buffer.concat([Buffer.from([0xff, 0xf1, 0, 0, 0, 0, 0]), frame]))).toEqual(frame);
    expect(essenceOf('aac', Buffer.concat([Buffer.from([0xff, 0xf0, 0, 0, 0, 0, 0, 0, 0]), frame]))).toEqual(frame);
    expect(essenceOf('aac', frame)).toEqual(frame);
  });

  it('is the whole packet for other codecs', () => {
    expect(essenceOf('opus', slice)).toBe(slice);
    expect(essenceOf('av1', Buffer.from([0x12, 0, 8]))).toEqual(Buffer.from([8]));
  });

  it('is the WavPack blocks without the part that Matroska omits', () => {
    const block = (version: number, samples: number) => {
      const bytes = Buffer.alloc(40, 7);
      bytes.write('wvpk');
      bytes.writeUInt32LE(32, 4);
      bytes.writeUInt32LE(version, 8);
      bytes.writeUInt32LE(samples, 12);
      return bytes;
    };
    const [full, lean] = [Buffer.concat([block(1, 9), block(1, 9)]), Buffer.concat([block(2, 0), block(2, 0)])];
    expect(essenceOf('wavpack', full)).toEqual(essenceOf('wavpack', lean));
    expect(essenceOf('wavpack', full)).toEqual(Buffer.alloc(40, 7));
  });
});
