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

/** Milliseconds of sound that come and go at the ends: not every container can say what an encoder put before it. */
const padding = 60;

describe('what the table says can be copied is whole and can be decoded where it went', () => {
  const names = Object.keys(containerFormats) as OutputContainer[];
  const pairs = (kind: 'video' | 'audio') => {
    return names.flatMap((ext) => containerFormats[ext].codecs[kind].map((codec) => `${codec} in ${ext}`));
  };

  it.each(pairs('video'))('%s', (pair) => {
    const { before = 0, after, error } = tried[pair] ?? {};
    expect(error).toBeUndefined();
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(before);
  });

  it.each(pairs('audio'))('%s', (pair) => {
    const { before = 0, after = 0, error } = tried[pair] ?? {};
    expect(error).toBeUndefined();
    expect(before).toBeGreaterThan(0);
    expect(Math.abs(after - before)).toBeLessThan(padding);
  });
});
