import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { flacStreamInfo, parseFlacFrame } from './flac-frame.ts';

/** A frame header as hexadecimal digits, with some bytes after it. */
const frame = (head: string) => Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(20, 0x55)]);

describe('the header of a FLAC frame', () => {
  it.each([
    ['fff8c91800', { samples: 4096, sampleRate: 44_100, bits: 16, channels: 2, variable: false }],
    ['fff87a0c0001af', { samples: 432, sampleRate: 48_000, bits: 24, channels: 1, variable: false }],
    ['fff865a8e0a0800e', { samples: 15, sampleRate: 16_000, bits: 16, channels: 2, variable: false }],
    ['fff9ed7000ffff2b11', { samples: 16_384, sampleRate: 65_535, bits: 0, channels: 8, variable: true }],
    ['fff95c0800c0', { samples: 4608, sampleRate: 192_000, bits: 16, channels: 1, variable: true }],
  ])('%s', (head, expected) => expect(parseFlacFrame(frame(head))).toEqual(expected));

  it.each(['fff0c918', 'fff80918', 'fff8cf18', 'fff8c9b8', ''])('is not %j', (head) => {
    expect(parseFlacFrame(frame(head))).toBeUndefined();
  });

  it('is looked for in any bytes without a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const frame = parseFlacFrame(Buffer.concat([Buffer.from([0xff, 0xf8]), bytes]));
        if (frame !== undefined) expect(frame.samples).toBeGreaterThan(0);
      }),
      { seed: 9, numRuns: propertyRuns(2000) },
    );
  });
});

describe('a stream header made from a frame', () => {
  it('says what the frame says', () => {
    const info = flacStreamInfo({ samples: 4096, sampleRate: 192_000, bits: 24, channels: 8, variable: false });
    expect(info.toString('hex')).toBe(`10001000${'00'.repeat(6)}2ee00f70${'00'.repeat(20)}`);
  });

  it('allows all sizes where frames may differ', () => {
    const info = flacStreamInfo({ samples: 4096, sampleRate: 48_000, bits: 16, channels: 2, variable: true });
    expect([info.readUInt16BE(0), info.readUInt16BE(2)]).toEqual([16, 65_535]);
  });
});
