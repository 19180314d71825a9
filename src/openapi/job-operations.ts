import { batchLimits } from '../contract/batch.ts';
import { cancelledError } from '../contract/status.ts';
import type { Operation } from './document.ts';
import { batchExamples, jobExamples } from './job-examples.ts';
import {
  always,
  bodyOf,
  cacheId,
  exampleJob,
  jobId,
  order,
  RENDER_TAG,
  refusal,
  success,
  successLike,
  withKey,
  withoutKey,
} from './render-parts.ts';

const notThere = refusal('No job has this id: it was never started, or has expired.', 'not_found');
const badBodies = {
  400: refusal('The request is not valid.', 'invalid_body', 'invalid_params'),
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
};

/** How a job stands, as JSON. */
export const jobStatus: Operation = {
  ...withoutKey,
  operationId: 'getJob',
  summary: 'Status of a job',
  description: 'How the job stands now: the event of the status streams, once, as JSON.',
  parameters: [jobId],
  responses: { 200: successLike('The job.', 'RenderStatusEvent', jobExamples), 404: notThere, ...always },
};

const cancelled =
  `A job that waits or runs has failed from now on, with the error \`${cancelledError}\` and the code \`cancelled\`; nothing is left of it, and ` +
  'starting it again begins it anew. One that is over stays as it is.';

const cancelAnswers = {
  200: success('The job is over: `cancelled`, or `already_finished` before it could be.', 'RenderCancelResponse'),
  403: refusal('The job of this id belongs to somebody else.', 'forbidden'),
  404: notThere,
  ...always,
  ...badBodies,
};

/** Cancels a job with a key. */
export const cancelJob: Operation = {
  ...withKey,
  operationId: 'cancelJob',
  summary: 'Cancels a job',
  description: `Cancels a job that this key has started. ${cancelled}`,
  parameters: [jobId],
  responses: { ...cancelAnswers, 401: refusal('The key is missing or wrong.', 'unauthorized') },
};

/** Cancels the job of a stored description. */
export const cancelStored: Operation = {
  ...withoutKey,
  operationId: 'cancelStoredJob',
  summary: 'Cancels a stored job',
  description: `DELETE of the executionUrl that starts the job. ${cancelled}`,
  parameters: [cacheId],
  responses: {
    ...cancelAnswers,
    404: refusal('There is no such job, or no stored description has this id.', 'not_found'),
  },
};

/** Cancels the job of a render config. */
export const cancelSealed: Operation = {
  ...withoutKey,
  operationId: 'cancelSealedJob',
  summary: 'Cancels the job of a render config',
  description: `DELETE of the executionUrl that starts the job, even where that has expired. ${cancelled}`,
  parameters: [order],
  responses: {
    ...cancelAnswers,
    403: refusal('The URL is not valid, or its job belongs to somebody else.', 'invalid_url', 'forbidden'),
  },
};

/** What became of a job's webhook. */
export const deliveries: Operation = {
  ...withKey,
  operationId: 'readDeliveries',
  summary: 'What came of the webhook of a job',
  description: "The tries to deliver the job's last status event to its webhook. For the key that started the job.",
  parameters: [jobId],
  responses: {
    200: success('What came of it, until the job expires.', 'Deliveries'),
    401: refusal('The key is missing or wrong.', 'unauthorized'),
    403: refusal('The job belongs to somebody else.', 'forbidden'),
    404: notThere,
    ...always,
  },
};

/** Starts many jobs. */
export const batch: Operation = {
  tags: [RENDER_TAG],
  // With a key, or without one.
  security: [{ renderKey: [] }, {}],
  ...bodyOf('JobBatch', { jobs: [exampleJob] }),
  operationId: 'startJobs',
  summary: 'Starts many jobs',
  description:
    `Starts up to ${batchLimits.items} jobs, each as if it came alone and under the same limits: some may start while ` +
    'others are refused. The key is that of the descriptions; execution URLs and stored ones need none. Each result ' +
    'also has the file of a job that is done already, and the failure of one that was refused or failed at once.',
  responses: {
    200: successLike('How each fared, in their order.', 'BatchResponse', batchExamples),
    ...always,
    ...badBodies,
  },
};
