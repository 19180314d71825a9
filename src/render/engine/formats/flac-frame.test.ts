import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { flacStreamInfo, parseFlacFrame } from './flac-frame.ts';

/** A frame header from hexadecimal digits, followed by some bytes. */
const frame = (head: string) => Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(20, 0x55)]);

describe('parseFlacFrame', () => {
  it.each([
    ['fff8c91800', { samples: 4096, sampleRate: 44_100, bits: 16, channels: 2, variable: false }],
    ['fff87a0c0001af', { samples: 432, sampleRate: 48_000, bits: 24, channels: 1, variable: false }],
    ['fff865a8e0a0800e', { samples: 15, sampleRate: 16_000, bits: 16, channels: 2, variable: false }],
    ['fff9ed7000ffff2b11', { samples: 16_384, sampleRate: 65_535, bits: 0, channels: 8, variable: true }],
    ['fff95c0800c0', { samples: 4608, sampleRate: 192_000, bits: 16, channels: 1, variable: true }],
  ])('parses %s', (head, expected) => expect(parseFlacFrame(frame(head))).toEqual(expected));

  it.each(['fff0c918', 'fff80918', 'fff8cf18', 'fff8c9b8', ''])('rejects %j', (head) => {
    expect(parseFlacFrame(frame(head))).toBeUndefined();
  });

  it('handles arbitrary bytes without an error', () => {
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
  it('has the properties of the frame', () => {
    const info = flacStreamInfo({ samples: 4096, sampleRate: 192_000, bits: 24, channels: 8, variable: false });
    expect(info.toString('hex')).toBe(`10001000${'00'.repeat(6)}2ee00f70${'00'.repeat(20)}`);
  });

  it('allows all block sizes if the frames may vary in size', () => {
    const info = flacStreamInfo({ samples: 4096, sampleRate: 48_000, bits: 16, channels: 2, variable: true });
    expect([info.readUInt16BE(0), info.readUInt16BE(2)]).toEqual([16, 65_535]);
  });
});
