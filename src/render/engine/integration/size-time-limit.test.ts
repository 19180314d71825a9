import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { runTask } from '../media/run-task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia('tone.mkv', 'quiet.mkv');
});
afterAll(() => media?.remove());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Encodes a file to a size. All attempts after the first one, which is half of the task, are slower than the limit. */
async function encode(name: MediaName, ext: OutputContainer, maxSize: number) {
  const reportAndYield = async (fraction: number) => {
    if (fraction > 0.5) vi.advanceTimersByTime(60_000);
  };
  const path = media.file(`result.${ext}`);
  const outcome = await runTask(
    {
      type: 'process',
      timeLimit: 60_000,
      directory: media.path,
      inputs: [{ path: media.file(name) }],
      output: { path, ext, maxSize },
      operation: { type: 'convert_format', copyStreams: false },
      maxOutputBytes: 100_000_000,
    },
    { pacer: { shouldReport: true, reportAndYield }, threads: 2, growingFiles: new Map(), logDebug: () => undefined },
  );
  return { path, outcome };
}

test('an attempt that runs out of time is replaced by the smaller result before it', async () => {
  const { path, outcome } = await encode('tone.mkv', 'mp3', 290_000);
  if (outcome.type !== 'done') throw new Error(outcome.message);
  const { report } = outcome;
  expect(report).toMatchObject({ bytes: 261_000, notes: [{ code: 'size_padded' }] });
  // An MP3 of the second attempt would have more than 250,000 bytes without its padding.
  expect(report.notes[0]?.message).toMatch(/only 1\d{5} bytes/);
  const { signal } = new AbortController();
  const task = { directory: media.path, path, ext: 'mp3' } as const;
  verifyResult(report, await createInProcessEngine().probe(task, { signal }));
});

test('an attempt that runs out of time fails if the result before it is too large', async () => {
  const { outcome } = await encode('quiet.mkv', 'ts', 300_000);
  expect(outcome).toMatchObject({
    type: 'failed',
    code: 'size_unreachable',
    message: expect.stringMatching(
      /^Encoding this media to fit output\.maxSize would exceed the time limit\. Set clip to at most \d\.\d s, or/,
    ),
  });
});
