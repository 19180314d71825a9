import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { jobLimits } from '../../contract/job.ts';
import { normalizedSize } from '../../contract/normalized-size.ts';
import { testJob, testSealers } from '../testing/job-database.ts';
import { openJob, sealJob } from './sealed-job.ts';

test('the largest job that is accepted, with an origin as long as an order, can be opened again', () => {
  const { live } = testSealers;
  const job = testJob('one');
  const [input] = job.inputs;
  if (input === undefined) throw new Error('the job has no input');
  const fill = (length: number) => randomBytes(length).toString('base64').slice(0, length);
  const request = { ...input.request, body: '' };
  const room = jobLimits.normalizedSize - normalizedSize({ ...job, inputs: [{ ...input, request }] });
  const largest = { ...job, inputs: [{ ...input, request: { ...request, body: fill(room) } }] };
  expect(normalizedSize(largest)).toBe(jobLimits.normalizedSize);
  // An order is shorter than a request body, and contains the description as well.
  const withOrigin = { ...largest, exit: fill(jobLimits.bodySize - 1_000) };
  expect(openJob(live, sealJob(live, withOrigin))).toEqual(withOrigin);
});
