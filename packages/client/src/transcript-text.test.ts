import { expect, test } from 'vitest';
import { cutSegments, transcriptText } from './transcript-text.ts';

const segments = [
  { startMs: 0, durationMs: 1500, text: 'One\n\n--> two' },
  { startMs: 61_500, durationMs: 500, text: '<b> & c' },
];

test.each([
  ['text', 'One --> two\n<b> & c\n'],
  ['srt', '1\n00:00:00,000 --> 00:00:01,500\nOne\n-> two\n\n2\n00:01:01,500 --> 00:01:02,000\n<b> & c\n'],
  [
    'vtt',
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nOne\n-&gt; two\n\n00:01:01.500 --> 00:01:02.000\n&lt;b&gt; &amp; c\n',
  ],
] as const)('transcriptText formats a transcript as %s', (form, text) => {
  expect(transcriptText(segments, form)).toBe(text);
});

test('times have hours and milliseconds', () => {
  const segment = { startMs: 3_723_004.4, durationMs: 1, text: 'a' };
  expect(transcriptText([segment], 'vtt')).toContain('\n01:02:03.004 --> 01:02:03.005\n');
});

test('cutSegments keeps what lies in a part, and counts from its start', () => {
  expect(cutSegments(segments, { start: 1, end: 61.6 })).toEqual([
    { startMs: 0, durationMs: 500, text: 'One\n\n--> two' },
    { startMs: 60_500, durationMs: 100, text: '<b> & c' },
  ]);
  expect(cutSegments(segments, { start: 62 })).toEqual([]);
});
