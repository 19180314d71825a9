import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('late-audio.mp4', 'gap.ts', 'a.mp3', 'one-packet.m4a');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const near = (seconds: number) => expect.closeTo(seconds, 0);

it.each<[MediaName[], [first: number, end: number][]]>([
  [
    ['late-audio.mp4', 'a.mp3'],
    [
      [1.5, 4],
      [0, 4],
    ],
  ],
  [
    ['gap.ts', 'one-packet.m4a'],
    [
      [0, 9],
      [0, 0],
    ],
  ],
])('a mix of %j reports when each source plays, and is refused if one plays at another time', async (names, places) => {
  const path = media.file('result.mkv');
  const { signal } = new AbortController();
  const report = await engine.process(
    {
      directory: media.path,
      inputs: names.map((name) => ({ path: media.file(name) })),
      output: { path, ext: 'mkv' },
      operation: { type: 'mix_audio_and_video', copyStreams: true },
      maxOutputBytes: 10_000_000,
    },
    { signal },
  );
  const probe = await engine.probe({ directory: media.path, path, ext: 'mkv' }, { signal });
  verifyResult(report, probe);
  const mixes = report.streams.flatMap(({ origin }) => (origin?.action === 'mix' ? origin.sources : []));
  expect(mixes.map(({ mixed }) => mixed)).toEqual(
    places.map(([first, end]) => ({ first: near(first), end: near(end) })),
  );
  for (const place of mixes.keys())
    expect(() => verifyResult(moved(report, place), probe)).toThrow(/plays input \d from/);
});

/** Returns a report of a mix in which one source plays two seconds later. */
function moved(report: ProcessReport, place: number): ProcessReport {
  const streams = report.streams.map((stream) => {
    if (stream.origin?.action !== 'mix') return stream;
    const sources = stream.origin.sources.map((source, at) => {
      if (at !== place || source.mixed === undefined) return source;
      const { first, end } = source.mixed;
      return { ...source, mixed: { first: first + 2, end: end + 2 } };
    });
    return { ...stream, origin: { ...stream.origin, sources } };
  });
  return { ...report, streams };
}
