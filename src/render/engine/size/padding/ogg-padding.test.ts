/** @module-tag long */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { latin1 } from '../../binary/big-endian.ts';
import { withFile } from '../../binary/byte-source.ts';
import { readOggComments } from '../../tags/ogg-comments.ts';
import { oggPages, renumberPage, sealPage } from '../../tags/ogg-pages.ts';
import { encodeComments, readCommentTags } from '../../tags/vorbis-comments.ts';
import { layPages } from './ogg-layout.ts';
import { padOgg } from './ogg-padding.ts';

const directory = mkdtempSync(join(tmpdir(), 'millrace-ogg-'));
const path = join(directory, 'file.ogg');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the page of a packet. */
function page(serial: number, sequence: number, packet: Buffer, isFirst = false): Buffer {
  const [bytes = Buffer.alloc(0)] = layPages([packet.length], serial, [{ at: 0, bytes: packet }]);
  if (isFirst) bytes.writeUInt8(2, 5);
  renumberPage(bytes, sequence);
  return bytes;
}

const tags = Buffer.concat([latin1('OpusTags\0\0\0\0\x01\0\0\0'), encodeComments([['TITLE', 'A title']])]);
const audio = Buffer.alloc(200, 'audio');

test.each([1, 300, 200_000, 34_000_000])('adds %d bytes to the comments and renumbers the pages', (bytes) => {
  const headers = [page(7, 0, latin1('OpusHead'), true), page(8, 0, latin1('OpusHead'), true), page(8, 1, tags)];
  const rest = [page(7, 1, tags), page(7, 2, audio), page(8, 2, audio), page(7, 3, audio)];
  const file = Buffer.concat([...headers, ...rest]);
  writeFileSync(path, file);
  const growth = padOgg(path, bytes);
  const padded = readFileSync(path);
  expect(padded.length).toBe(file.length + growth);
  expect(growth).toBeGreaterThanOrEqual(bytes);
  expect(growth).toBeLessThan(1.005 * bytes + 300);

  const pages = withFile(path, (source) => [...oggPages(source)]);
  expect(pages.at(-1)?.end).toBe(padded.length);
  for (const serial of [7, 8]) {
    const numbers = pages.filter((each) => each.serial === serial).map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  }
  for (const { offset, end } of pages) {
    const original = padded.subarray(offset, end);
    const sealed = Buffer.from(original);
    sealPage(sealed);
    expect(sealed.equals(original)).toBe(true);
  }
  expect(pages.slice(-3).map(({ serial, bodyOffset, end }) => [serial, padded.subarray(bodyOffset, end)])).toEqual([
    [7, audio],
    [8, audio],
    [7, audio],
  ]);
  const comments = withFile(path, (source) => [...readOggComments(source)]);
  const titles = comments.map((each) => readCommentTags(each).tags.title);
  expect(titles).toEqual(['A title', 'A title']);
});

test('refuses a file without known headers', () => {
  for (const file of [latin1('OggS'), page(7, 0, latin1('fishead'), true), page(7, 0, latin1('OpusHead'), true)]) {
    writeFileSync(path, file);
    expect(() => padOgg(path, 100)).toThrow('headers');
  }
});
