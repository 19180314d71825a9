import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProcessReport } from '../../tasks/report.ts';
import type { TaskContext } from '../sink.ts';
import { reachSize } from './reach-size.ts';

const directory = mkdtempSync(join(tmpdir(), 'millrace-size-'));
const path = join(directory, 'result.m4a');
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;

/** An attempt to encode: the size of its result, and how long it takes. */
interface Attempt {
  readonly bytes: number;
  readonly minutes: number;
}

/**
 * Encodes ten minutes of audio to at most a million bytes in at most 60 minutes. Returns the reported and the written
 * number of bytes, and the number of attempts.
 */
async function reach(attempts: readonly Attempt[], media = { duration: 600, isDurationKnown: true }) {
  let count = 0;
  const write = async (_: unknown, { pacer }: Pick<TaskContext, 'pacer'>): Promise<ProcessReport> => {
    const attempt = attempts[count];
    count += 1;
    if (attempt === undefined) throw new Error('there are too many attempts');
    // An attempt that is given up leaves an incomplete file.
    writeFileSync(path, '');
    for (let tenth = 1; tenth <= 10; tenth += 1) {
      vi.advanceTimersByTime((attempt.minutes * minute) / 10);
      await pacer.reportAndYield(tenth / 10);
    }
    writeFileSync(path, Buffer.alloc(attempt.bytes));
    return { streams: [], duration: media.duration, bytes: attempt.bytes, chapters: 0, notes: [] };
  };
  const sized = {
    path,
    maxBytes: 1_000_000,
    settings: {},
    media: { seconds: media.duration, videos: [], audioStreams: 1, audioRange: { min: 8000, max: 320_000 } },
    isDurationKnown: media.isDurationKnown,
    constantRates: undefined,
  };
  const pacer = { shouldReport: true, reportAndYield: async () => undefined };
  const { bytes } = await reachSize(sized, write, { pacer, timeLimit: 60 * minute });
  return { bytes, written: readFileSync(path).length, count };
}

const tooSlow = (longest: string) => ({
  code: 'size_unreachable',
  message: `Encoding this media to fit output.maxSize would exceed the time limit. Set clip to at most ${longest}.`,
});

test('refuses media whose first attempt would take too long', async () => {
  await expect(reach([{ bytes: 950_000, minutes: 102 }])).rejects.toMatchObject(tooSlow('5 min 0 s'));
});

test('refuses media whose result is too large if there is no time for another attempt', async () => {
  await expect(reach([{ bytes: 2_000_000, minutes: 38 }])).rejects.toMatchObject(tooSlow('7 min 30 s'));
});

test('refuses media whose later attempt runs out of time', async () => {
  const attempts = [
    { bytes: 2_000_000, minutes: 25 },
    { bytes: 950_000, minutes: 89 },
  ];
  await expect(reach(attempts)).rejects.toMatchObject(tooSlow('5 min 0 s'));
});

test('keeps a smaller result if there is no time for another attempt', async () => {
  expect(await reach([{ bytes: 700_000, minutes: 38 }])).toEqual({ bytes: 700_000, written: 700_000, count: 1 });
});

test('keeps a smaller result if a later attempt runs out of time', async () => {
  const attempts = [
    { bytes: 700_000, minutes: 25 },
    { bytes: 950_000, minutes: 89 },
  ];
  expect(await reach(attempts)).toEqual({ bytes: 700_000, written: 700_000, count: 2 });
});

test('keeps the largest of the results that fit', async () => {
  const attempts = [700_000, 1_400_000, 850_000, 1_100_000].map((bytes) => ({ bytes, minutes: 1 }));
  expect(await reach([...attempts, ...attempts])).toMatchObject({ bytes: 850_000, written: 850_000 });
});
