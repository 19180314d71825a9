/** @module-tag long */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { withFile } from '../../binary/byte-source.ts';
import { insertZeros } from '../../binary/insert-zeros.ts';
import { flacBlockHeader, flacBlocks } from '../../tags/flac-blocks.ts';
import { id3Tag, paddingFrameHeader, readTag } from '../../tags/id3-tag.ts';
import { readId3Tags, tagFrames } from '../../tags/id3-tags.ts';
import { riffChunks } from '../../tags/riff-chunks.ts';
import { padFile } from './padding.ts';

const directory = mkdtempSync(join(tmpdir(), 'millrace-padding-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let segmentSize = 0;

/** Pads a file, and returns the appended bytes. */
function pad(ext: 'mp4' | 'mkv' | 'ts', bytes: number, contents = Buffer.from('media')): Buffer {
  const path = join(directory, `file.${ext}`);
  writeFileSync(path, contents);
  const count = padFile(path, ext, bytes);
  const padded = readFileSync(path);
  expect(padded.length).toBe(contents.length + count);
  if (ext === 'mkv') segmentSize = padded.readUInt32BE(contents.length - 4);
  else expect(padded.subarray(0, contents.length)).toEqual(contents);
  return padded.subarray(contents.length);
}

test('refuses to pad a Matroska file without a segment', () => {
  expect(() => pad('mkv', 100)).toThrow('no segment');
});

test.each([1, 16, 17, 5000, 3_000_000])('appends a free box of %d bytes', (bytes) => {
  const box = pad('mp4', bytes);
  expect(box.length).toBe(Math.max(16, bytes));
  expect(box.toString('latin1', 4, 8)).toBe('free');
  expect([box.readUInt32BE(0), Number(box.readBigUInt64BE(8))]).toEqual([1, box.length]);
});

test.each([1, 9, 10, 5000])('appends a void element of %d bytes to the segment', (bytes) => {
  const element = pad('mkv', bytes, Buffer.from('1a45dfa380185380670100000000000041', 'hex'));
  expect(segmentSize).toBe(0x41 + element.length);
  expect(element.length).toBe(Math.max(9, bytes));
  expect([element[0], element[1], element.readUInt32BE(5)]).toEqual([0xec, 1, element.length - 9]);
});

test.each([1, 188, 189, 3_000_000])('appends null packets for %d bytes', (bytes) => {
  const packets = pad('ts', bytes);
  expect(packets.length).toBe(188 * Math.ceil(bytes / 188));
  for (let at = 0; at < packets.length; at += 188) expect(packets.readUInt32BE(at)).toBe(0x471fff10);
});

test.each([0, 5, 1_500_000])('moves what follows inserted zeros (%d bytes)', (length) => {
  const path = join(directory, 'moved');
  const [head, tail] = [Buffer.from('head'), Buffer.alloc(length, 'tail')];
  writeFileSync(path, Buffer.concat([head, tail]));
  insertZeros(path, head.length, 1_100_000);
  expect(readFileSync(path).equals(Buffer.concat([head, Buffer.alloc(1_100_000), tail]))).toBe(true);
});

describe('an ID3v2.4 tag', () => {
  const frames = tagFrames({ title: 'A title' }, undefined);

  test.each([1, 200, 3_000_000])('has a last frame for %d bytes of padding', (bytes) => {
    const path = join(directory, 'file.mp3');
    writeFileSync(path, Buffer.concat([id3Tag(Buffer.concat([frames, Buffer.alloc(10)])), Buffer.from('audio')]));
    expect(padFile(path, 'mp3', bytes)).toBe(bytes);
    const padding = Buffer.concat([paddingFrameHeader(10 + bytes), Buffer.alloc(bytes)]);
    const expected = Buffer.concat([id3Tag(Buffer.concat([frames, padding])), Buffer.from('audio')]);
    expect(readFileSync(path).equals(expected)).toBe(true);
    expect(withFile(path, (source) => [...readTag(source)]).map(({ id }) => id)).toEqual(['TIT2', 'XPAD']);
  });

  test('has at least ten bytes of padding', () => {
    const path = join(directory, 'file.aac');
    writeFileSync(path, id3Tag(frames));
    expect(padFile(path, 'aac', 3)).toBe(10);
  });

  test('is read although its padding is longer than its maximum size', () => {
    const path = join(directory, 'file.mp3');
    writeFileSync(path, Buffer.concat([id3Tag(frames), Buffer.from('audio')]));
    padFile(path, 'mp3', 40_000_000);
    expect(withFile(path, readId3Tags)).toEqual({ tags: { title: 'A title' } });
  });

  test('is refused if its frames are longer than its maximum size', () => {
    const picture = { bytes: Buffer.alloc(40_000_000, 1), type: 'image/png', width: 1, height: 1 } as const;
    const path = join(directory, 'file.mp3');
    writeFileSync(path, id3Tag(tagFrames({ title: 'A title' }, picture)));
    expect(() => withFile(path, readId3Tags)).toThrow('its tag is too large');
  });
});

test.each([1, 5000, 40_000_000])('adds blocks of padding for %d bytes to a FLAC file', (bytes) => {
  const path = join(directory, 'file.flac');
  const head = Buffer.concat([Buffer.from('fLaC'), flacBlockHeader(0, 34, true), Buffer.alloc(34)]);
  writeFileSync(path, Buffer.concat([head, Buffer.from('audio')]));
  const count = padFile(path, 'flac', bytes);
  expect(count).toBe(Math.max(4, bytes));
  const blocks = withFile(path, (source) => [...flacBlocks(source)]);
  expect(blocks.map(({ kind }) => kind)).toEqual([0, ...(bytes > 2 ** 25 ? [1, 1, 1] : [1])]);
  const last = blocks.at(-1);
  expect((last?.offset ?? 0) + (last?.size ?? 0)).toBe(head.length + count);
  expect(readFileSync(path).toString('latin1', head.length + count)).toBe('audio');
});

test.each([1, 9, 5001])('appends a chunk of %d bytes to a WAV file', (bytes) => {
  const path = join(directory, 'file.wav');
  writeFileSync(path, 'RIFF\x10\0\0\0WAVEdata\x04\0\0\0abcd', 'latin1');
  const count = padFile(path, 'wav', bytes);
  expect(count).toBe(Math.max(8, bytes + (bytes % 2)));
  expect(withFile(path, (source) => [...riffChunks(source)]).map(({ id, size }) => [id, size])).toEqual([
    ['data', 4],
    ['JUNK', Math.max(0, bytes - 8)],
  ]);
  expect(readFileSync(path).readUInt32LE(4)).toBe(16 + count);
});
