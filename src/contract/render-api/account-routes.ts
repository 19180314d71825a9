import { jobListSchema } from '../job-list.ts';
import { renderStartSchema } from '../job-status.ts';
import { usageSchema } from '../usage.ts';
import { jobListExamples, usageExamples } from './account-examples.ts';
import { queuedExamples } from './examples.ts';
import { jobListQuery } from './job-list-query.ts';
import { bodyRefusals, keyRefusals, ownerRefusals } from './key-refusals.ts';
import { jobParameters } from './parameters.ts';
import { renderPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

/** Lists the jobs of an account. */
export const listJobs = {
  ...renderPaths.listJobs,
  summary: 'List your jobs',
  description:
    'Returns the jobs of the account, newest first: those started with the render key, or with execution URLs that were ' +
    'returned to the extraction key. Expired jobs are not included.',
  address: 'api',
  renderKey: 'either',
  query: jobListQuery,
  responses: {
    200: { description: 'A page of the list.', schema: jobListSchema, examples: jobListExamples },
    400: refusal('A parameter is not valid.', 'invalid_params'),
    ...keyRefusals,
  },
} as const satisfies Route;

/** Runs a failed job again. */
export const retryJob = {
  ...renderPaths.retryJob,
  summary: 'Retry a failed job',
  description:
    'Runs a failed job again with the same description and webhook, under the same ID. A job that was cancelled, or that ' +
    'an earlier version ran, has no stored description: start it again instead.',
  address: 'api',
  renderKey: 'either',
  parameters: jobParameters,
  responses: {
    202: { description: 'The job was restarted.', schema: renderStartSchema, examples: queuedExamples },
    ...bodyRefusals,
    ...ownerRefusals,
    409: refusal('The job has not failed, or its description is not stored.', 'conflict'),
    429: refusal('Too many requests or unfinished jobs, or too large finished files in total.', 'rate_limited'),
    451: refusal('The operator of the service has blocked the item, its channel, or the host of an input.', 'blocked'),
  },
} as const satisfies Route;

/** Reports the usage of an account. */
export const readUsage = {
  ...renderPaths.readUsage,
  summary: 'Get the usage of your key',
  description:
    'Returns the credits, requests and limits of the account. Costs no credits, and does not count as a request.',
  address: 'api',
  renderKey: 'either',
  responses: {
    200: { description: 'The usage of this month.', schema: usageSchema, examples: usageExamples },
    ...keyRefusals,
  },
} as const satisfies Route;
