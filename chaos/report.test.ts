import { expect, test } from 'vitest';
import { describeRun, type Report, violationsOf } from './report.ts';
import type { PointResult } from './run-point.ts';
import type { Point } from './schedule.ts';

const point: Point = { number: 17, seed: 5, fault: 'cut source', stage: 'processing', store: 's3', short: false };
const result: PointResult = {
  point,
  hit: 'worker-1',
  reached: true,
  done: 4,
  failed: [],
  recovery: 2,
  bytes: 1.03,
  orphans: 0,
  violations: [],
};
const report = (results: PointResult[], more: Partial<Report> = {}): Report => ({
  seed: 5,
  short: false,
  took: 120,
  planned: 3,
  results,
  credits: {},
  ...more,
});

test('groups points by fault with the median and the worst recovery, and by stage with the missed ones in brackets', () => {
  const results = [result, { ...result, recovery: 9, bytes: 1.2, failed: ['why'], reached: false }];
  const lines = describeRun(report(results)).split('\n');
  expect(lines).toContain('2 of 3 points of seed 5 in 2.0 minutes: 0 violations');
  expect(lines).toContain('| cut source | 2 | 8 | 1 | 2 s | 9 s | 1.20 | 0 | 0 |');
  expect(lines).toContain('| cut source |  |  |  | 2 (1) |  |  |  |');
  expect(lines).toContain('Failed 1 times: why');
});

test('lists each violation with the command that repeats its point', () => {
  expect(violationsOf(report([{ ...result, violations: ['a job is lost'] }]))).toEqual([
    'cut source at processing on s3: a job is lost [npm run chaos -- --seed 5 --only 17]',
  ]);
  expect(violationsOf(report([{ ...result, violations: ['a job is lost'] }], { short: true }))[0]).toMatch(
    /--seed 5 --short --only 17/,
  );
});

test('lists wrong credits in the ledger as violations', () => {
  const credits = { disk: { charged: 3, unanswered: 1, refused: 0, ledger: 9, violations: ['five too many'] } };
  expect(violationsOf(report([result], { credits }))).toEqual(['credits, disk: five too many']);
  expect(describeRun(report([result], { credits }))).toContain('responses reported 3, the ledger has 9');
});
