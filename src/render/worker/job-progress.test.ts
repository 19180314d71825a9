import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultBrackets } from '../../contract/progress-brackets.ts';
import { createJobProgress } from './job-progress.ts';

test('advances each stage within its bracket', () => {
  const progress = createJobProgress(defaultBrackets);
  const steps: [keyof typeof defaultBrackets, number, number][] = [
    ['downloading_inputs', 0.5, 25],
    ['downloading_inputs', 1, 50],
    ['processing', 0, 50],
    ['processing', 0.5, 55],
    ['uploading_output', 0.999, 99],
    ['uploading_output', 1, 100],
  ];
  for (const [stage, fraction, percent] of steps) {
    progress.report(stage, fraction);
    expect(progress.percent).toBe(percent);
  }
});

test('reports the end of the previous stage while the current one is not in the database yet', () => {
  const progress = createJobProgress(defaultBrackets);
  progress.report('downloading_inputs', 0.5);
  expect(progress.publishedPercent).toBe(25);
  progress.report('processing', 0.6);
  expect([progress.publishedPercent, progress.percent]).toEqual([50, 56]);
  progress.stageWritten('processing');
  expect(progress.publishedPercent).toBe(56);
});

test('publishes no less progress for a resumed run than for the previous run', () => {
  const progress = createJobProgress(defaultBrackets, 57);
  expect(progress.publishedPercent).toBe(57);
  progress.report('processing', 1);
  expect([progress.publishedPercent, progress.percent]).toEqual([57, 60]);
});

test('is an integer from 0 to 100 that never decreases, whatever is reported', () => {
  const stage = fc.constantFrom('downloading_inputs' as const, 'processing' as const, 'uploading_output' as const);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(stage, fc.oneof(fc.double(), fc.constantFrom(Number.NaN, 0 / 0, 1 / 0)))),
      (reports) => {
        const progress = createJobProgress(defaultBrackets);
        let before = progress.percent;
        for (const [at, fraction] of reports) {
          progress.report(at, fraction);
          expect(progress.percent).toBeGreaterThanOrEqual(before);
          expect(progress.percent).toBeLessThanOrEqual(100);
          expect(progress.percent).toSatisfy(Number.isInteger);
          before = progress.percent;
        }
      },
    ),
    { seed: 1 },
  );
});
