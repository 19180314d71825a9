import { expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { testJob } from '../testing/job-database.ts';
import { predictStart } from './predict-start.ts';

const startConditions = {
  existing: async () => undefined,
  load: async () => ({ backlog: -1, tenantWaiting: 0, unfinishedJobs: 0 }),
  storedSizeRefusal: async (tenant: string) => new MillraceError('rate_limited', `${tenant} stores too much.`),
};

/** Returns the messages of the predicted errors. */
async function refusals(members: object, options: Parameters<typeof predictStart>[3]) {
  const { refusals: errors } = await predictStart(startConditions, testJob('one', members), 'me', options, 10);
  return errors.map(({ message }) => message);
}

test('predictStart predicts the refusal at the limit of stored files, unless the file is not stored', async () => {
  const stored = { quota: 100 };
  expect(await refusals({}, { stored })).toEqual(['me stores too much.']);
  expect(await refusals({}, {})).toEqual([]);
  const output = { ext: 'mp4', putUrl: 'https://bucket.example/film.mp4', keep: false };
  expect(await refusals({ output }, { stored })).toEqual([]);
});
