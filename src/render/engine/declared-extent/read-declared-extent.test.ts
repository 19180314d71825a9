import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { fullBox, u32, box as writeBox } from '../mp4/box-writer.ts';
import { readDeclaredExtent } from './read-declared-extent.ts';

function source(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

const declaredExtent = (...parts: (Buffer | string)[]) => readDeclaredExtent(source(concatenated(...parts)));
const concatenated = (...parts: (Buffer | string)[]) => {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
};

function box(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(Math.max(8, size));
  bytes.writeUInt32BE(size, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

describe('readDeclaredExtent for MP4', () => {
  const whole = [box('ftyp', 24), box('moov', 200), box('mdat', 500)];

  it('accepts a complete file', () => {
    expect(declaredExtent(...whole)).toEqual({});
    expect(declaredExtent(box('ftyp', 24), box('moov', 60), box('moof', 50), box('mdat', 90))).toEqual({});
  });

  it.each([
    ['in its media', 600, 'its last part (mdat) needs 724 bytes, and the file has 600'],
    ['in its index', 100, 'its last part (moov) needs 224 bytes, and the file has 100'],
  ])('detects a file that is cut off %s', (_where, bytes, truncationReason) => {
    expect(declaredExtent(concatenated(...whole).subarray(0, bytes))).toEqual({ truncationReason });
  });

  it('detects a fragment without its media', () => {
    expect(declaredExtent(...whole, box('moof', 60))).toEqual({
      truncationReason: 'its last fragment has an index and no media',
    });
  });

  it('detects missing media after a truncated or damaged box', () => {
    const truncationReason = 'its media is missing: a part before it is cut short or damaged';
    expect(declaredExtent(concatenated(box('ftyp', 24), box('moov', 200), box('free', 500)).subarray(0, 600))).toEqual({
      truncationReason,
    });
    expect(declaredExtent(box('ftyp', 24), box('moov', 200), box('\x02\xffab', 4), box('mdat', 500))).toEqual({
      truncationReason,
    });
  });

  /** An index of one track whose samples have the given sizes in bytes, in one chunk at `offset`. */
  const listing = (offset: number, ...sizes: number[]) =>
    writeBox(
      'moov',
      writeBox(
        'trak',
        writeBox(
          'mdia',
          writeBox(
            'minf',
            writeBox(
              'stbl',
              fullBox('stsc', 0, 0, u32(1, 1, sizes.length, 1)),
              fullBox('stsz', 0, 0, u32(0, sizes.length, ...sizes)),
              fullBox('stco', 0, 0, u32(1, offset)),
            ),
          ),
        ),
      ),
    );

  it.each([
    ['complete samples whose media declares too many bytes', 500, {}],
    ['a truncated last sample', 501, { truncationReason: expect.stringMatching(/^its last part \(mdat\) needs/) }],
  ])('checks the index for %s', (_what, bytes, expected) => {
    const head = concatenated(box('ftyp', 24), listing(0, 1, 1, 1));
    const index = listing(head.length + 8, 100, 200, bytes - 300 - 8);
    const media = box('mdat', 500);
    media.writeUInt32BE(508, 0);
    expect(declaredExtent(box('ftyp', 24), index, media)).toEqual(expected);
  });

  /**
   * A fragmented file with one fragment. Its samples have the given sizes in bytes, and its media declares eight bytes
   * too many.
   */
  const fragmented = (...sizes: number[]) => {
    const header = fullBox('tkhd', 0, 1, u32(0, 0, 1, 0, 0));
    const moov = writeBox(
      'moov',
      writeBox('trak', header),
      writeBox('mvex', fullBox('trex', 0, 0, u32(1, 1, 0, 0, 0))),
    );
    const run = (offset: number) => fullBox('trun', 0, 0x201, u32(sizes.length, offset, ...sizes));
    const fragment = (offset: number) =>
      writeBox('moof', writeBox('traf', fullBox('tfhd', 0, 0x2_0000, u32(1)), run(offset)));
    const media = box('mdat', 508);
    media.writeUInt32BE(516, 0);
    return concatenated(box('ftyp', 24), moov, fragment(fragment(0).length + 8), media);
  };

  it.each([
    ['complete samples whose media declares too many bytes', 500, {}],
    ['a truncated last sample', 501, { truncationReason: expect.stringMatching(/^its last part \(mdat\) needs/) }],
  ])('checks the last fragment for %s', (_what, bytes, expected) => {
    expect(declaredExtent(fragmented(100, 200, bytes - 300))).toEqual(expected);
  });

  it('never fails on a damaged index', () => {
    const whole = concatenated(box('ftyp', 24), listing(200, 100, 200, 300), box('mdat', 100));
    whole.writeUInt32BE(900, whole.indexOf('mdat', 0, 'latin1') - 4);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        expect(declaredExtent(damaged)).toBeTypeOf('object');
      }),
      { seed: 1, numRuns: propertyRuns(500) },
    );
  });

  it('reads 64-bit sizes', () => {
    const large = box('mdat', 16);
    large.writeUInt32BE(1, 0);
    large.writeBigUInt64BE(6_000_000_000n, 8);
    expect(declaredExtent(box('ftyp', 24), large)).toEqual({
      truncationReason: 'its last part (mdat) needs 6000000024 bytes, and the file has 40',
    });
  });

  it('accepts an open-ended last box, and junk after the media', () => {
    const open = box('mdat', 100);
    open.writeUInt32BE(0, 0);
    expect(declaredExtent(box('ftyp', 24), open)).toEqual({});
    expect(declaredExtent(...whole, 'TAG junk behind the media')).toEqual({});
    expect(declaredExtent(...whole, Buffer.alloc(20))).toEqual({});
  });
});

describe('readDeclaredExtent for Matroska', () => {
  const head = Buffer.from('1a45dfa3840102030418538067', 'hex');

  it('checks the declared size of the segment', () => {
    expect(declaredExtent(head, Buffer.from('85', 'hex'), 'abcde')).toEqual({});
    expect(declaredExtent(head, Buffer.from('86', 'hex'), 'abcde')).toEqual({
      truncationReason: 'its media needs 20 bytes, but the file has only 19',
    });
  });

  it('reads eight-byte sizes exactly', () => {
    expect(declaredExtent(head, Buffer.from('0100000000000005', 'hex'), 'abcde')).toEqual({});
    expect(declaredExtent(head, Buffer.from('0100000000000006', 'hex'), 'abcde').truncationReason).toBeDefined();
  });

  it.each(['ff', '01ffffffffffffff'])('treats the size %s as a live recording', (size) => {
    expect(declaredExtent(head, Buffer.from(size, 'hex'), 'abc')).toEqual({});
  });

  describe('follows a recording without sizes', () => {
    const open = Buffer.from('ff', 'hex');
    const cluster = Buffer.from('1f43b675ffe78100', 'hex');
    const block = (bytes: number) => Buffer.concat([Buffer.of(0xa3, 0x80 | bytes), Buffer.alloc(bytes, 0x55)]);

    it('to its last block', () => {
      expect(declaredExtent(head, open, cluster, block(40), cluster, block(9), block(20))).toEqual({});
    });

    it('which may be cut short', () => {
      const whole = Buffer.concat([head, open, cluster, block(40), cluster, block(9), block(20)]);
      expect(declaredExtent(whole.subarray(0, -1))).toEqual({
        truncationReason: `its last part needs ${whole.length} bytes, but the file has only ${whole.length - 1}`,
      });
    });

    it('until something unknown', () => {
      expect(declaredExtent(head, open, cluster, Buffer.of(0x99, 0xfe), block(40))).toEqual({});
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
          expect(declaredExtent(head, open, cluster, Buffer.from(bytes))).toBeInstanceOf(Object);
        }),
        { seed: 14, numRuns: propertyRuns(300) },
      );
    });
  });

  it('returns an empty extent for a file that ends after its header', () => {
    expect(declaredExtent(head.subarray(0, 6))).toEqual({});
  });
});

describe('readDeclaredExtent for RIFF', () => {
  const wave = (size: number, ...rest: (Buffer | string)[]) => {
    const bytes = Buffer.from('RIFF____WAVE', 'latin1');
    bytes.writeUInt32LE(size, 4);
    return declaredExtent(bytes, ...rest);
  };

  it('checks the declared size of the chunks', () => {
    expect(wave(8, 'data')).toEqual({});
    expect(wave(9, 'data')).toEqual({ truncationReason: 'its media needs 17 bytes, but the file has only 16' });
  });

  it('continues with the next chunk of a large AVI', () => {
    const next = Buffer.from('RIFF____AVIX', 'latin1');
    next.writeUInt32LE(4000, 4);
    expect(wave(4, next).truncationReason).toBeDefined();
    expect(wave(4, 'some junk behind')).toEqual({});
  });

  it.each([0, 0xffff_ffff, 0x7fff_ffff])('treats a size of %i as a live recording', (size) => {
    expect(wave(size, 'data')).toEqual({});
  });
});

describe('readDeclaredExtent for MP3', () => {
  /** A first frame: MPEG 1, layer III, 44,100 Hz; stereo or mono. */
  const frame = (mark: string, at: number, fields: number[], third = 0x90, fourth = 0x40, second = 0xfb) => {
    const bytes = Buffer.alloc(256);
    bytes.set([0xff, second, third, fourth]);
    bytes.write(mark, at, 'latin1');
    fields.forEach((value, index) => {
      bytes.writeUInt32BE(value, at + 4 + 4 * index);
    });
    return bytes;
  };

  it('reads the frame count from the header in the first frame', () => {
    expect(declaredExtent(frame('Xing', 36, [1, 1000]))).toEqual({ duration: (1000 * 1152) / 44_100 });
    expect(declaredExtent(frame('Info', 21, [3, 1000], 0x90, 0xc0))).toEqual({ duration: (1000 * 1152) / 44_100 });
  });

  it('supports the lower sample rates', () => {
    expect(declaredExtent(frame('Xing', 21, [1, 100], 0x90, 0x40, 0xf3))).toEqual({ duration: (100 * 576) / 22_050 });
    expect(declaredExtent(frame('Xing', 21, [1, 100], 0x90, 0x40, 0xe3))).toEqual({ duration: (100 * 576) / 11_025 });
  });

  it('reads a VBRI header', () => {
    const bytes = frame('VBRI', 36, []);
    bytes.writeUInt32BE(500, 50);
    expect(declaredExtent(bytes)).toEqual({ duration: (500 * 1152) / 44_100 });
  });

  it('skips an ID3 tag', () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\x00\x00\x00\x00\x01\x02', 'latin1'), Buffer.alloc(130)]);
    expect(declaredExtent(tag, frame('Xing', 36, [1, 1000]))).toEqual({ duration: (1000 * 1152) / 44_100 });
  });

  it('returns an empty extent without a header or a frame count', () => {
    expect(declaredExtent(frame('', 36, []))).toEqual({});
    expect(declaredExtent(frame('Xing', 36, [2, 1000]))).toEqual({});
  });
});

describe('arbitrary bytes', () => {
  const starts = [
    Buffer.alloc(0),
    concatenated(box('ftyp', 16), box('mdat', 16)),
    Buffer.from('1a45dfa38401020304185380678a', 'hex'),
    Buffer.from('RIFF\x20\x00\x00\x00AVI ', 'latin1'),
    Buffer.from([0xff, 0xfb, 0x90, 0x40]),
    Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x02xx', 'latin1'),
  ];

  it('are read without an error, and never yield an invalid duration', () => {
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), fc.nat(40), (start, rest, cut) => {
        const bytes = Buffer.concat([start, rest]);
        const { duration } = readDeclaredExtent(source(bytes.subarray(0, Math.max(0, bytes.length - cut))));
        if (duration !== undefined) expect(duration).toBeGreaterThanOrEqual(0);
      }),
      { seed: 11, numRuns: propertyRuns(2000) },
    );
  });
});
