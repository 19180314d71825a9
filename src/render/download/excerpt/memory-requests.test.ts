import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDash } from '../../engine/testing/make-dash.ts';
import { type MediaDirectory, makeMedia } from '../../engine/testing/test-media.ts';
import { readIndex } from './find-index.ts';
import type { MemoryRequest } from './media-index.ts';

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'v.mp4', 'fragmented.mp4', 'av.mkv');
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
});
afterAll(() => media.remove());

/** Reads the index of a file. Returns what it asked for, and what it read after that. */
function readWithRequests(file: Buffer) {
  const memory: MemoryRequest['memory'][] = [];
  let rangesSince = 0;
  const reading = readIndex(file.length, { start: 0.5, end: 1 });
  for (let bytes: Buffer = Buffer.alloc(0); ; ) {
    const { done, value } = reading.next(bytes);
    if (done === true) return { index: value, memory, rangesSince };
    if (value === undefined) continue;
    if ('memory' in value) {
      memory.push(value.memory);
      rangesSince = 0;
    } else {
      bytes = file.subarray(value.from, value.end);
      rangesSince += 1;
    }
  }
}

test('a movie waits for a turn before its tables are expanded, and reads no ranges in its turn', () => {
  const { index, memory, rangesSince } = readWithRequests(readFileSync(media.file('gop.mp4')));
  expect([memory, rangesSince, index.hasVideo]).toEqual([['turn'], 0, true]);
  index.release?.();
  const plan = index.planExcerpt({ start: 0.5, end: 1 });
  expect(() => [...plan]).toThrow();
});

test.each(['fragmented.mp4', 'dash-v.mp4', 'av.mkv'])('%s asks for memory as its index has entries', (name) => {
  const { memory } = readWithRequests(readFileSync(media.file(name)));
  expect(memory.length).toBeGreaterThan(0);
  for (const bytes of memory) expect(bytes).toBeGreaterThan(0);
});
