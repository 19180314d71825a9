import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { canPad, padFile } from './padding.ts';

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

test('does not pad formats without padding at their end', () => {
  expect((['mp3', 'aac', 'ogg', 'opus', 'flac', 'wav'] as const).filter(canPad)).toEqual([]);
});
