import { expect, test } from 'vitest';
import type { RenderPreview } from '../../contract/render-preview.ts';
import { previewText } from './preview-text.ts';

const preview: RenderPreview = {
  jobId: 'one',
  status: 'queued',
  message: 'A start would begin the job.',
  inputs: [
    { ext: 'mp4', size: 12_000_000, sizeIsExact: true, duration: null, ranges: false },
    { ext: 'm3u8', size: 5_000_000, sizeIsExact: false, duration: 65, ranges: true },
    { ext: 'mp3', size: null, sizeIsExact: false, duration: null, ranges: true },
  ],
  operation: { type: 'extract_audio', video: 'drop', audio: 'copy' },
  result: { ext: 'mp4', size: null, sizeText: null, sizeAtMost: 17_000_000, ttl: 3_600_000 },
  cost: { credits: 0 },
  unfinishedJobs: { now: 2, left: 3 },
  problems: [{ code: 'source_refused', message: 'Input 3:\u001b[2J refused.', retryable: false, input: 2 }],
};

test('a plan is shown line by line, and nothing of it reaches a terminal raw', () => {
  expect(previewText(preview)).toBe(
    [
      'START       A start would begin the job.',
      'INPUT 1     mp4, 12.00 MB, in one piece',
      'INPUT 2     m3u8, about 5.00 MB, 1:05',
      'INPUT 3     mp3, of unknown size',
      'OPERATION   extract_audio: video drop, audio copy',
      'RESULT      mp4, at most about 17.00 MB, kept for 1:00:00',
      'UNFINISHED  2, and 3 more may be started',
      'PROBLEM     Input 3: [2J refused. (source_refused)',
      '',
    ].join('\n'),
  );
});

test('what is not known, or not limited, is said so', () => {
  const result = { ...preview.result, sizeAtMost: null };
  const text = previewText({ ...preview, result, problems: [], unfinishedJobs: { now: 0, left: null } });
  expect(text).toContain('RESULT      mp4, of unknown size,');
  expect(text).toContain('UNFINISHED  0\n');
  expect(text).not.toContain('PROBLEM');
});
