import Type from 'typebox';
import { batchLimits, batchResponseSchema, batchSchema, parseBatch } from '../batch.ts';
import { jobDescriptionSchema } from '../job.ts';
import { cacheResponseSchema, renderStartSchema } from '../job-status.ts';
import { parseJob } from '../parse-job.ts';
import { renderPreviewSchema } from '../render-preview.ts';
import { batchExamples, exampleJob, existingExamples, queuedExamples, storedExamples } from './examples.ts';
import { batchQuery, sealedStartQuery, startQuery, storedParameters } from './parameters.ts';
import { renderPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

const started = {
  200: {
    description: 'The job already exists (`already_exists`), or the response is a preview.',
    schema: Type.Union([renderStartSchema, renderPreviewSchema]),
    examples: existingExamples,
  },
  202: {
    description: 'The job is new or was restarted (`queued`).',
    schema: renderStartSchema,
    examples: queuedExamples,
  },
};

const notOwned = refusal('The job with this ID belongs to another account.', 'forbidden');
const tooMany = refusal('Too many start requests, or too many unfinished jobs.', 'rate_limited');

const blocked = refusal(
  'The operator of the service has blocked the item of the job, its channel, or the host of an input.',
  'blocked',
);

const description = { schema: jobDescriptionSchema, parse: parseJob, example: exampleJob };
const descriptionRefusals = {
  400: refusal('The job description is not valid; `error.fields` lists the faults.', 'invalid_body', 'invalid_params'),
  401: refusal('The key is missing or wrong.', 'unauthorized'),
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
  429: tooMany,
};

/** Starts a job that the caller describes. */
export const startJob = {
  ...renderPaths.startJob,
  summary: 'Start a job',
  description:
    'Starts a job, or attaches to the job with the same ID: a finished job is kept longer, a failed job is restarted.',
  address: 'api',
  renderKey: 'required',
  query: startQuery,
  body: description,
  responses: { ...started, ...descriptionRefusals, 403: notOwned, 451: blocked },
} as const satisfies Route;

/** Stores a job description that can then be started without a key. */
export const storeJob = {
  ...renderPaths.storeJob,
  summary: 'Store a job description',
  description: 'Stores a job description and returns a URL that starts it without a key.',
  address: 'api',
  renderKey: 'required',
  body: description,
  responses: {
    201: { description: 'Stored.', schema: cacheResponseSchema, examples: storedExamples },
    ...descriptionRefusals,
  },
} as const satisfies Route;

/** Starts a stored job. */
export const startStoredJob = {
  ...renderPaths.startStoredJob,
  summary: 'Start a stored job',
  description:
    'Send a GET request to the executionUrl of a stored description. No key is needed: the URL is the credential.',
  address: 'render',
  renderKey: 'none',
  parameters: storedParameters,
  query: startQuery,
  responses: {
    ...started,
    403: refusal(
      'The job with this ID belongs to another account, or the key that stored the description no longer works.',
      'forbidden',
    ),
    404: refusal('No stored description has this ID: it never existed, or it has expired.', 'not_found'),
    429: tooMany,
    451: blocked,
  },
} as const satisfies Route;

/** Starts the job of a render config. */
export const startSealedJob = {
  ...renderPaths.startSealedJob,
  summary: 'Start the job of a render config',
  description:
    'Send a GET request to the unchanged executionUrl of a render config. No key is needed: the URL is the credential. ' +
    'It is valid for 24 hours if its source links can be replaced. Otherwise it is valid for 6 hours, or until the first ' +
    'source link expires.',
  address: 'render',
  renderKey: 'none',
  query: sealedStartQuery,
  responses: {
    ...started,
    403: refusal(
      'The URL is not valid or was modified, its job belongs to another account, or the operator has disabled its key.',
      'invalid_url',
      'forbidden',
    ),
    410: refusal('The URL has expired. Request a fresh one.', 'token_expired'),
    429: refusal('Too many requests, unfinished jobs, or concurrent previews.', 'rate_limited'),
    451: blocked,
  },
} as const satisfies Route;

/** Starts several jobs. */
export const startJobs = {
  ...renderPaths.startJobs,
  summary: 'Start several jobs',
  description:
    `Starts up to ${batchLimits.items} jobs. Each has the result and limits of a separate request, so some may start while ` +
    'others are refused. Descriptions need a key; execution URLs and stored descriptions do not. Each result also contains ' +
    'the file of a job that is already done, or the failure of a job that was refused or failed immediately.',
  address: 'api',
  renderKey: 'optional',
  query: batchQuery,
  body: { schema: batchSchema, parse: parseBatch, example: { jobs: [exampleJob] }, limit: batchLimits.bodySize },
  responses: {
    200: {
      description: 'One result for each job, in the same order.',
      schema: batchResponseSchema,
      examples: batchExamples,
    },
    400: refusal('The request is not valid.', 'invalid_body', 'invalid_params'),
    413: refusal('The body is too large.', 'body_too_large'),
    415: refusal('The body is not JSON.', 'invalid_body'),
  },
} as const satisfies Route;
