import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { maxInputs } from '../../../contract/job.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import type { ChildMessage, ChildReport } from './messages.ts';
import { parseChildMessage } from './parse-message.ts';

const stats = { first: -0.02, last: 1, end: 1.5, packets: 20, gaps: [{ seconds: 0.1, at: 0.5 }], jumps: 0 };
const report = {
  streams: [
    {
      kind: 'video',
      codec: 'h264',
      duration: 1.5,
      stats,
      origin: {
        action: 'copy',
        sources: [
          { file: 1, input: 15, undecoded: 0, stats: { first: -1, last: 1, end: 1.5, jumps: 2 } },
          { file: 0, input: 0, undecoded: 2 },
        ],
      },
    },
    { kind: 'subtitle', codec: 'subrip' },
  ],
  duration: 1.5,
  bytes: 1000,
  chapters: 3,
  tags: { title: 'ab'.repeat(32), album_artist: '01'.repeat(32) },
  cover: 'ef'.repeat(32),
  notes: [
    { code: 'stream_left_out', message: 'Something was left out.', input: 15 },
    { code: 'several_videos', message: 'Two.' },
  ],
} satisfies ChildReport;

it.each<ChildMessage>([
  { type: 'ready', landlock: 7, systemCalls: true },
  { type: 'progress', fraction: 0.25 },
  { type: 'done', report },
  { type: 'failed', code: 'input_unreadable', message: 'Input 1 is empty.' },
  { type: 'failed', code: 'input_incomplete', message: 'Input 2 is cut short.', reason: 'End of file', input: 1 },
])('reads %j', (message) => {
  expect(parseChildMessage(JSON.stringify(message))).toEqual(message);
});

it.each([
  'no JSON',
  '{"type":"ready"',
  '{"type":"other"}',
  '{"type":"ready"}',
  '{"type":"ready","landlock":-1,"systemCalls":true}',
  '{"type":"progress","fraction":1.5}',
  '{"type":"progress","fraction":-0.1}',
  '{"type":"progress"}',
  JSON.stringify({ type: 'done', report: { ...report, bytes: -1 } }),
  JSON.stringify({ type: 'done', report: { ...report, duration: '9' } }),
  JSON.stringify({
    type: 'done',
    report: { ...report, notes: [{ code: 'stream_left_out', message: 'x'.repeat(2001) }] },
  }),
  JSON.stringify({
    type: 'done',
    report: { ...report, streams: Array.from({ length: 300 }, () => report.streams[0]) },
  }),
  JSON.stringify({ type: 'done', report: { ...report, tags: { title: 'a text' } } }),
  JSON.stringify({ type: 'done', report: { ...report, cover: 'a text' } }),
  JSON.stringify({ type: 'done', report: { ...report, notes: ['a bare text'] } }),
  ...[
    { stats: { ...stats, first: null } },
    { stats: { ...stats, gaps: [{ seconds: -1, at: 0 }] } },
    { stats: { ...stats, packets: 1.5 } },
    { origin: { action: 'guess', sources: [] } },
    { origin: { action: 'copy', sources: [{ file: 0, input: maxInputs, undecoded: 0 }] } },
    { origin: { action: 'copy', sources: Array.from({ length: 17 }, () => ({ file: 0, input: 0, undecoded: 0 })) } },
  ].map((part) => {
    return JSON.stringify({ type: 'done', report: { ...report, streams: [{ ...report.streams[1], ...part }] } });
  }),
  JSON.stringify({ type: 'done', report: { ...report, notes: [{ code: 'cancelled', message: 'No note.' }] } }),
  JSON.stringify({ type: 'failed', code: 'input_unreadable', message: 'No such input.', input: maxInputs }),
  JSON.stringify({ type: 'failed', code: 'unauthorized', message: 'no such code for a child' }),
  JSON.stringify({ type: 'failed', code: 'input_unreadable', message: 'x'.repeat(2001) }),
])('refuses %s', (line) => {
  expect(() => parseChildMessage(line)).toThrow(expect.objectContaining({ code: 'processing_failed' }));
});

it('returns a message or throws a MillraceError, but nothing else', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"type":"done","report":${json}}`),
      ),
      (line) => {
        try {
          expect(['ready', 'progress', 'done', 'failed']).toContain(parseChildMessage(line).type);
        } catch (error) {
          expect(error).toBeInstanceOf(MillraceError);
        }
      },
    ),
    { seed: 3, numRuns: propertyRuns(1000) },
  );
});
