/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { containerFormats } from '../formats/container-formats.ts';
import { type MediaDirectory, makeTestDirectory, runWithMediaLibrary } from '../testing/test-media.ts';

let directory: MediaDirectory;
let tried: Record<string, { before: number; after: number; error?: string }>;
beforeAll(async () => {
  directory = makeTestDirectory();
  tried = JSON.parse(await runWithMediaLibrary('verify-copy-table', [directory.path]));
});
afterAll(() => directory?.remove());

/**
 * Milliseconds of audio that may be added or lost at the ends. Not every container can store the length of the
 * encoder's padding.
 */
const padding = 60;

describe('every copy that the codec table allows', () => {
  const names = Object.keys(containerFormats) as OutputContainer[];
  const pairs = (kind: 'video' | 'audio') => {
    return names.flatMap((ext) => containerFormats[ext].codecs[kind].map((codec) => `${codec} in ${ext}`));
  };

  it.each(pairs('video'))('is complete and decodable for video: %s', (pair) => {
    const { before = 0, after, error } = tried[pair] ?? {};
    expect(error).toBeUndefined();
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(before);
  });

  it.each(pairs('audio'))('is complete and decodable for audio: %s', (pair) => {
    const { before = 0, after = 0, error } = tried[pair] ?? {};
    expect(error).toBeUndefined();
    expect(before).toBeGreaterThan(0);
    expect(Math.abs(after - before)).toBeLessThan(padding);
  });
});
