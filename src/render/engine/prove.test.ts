import { expect, test } from 'vitest';
import type { ProbeReport, ProcessReport } from './engine.ts';
import { prove } from './prove.ts';

const streams = [
  { kind: 'video', codec: 'h264', duration: 60 },
  { kind: 'audio', codec: 'aac', duration: 60 },
] as const;
const written: ProcessReport = { streams, duration: 60, bytes: 1000, chapters: 0, notes: [] };
const found: ProbeReport = { streams, duration: 60, bytes: 1000, chapters: 0 };

test('takes what agrees, within what containers round', () => {
  prove(written, found);
  prove(written, { ...found, duration: 60.4, streams: [streams[0], { ...streams[1], duration: 59.6 }] });
  prove(written, { ...found, streams: [{ kind: 'video', codec: 'h264' }, streams[1]] });
});

test.each<[string, Partial<ProbeReport>, RegExp]>([
  ['fewer bytes', { bytes: 999 }, /999 bytes instead of 1000/],
  ['a stream less', { streams: [streams[0]] }, /holds video h264 instead of video h264, audio aac/],
  ['another codec', { streams: [streams[0], { ...streams[1], codec: 'mp3' }] }, /audio mp3/],
  ['a chapter more', { chapters: 1 }, /has 1 chapters instead of 0/],
  ['a shorter file', { duration: 58 }, /plays 58.0 s instead of 60.0 s/],
  ['a shorter stream', { streams: [streams[0], { ...streams[1], duration: 50 }] }, /audio stream plays 50.0 s/],
])('refuses %s', (_name, difference, reason) => {
  expect(() => prove(written, { ...found, ...difference })).toThrow(
    expect.objectContaining({ code: 'result_unproven', message: expect.stringMatching(reason) }),
  );
});
