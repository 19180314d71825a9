import Type from 'typebox';
import { batchLimits, batchResponseSchema, batchSchema, parseBatch } from '../batch.ts';
import { jobDescriptionSchema } from '../job.ts';
import { cacheResponseSchema, renderStartSchema } from '../job-status.ts';
import { parseJob } from '../parse-job.ts';
import { renderPreviewSchema } from '../render-preview.ts';
import { batchExamples, exampleJob } from './examples.ts';
import { batchQuery, sealedStartQuery, startQuery, storedParameters } from './parameters.ts';
import { renderPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

const started = {
  200: {
    description: 'The job is there already: `already_exists`; or its plan.',
    schema: Type.Union([renderStartSchema, renderPreviewSchema]),
  },
  202: { description: 'The job is new, or starts anew: `queued`.', schema: renderStartSchema },
};

const notOwned = refusal('The job of this id belongs to somebody else.', 'forbidden');
const tooMany = refusal('Too many starts, or too many jobs that are not finished.', 'rate_limited');

const description = { schema: jobDescriptionSchema, parse: parseJob, example: exampleJob };
const descriptionRefusals = {
  400: refusal('The job description is not valid; `error.fields` lists why.', 'invalid_body', 'invalid_params'),
  401: refusal('The key is missing or wrong.', 'unauthorized'),
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
  429: tooMany,
};

/** Starts a job that the caller describes. */
export const startJob = {
  ...renderPaths.startJob,
  summary: 'Starts a job',
  description: 'Starts a job, or attaches to the one with the same id: it is extended, or restarted where it failed.',
  address: 'api',
  renderKey: 'required',
  query: startQuery,
  body: description,
  responses: { ...started, ...descriptionRefusals, 403: notOwned },
} as const satisfies Route;

/** Stores a job description, to be started without a key. */
export const storeJob = {
  ...renderPaths.storeJob,
  summary: 'Stores a job description',
  description: 'Stores a job description, and answers with a URL that starts it without a key.',
  address: 'api',
  renderKey: 'required',
  body: description,
  responses: { 201: { description: 'Stored.', schema: cacheResponseSchema }, ...descriptionRefusals },
} as const satisfies Route;

/** Starts a stored job. */
export const startStoredJob = {
  ...renderPaths.startStoredJob,
  summary: 'Starts a stored job',
  description: 'The executionUrl of a stored description. Needs no key: the URL is the credential.',
  address: 'render',
  renderKey: 'none',
  parameters: storedParameters,
  query: startQuery,
  responses: {
    ...started,
    403: refusal('The job of this id belongs to somebody else, or the key that stored it was revoked.', 'forbidden'),
    404: refusal('No stored description has this id: it never existed, or has expired.', 'not_found'),
    429: tooMany,
  },
} as const satisfies Route;

/** Starts the job of a render config. */
export const startSealedJob = {
  ...renderPaths.startSealedJob,
  summary: 'Starts the job of a render config',
  description: 'The executionUrl of a render config, used as it is. Needs no key: the URL is the credential.',
  address: 'render',
  renderKey: 'none',
  query: sealedStartQuery,
  responses: {
    ...started,
    403: refusal(
      'The URL is not valid or was modified, or its job belongs to somebody else.',
      'invalid_url',
      'forbidden',
    ),
    410: refusal('The URL has expired. Ask for a fresh one.', 'token_expired'),
    429: refusal('Too many plans at once.', 'rate_limited'),
  },
} as const satisfies Route;

/** Starts many jobs. */
export const startJobs = {
  ...renderPaths.startJobs,
  summary: 'Starts many jobs',
  description:
    `Starts up to ${batchLimits.items} jobs, each as if it came alone and under the same limits: some may start while ` +
    'others are refused. The key is that of the descriptions; execution URLs and stored ones need none. Each result ' +
    'also has the file of a job that is done already, and the failure of one that was refused or failed at once.',
  address: 'api',
  renderKey: 'optional',
  query: batchQuery,
  body: { schema: batchSchema, parse: parseBatch, example: { jobs: [exampleJob] }, limit: batchLimits.bodySize },
  responses: {
    200: {
      description: 'How each fared, in their order.',
      schema: batchResponseSchema,
      examples: batchExamples,
    },
    400: refusal('The request is not valid.', 'invalid_body', 'invalid_params'),
    413: refusal('The body is too large.', 'body_too_large'),
    415: refusal('The body is not JSON.', 'invalid_body'),
  },
} as const satisfies Route;
