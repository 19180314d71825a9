import { describe, expect, it } from 'vitest';
import { isSameSetup } from './decoder-setup.ts';

/** A FLAC header with the given maximum block size and bits per sample, and with totals that vary by file. */
function flac(block: number, bits: number, digest: number): Buffer {
  const info = Buffer.alloc(34, digest);
  info.writeUInt16BE(block, 2);
  info[12] = 0x42 | ((bits - 1) >> 4);
  info[13] = (((bits - 1) & 15) << 4) | (digest & 15);
  return info;
}

const vorbisHeads = (comment: string, setup: string) => {
  return [Buffer.alloc(30, 1), Buffer.from(comment), Buffer.from(setup)];
};
const lacedHeaders = (comment: string, setup: string) => {
  const lacing = [...Array<number>(Math.floor(comment.length / 255)).fill(255), comment.length % 255];
  return Buffer.concat([Buffer.from([2, 30, ...lacing]), ...vorbisHeads(comment, setup)]);
};
const prefixedHeaders = (comment: string, setup: string) => {
  return Buffer.concat(vorbisHeads(comment, setup).map((head) => Buffer.concat([length(head), head])));
};
const length = (head: Buffer) => Buffer.from([head.length >> 8, head.length & 255]);
const long = 'comment '.repeat(100);

const mpeg4 = (layer: number, encoder: string) => {
  const layers = [0, 0, 1, 0xb0, 1, 0, 0, 1, 0, 0, 0, 1, 0x20, 8, layer, 0, 0, 1, 0xb2];
  return Buffer.concat([Buffer.from(layers), Buffer.from(encoder)]);
};

function opus({ skip = 312, rate = 48_000, gain = 0, family = 0 }): Buffer {
  const head = Buffer.from('OpusHead\x01\x02\0\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16LE(skip, 10);
  head.writeUInt32LE(rate, 12);
  head.writeInt16LE(gain, 16);
  head[18] = family;
  return head;
}

const bytes = (...numbers: number[]) => Buffer.from(numbers);

describe('a decoder that is already set up', () => {
  it.each<[string, string, Buffer, Buffer]>([
    ['flac', 'other lengths and digests', flac(4608, 16, 1), flac(4608, 16, 7)],
    [
      'flac',
      'a header from the beginning of a file',
      flac(4608, 16, 1),
      Buffer.concat([Buffer.from('fLaC\0\0\0\x22'), flac(4608, 16, 7)]),
    ],
    ['vorbis', 'other comments', lacedHeaders('Lavc', 'codebooks'), lacedHeaders(long, 'codebooks')],
    [
      'vorbis',
      'headers joined in the other form',
      lacedHeaders(long, 'codebooks'),
      prefixedHeaders('Lavc', 'codebooks'),
    ],
    ['mpeg4', 'another encoder name', mpeg4(1, 'Lavc60'), mpeg4(1, 'XviD')],
    ['opus', 'another pre-skip and source rate', opus({}), opus({ skip: 3840, rate: 44_100 })],
    ['aac', 'extensions', bytes(0x11, 0x90), bytes(0x11, 0x90, 0x56)],
    ['vp9', 'settings that each frame contains', bytes(1), bytes(2)],
  ])('can continue: %s with %s', (codec, _what, before, now) => {
    expect(isSameSetup(codec, before, now, 'mkv')).toBe(true);
    expect(isSameSetup(codec, now, before, 'mkv')).toBe(true);
  });

  it.each<[string, string, Buffer, Buffer]>([
    ['flac', 'larger blocks', flac(1152, 16, 1), flac(4608, 16, 1)],
    ['flac', 'more bits', flac(4608, 16, 1), flac(4608, 24, 1)],
    ['vorbis', 'other codebooks', lacedHeaders('Lavc', 'codebooks'), lacedHeaders('Lavc', 'other books')],
    [
      'vorbis',
      'other codebooks, in the other form',
      prefixedHeaders('Lavc', 'codebooks'),
      prefixedHeaders('Lavc', 'other books'),
    ],
    ['vorbis', 'invalid headers', bytes(2, 255), bytes(2, 254)],
    ['mpeg4', 'another layer', mpeg4(1, 'Lavc60'), mpeg4(2, 'Lavc60')],
    ['opus', 'another gain', opus({}), opus({ gain: 256 })],
    ['opus', 'another channel mapping', opus({}), opus({ family: 255 })],
    ['aac', 'an extended object type', bytes(0xf9, 0x48, 1), bytes(0xf9, 0x48, 2)],
    ['aac', 'other channels without a number', bytes(0x12, 0x00, 1), bytes(0x12, 0x00, 2)],
    ['vc1', 'another sequence header', bytes(0, 0, 1, 15, 1), bytes(0, 0, 1, 15, 2)],
  ])('cannot continue: %s with %s', (codec, _what, before, now) => {
    expect(isSameSetup(codec, before, now, 'mkv')).toBe(false);
  });
});
