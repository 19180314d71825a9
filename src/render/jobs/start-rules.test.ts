import { expect, test } from 'vitest';
import { initialState, isNearLimit } from './start-rules.ts';

const load = (backlog: number, tenantWaiting = 0) => ({ backlog, tenantWaiting, unfinishedJobs: 0 });

test.each([
  ['the first job of a key', 999, 0, false, 'queued'],
  ['the first job of a key', 1_000, 0, false, 'failed'],
  ['a further job of a key', 899, 300, false, 'queued'],
  ['a further job of a key', 900, 1, false, 'failed'],
  ['the job of a visitor', 499, 499, true, 'queued'],
  ['the job of a visitor', 500, 500, true, 'failed'],
  ['the job of a visitor', 899, 0, true, 'queued'],
  ['the job of a visitor', 900, 0, true, 'failed'],
  ['the job of a visitor', -1, 600, true, 'pending'],
] as const)(
  '%s, while %i jobs of 1000 wait, %i of them of its tenant',
  (_job, backlog, tenantWaiting, isVisitor, state) => {
    expect(initialState(load(backlog, tenantWaiting), 1_000, isVisitor)).toBe(state);
  },
);

test.each([
  [0, 'failed', 'failed'],
  [1, 'queued', 'queued'],
] as const)('a queue of %i', (maxQueued, ofKey, ofVisitor) => {
  expect(initialState(load(0), maxQueued, false)).toBe(ofKey);
  expect(initialState(load(0), maxQueued, true)).toBe(ofVisitor);
  expect(initialState(load(-1), maxQueued, true)).toBe('pending');
});

test('starts see each other near every limit', () => {
  const near = [0, 100, 800, 900, 1_100].map((backlog) => isNearLimit(load(backlog), 1_000, false));
  expect(near).toEqual([true, true, true, true, true]);
  expect(isNearLimit(load(500, 450), 1_000, false)).toBe(false);
  expect(isNearLimit(load(500, 450), 1_000, true)).toBe(true);
});
