import { expect, test } from 'vitest';
import type { RenderPreview } from '../../contract/render-preview.ts';
import { previewText } from './preview-text.ts';

const preview: RenderPreview = {
  jobId: 'one',
  status: 'queued',
  message: 'A start would create the job.',
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

test('a preview is printed line by line without control characters', () => {
  expect(previewText(preview)).toBe(
    [
      'START       A start would create the job.',
      'INPUT 1     mp4, 12.00 MB, no range requests',
      'INPUT 2     m3u8, about 5.00 MB, 1:05',
      'INPUT 3     mp3, unknown size',
      'OPERATION   extract_audio: video drop, audio copy',
      'RESULT      mp4, up to about 17.00 MB, available for 1:00:00',
      'UNFINISHED  2, with 3 more allowed',
      'PROBLEM     Input 3: [2J refused. (source_refused)',
      '',
    ].join('\n'),
  );
});

test('unknown sizes and missing limits are stated', () => {
  const result = { ...preview.result, sizeAtMost: null };
  const text = previewText({ ...preview, result, problems: [], unfinishedJobs: { now: 0, left: null } });
  expect(text).toContain('RESULT      mp4, unknown size,');
  expect(text).toContain('UNFINISHED  0\n');
  expect(text).not.toContain('PROBLEM');
});
