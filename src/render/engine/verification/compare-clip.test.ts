import { describe, expect, it } from 'vitest';
import type { OutputNote } from '../../../contract/output-notes.ts';
import type { ProbeReport, ProcessReport } from '../tasks/report.ts';
import { evenStats } from '../testing/make-stream-stats.ts';
import type { Extent } from '../timing/timeline.ts';
import { compareClip } from './compare-clip.ts';

const early: OutputNote = { code: 'clip_starts_at_key_frame', message: 'The clip begins early.' };

/** Returns the difference that is found in a clip of a film of 120 s, from 60 s to 70 s. */
function difference({
  start = 60,
  mediaEnd = 120,
  source = { first: 59, end: 70 } as Extent,
  plays = { first: 0, end: 10 } as Extent,
  hasEdits = true,
  notes = [] as readonly OutputNote[],
  beginsDecodable = true,
  end = 70,
} = {}): string | undefined {
  const written = evenStats(source.end - source.first, 0.04);
  const shifted = { ...written, first: source.first, last: source.end - 0.04, end: source.end };
  const origin = { action: 'copy', sources: [{ file: 0, input: 0, undecoded: 0, stats: shifted }] } as const;
  const stream = { kind: 'video', codec: 'h264' } as const;
  const common = { duration: 10, bytes: 1000, chapters: 0, notes };
  const report: ProcessReport = { ...common, streams: [{ ...stream, origin }], clip: { start, mediaEnd } };
  const probe: ProbeReport = {
    ...common,
    streams: [{ ...stream, beginsDecodable, stats: { ...written, ...(hasEdits && { plays }) } }],
  };
  return compareClip({ start: 60, end }, report, probe);
}

describe('compareClip', () => {
  it('accepts a clip that plays as requested', () => {
    expect(difference()).toBeUndefined();
    expect(difference({ plays: { first: 0, end: 10.2 } })).toBeUndefined();
    // Without an edit list, a noted start at a key frame.
    const keyFrame = { start: 59, source: { first: 59, end: 70 }, hasEdits: false, notes: [early] };
    expect(difference(keyFrame)).toBeUndefined();
    // The media ends before the clip.
    expect(difference({ mediaEnd: 65, source: { first: 59, end: 65 }, plays: { first: 0, end: 5 } })).toBeUndefined();
  });

  it.each<[string, Parameters<typeof difference>[0], RegExp]>([
    ['that is too long', { plays: { first: 0, end: 11 } }, /its clip plays 11.0 s instead of 10.0 s/],
    ['that is too short', { plays: { first: 0, end: 9 } }, /its clip plays 9.0 s instead of 10.0 s/],
    ['that plays hidden frames', { hasEdits: false }, /its clip plays 11.0 s instead of 10.0 s/],
    ['that begins early without a note', { start: 59 }, /begins at 59.0 s of the media instead of 60.0 s/],
    ['that begins in a group of pictures', { beginsDecodable: false }, /begins with a frame that cannot be decoded/],
    ['that begins late', { start: 61, notes: [early] }, /begins at 61.0 s of the media instead of 60.0 s/],
    [
      'whose source was not read to its end',
      { source: { first: 59, end: 66 }, plays: { first: 0, end: 6 } },
      /ends at 66.0 s of the media instead of 70.0 s/,
    ],
  ])('refuses one %s', (_what, changes, reason) => expect(difference(changes)).toMatch(reason));

  it('refuses a report without a clip', () => {
    const report: ProcessReport = { streams: [], duration: 1, bytes: 1, chapters: 0, notes: [] };
    expect(compareClip({ start: 0, end: 1 }, report, report)).toMatch(/does not contain the clip/);
  });
});
