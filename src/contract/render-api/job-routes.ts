import Type from 'typebox';
import { notFoundEventSchema, renderCancelSchema, renderStatusEventSchema } from '../job-status.ts';
import { cancelledError } from '../shared-constants.ts';
import { cancelExamples, jobExamples } from './examples.ts';
import { ownerRefusals, tooManyRequests } from './key-refusals.ts';
import { cancelQuery, jobParameters, sealedQuery, storedParameters } from './parameters.ts';
import { renderPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

const unknownJob = refusal('No job has this ID: it never existed, or it has expired.', 'not_found');

/** Sends the status of a job over a WebSocket. */
export const watchJob = {
  ...renderPaths.watchJob,
  summary: 'Watch the status of a job over a WebSocket',
  description:
    'A WebSocket: open the address with a WebSocket client, because a plain HTTP request gets 426. Each message is a RenderStatusEvent, sent once a second; the service closes the connection after done or failed. ' +
    'If no job has this ID, it sends a single NotFoundEvent. Close code 1001 before the end means that the node ' +
    'is stopping: reconnect to the same address.',
  address: 'socket',
  renderKey: 'none',
  parameters: jobParameters,
  responses: {
    101: { description: 'The stream begins.' },
    426: refusal('The request is not a WebSocket handshake.', 'invalid_params'),
    429: tooManyRequests,
  },
} as const satisfies Route;

/** Sends the status of a job as Server-Sent Events. */
export const watchJobEvents = {
  ...renderPaths.watchJobEvents,
  summary: 'Watch the status of a job over Server-Sent Events',
  description:
    'Server-Sent Events. The data of each is a RenderStatusEvent, sent once a second; the stream ends after done or failed. ' +
    'If no job has this ID, the stream contains a single NotFoundEvent. A stream that ends earlier means that the node ' +
    'is stopping: reconnect to the same address after the time that `retry` states.',
  address: 'render',
  renderKey: 'none',
  parameters: jobParameters,
  responses: {
    200: {
      description: 'The stream. The schema describes the data of one event.',
      mediaType: 'text/event-stream',
      schema: Type.Union([renderStatusEventSchema, notFoundEventSchema]),
      examples: jobExamples,
    },
    429: tooManyRequests,
  },
} as const satisfies Route;

/** Reports the status of a job once, as JSON. */
export const getJob = {
  ...renderPaths.getJob,
  summary: 'Get the status of a job',
  description: 'Returns the current status of the job as JSON: the event that the status streams send.',
  address: 'render',
  renderKey: 'none',
  parameters: jobParameters,
  responses: {
    200: { description: 'The status of the job.', schema: renderStatusEventSchema, examples: jobExamples },
    404: unknownJob,
    429: tooManyRequests,
  },
} as const satisfies Route;

const effect =
  `A waiting or running job fails immediately with the error \`${cancelledError}\` and the code \`cancelled\`. Its data is deleted, and ` +
  'starting it again runs it from the beginning. A finished job is left unchanged.';

const cancelled = {
  200: {
    description: 'The job has ended: `cancelled`, or `already_finished` if it ended before it could be cancelled.',
    schema: renderCancelSchema,
    examples: cancelExamples,
  },
  400: refusal('The request is not valid.', 'invalid_body', 'invalid_params'),
  403: refusal('The job with this ID belongs to another account.', 'forbidden'),
  404: unknownJob,
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
  429: tooManyRequests,
};

/** Cancels a job with the key that started it. */
export const cancelJob = {
  ...renderPaths.cancelJob,
  summary: 'Cancel a job',
  description: `Cancels a job of the account. ${effect} With \`finished=delete\`, a finished job and its file are deleted immediately.`,
  address: 'api',
  renderKey: 'either',
  parameters: jobParameters,
  query: cancelQuery,
  responses: {
    ...cancelled,
    200: { ...cancelled[200], description: `${cancelled[200].description} \`deleted\` with \`finished=delete\`.` },
    ...ownerRefusals,
  },
} as const satisfies Route;

/** Cancels the job of a stored description. */
export const cancelStoredJob = {
  ...renderPaths.cancelStoredJob,
  summary: 'Cancel a stored job',
  description: `Send a DELETE request to the executionUrl that starts the job. ${effect}`,
  address: 'render',
  renderKey: 'none',
  parameters: storedParameters,
  responses: {
    ...cancelled,
    404: refusal('No such job exists, or no stored description has this ID.', 'not_found'),
  },
} as const satisfies Route;

/** Cancels the job of a render config. */
export const cancelSealedJob = {
  ...renderPaths.cancelSealedJob,
  summary: 'Cancel the job of a render config',
  description: `Send a DELETE request to the executionUrl that starts the job. This works even after the URL has expired. ${effect}`,
  address: 'render',
  renderKey: 'none',
  query: sealedQuery,
  responses: {
    ...cancelled,
    403: refusal('The URL is not valid, or its job belongs to another account.', 'invalid_url', 'forbidden'),
  },
} as const satisfies Route;
