import { expect, test } from 'vitest';
import type { ProbeReport, ProcessReport, WrittenStream } from '../tasks/report.ts';
import { evenStats } from '../testing/make-stream-stats.ts';
import { verifyResult } from './verify-result.ts';

const stats = { video: evenStats(60, 0.04), audio: evenStats(60, 0.02) };

function writtenStream(kind: 'video' | 'audio', codec: string): WrittenStream {
  const sources = [{ file: 0, input: 0, undecoded: 0, stats: stats[kind] }];
  return { kind, codec, duration: 60, stats: stats[kind], origin: { action: 'copy', sources } };
}

const report = {
  streams: [writtenStream('video', 'h264'), writtenStream('audio', 'aac')],
  duration: 60,
  bytes: 1000,
  chapters: 0,
  notes: [],
} as const satisfies ProcessReport;
const probe = {
  streams: [
    { kind: 'video', codec: 'h264', duration: 60, stats: stats.video },
    { kind: 'audio', codec: 'aac', duration: 60, stats: stats.audio },
  ],
  duration: 60,
  bytes: 1000,
  chapters: 0,
} as const satisfies ProbeReport;
const [video, audio] = probe.streams;

test('verifyResult accepts differences within the rounding of containers', () => {
  verifyResult(report, probe);
  verifyResult(report, { ...probe, streams: [video, { ...audio, stats: evenStats(60.4, 0.02) }] });
  verifyResult(report, { ...probe, streams: [{ kind: 'video', codec: 'h264' }, audio] });
  const subtitle = { kind: 'subtitle', codec: 'subrip' } as const;
  verifyResult(
    { ...report, streams: [...report.streams, subtitle] },
    { ...probe, streams: [...probe.streams, subtitle] },
  );
});

test.each<[string, Partial<ProbeReport>, RegExp]>([
  ['fewer bytes', { bytes: 999 }, /999 bytes instead of 1000/],
  ['one stream fewer', { streams: [video] }, /holds video h264 instead of video h264, audio aac/],
  ['another codec', { streams: [video, { ...audio, codec: 'mp3' }] }, /audio mp3/],
  ['one chapter more', { chapters: 1 }, /has 1 chapters instead of 0/],
  ['a longer stream', { streams: [video, { ...audio, stats: evenStats(70, 0.02) }] }, /plays 70.0 s instead of 60.0/],
  ['a shorter stream', { streams: [video, { ...audio, stats: evenStats(50, 0.02) }] }, /its audio plays 50.0 s/],
])('verifyResult refuses %s', (_name, difference, reason) => {
  expect(() => verifyResult(report, { ...probe, ...difference })).toThrow(
    expect.objectContaining({ code: 'result_unproven', message: expect.stringMatching(reason) }),
  );
});

test('verifyResult refuses a report without the source of a stream', () => {
  const [{ origin: _, ...unknown }, other] = report.streams;
  expect(() => verifyResult({ ...report, streams: [unknown, other] }, probe)).toThrow(
    /report does not contain the source of its video/,
  );
});
