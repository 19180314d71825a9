import { expect, test } from 'vitest';
import { isVisitor } from '../../contract/caller.ts';
import { callerOfJob } from './caller-of-job.ts';

test.each([
  [false, { account: 'owner', key: 'owner' }],
  [true, { account: 'owner', key: 'owner/job' }],
])('a job, whose visitor is %s, is fetched for its owner or for one visitor', (visitor, caller) => {
  const found = callerOfJob({ id: 'job', owner: 'owner', visitor });
  expect(found).toEqual(caller);
  expect(isVisitor(found)).toBe(visitor);
});
