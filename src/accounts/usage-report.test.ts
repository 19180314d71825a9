import { expect, test } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { reportUsage } from './usage-report.ts';

const now = new Date('2026-12-31T23:30:00+01:00');
const usage = { ofAccount: async () => [{ month: '2026-12', credits: 600, requests: 700 }] };
const account = { id: 'extraction:1', plan: plans.BASIC, test: false, spendWarning: 400 };

test('the usage of an extraction key has its credits, which never remain below zero', async () => {
  expect(await reportUsage(usage, { account, kind: 'extraction' }, { unfinishedJobs: 2, storedBytes: 7 }, now)).toEqual(
    {
      keyKind: 'extraction',
      plan: 'BASIC',
      month: '2026-12',
      resetsAt: '2027-01-01T00:00:00.000Z',
      requests: 700,
      credits: { used: 600, limit: 500, remaining: 0, spendWarning: 400 },
      rates: { requestsPerSecond: 1, startsPerSecond: null, jobsAtOnce: null },
      unfinishedJobs: 2,
      storedFiles: { bytes: 7, limit: 10_000_000_000 },
    },
  );
});

test('the usage of a test key has its limit of unfinished jobs, because their credits limit nothing', async () => {
  const report = await reportUsage(
    usage,
    { account: { ...account, test: true }, kind: 'extraction' },
    { unfinishedJobs: 2, storedBytes: 7 },
    now,
  );
  expect(report.rates.jobsAtOnce).toBe(5);
});

test('the usage of a render key has its limits, and nothing of earlier months', async () => {
  const report = await reportUsage(
    usage,
    { account, kind: 'render' },
    { unfinishedJobs: 0, storedBytes: 0 },
    new Date('2027-01-01T00:00:00Z'),
  );
  expect(report).toMatchObject({
    requests: 0,
    credits: null,
    rates: { requestsPerSecond: null, startsPerSecond: 1, jobsAtOnce: 5 },
  });
});
