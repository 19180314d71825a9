import Type from 'typebox';
import { deliveriesSchema } from '../deliveries.ts';
import { notFoundEventSchema, renderCancelSchema, renderStatusEventSchema } from '../job-status.ts';
import { cancelledError } from '../shared-constants.ts';
import { jobExamples } from './examples.ts';
import { jobParameters, sealedQuery, storedParameters } from './parameters.ts';
import { renderPaths } from './paths.ts';
import { type Route, refusal } from './route.ts';

const unknownJob = refusal('No job has this id: it was never started, or has expired.', 'not_found');
const wrongKey = refusal('The key is missing or wrong.', 'unauthorized');

/** Sends the status of a job over a WebSocket. */
export const watchJob = {
  ...renderPaths.watchJob,
  summary: 'Status of a job over WebSocket',
  description:
    'A WebSocket. Each message is a RenderStatusEvent, one a second; after done or failed the service closes it. ' +
    'Where no job has the id, one NotFoundEvent comes. A close with code 1001 before the end means that the node ' +
    'which tells it stops: open the same address again.',
  address: 'socket',
  renderKey: 'none',
  parameters: jobParameters,
  responses: {
    101: { description: 'The stream begins.' },
    426: refusal('The request asks for no WebSocket.', 'invalid_params'),
  },
} as const satisfies Route;

/** Sends the status of a job as Server-Sent Events. */
export const watchJobEvents = {
  ...renderPaths.watchJobEvents,
  summary: 'Status of a job over Server-Sent Events',
  description:
    'Server-Sent Events. The data of each is a RenderStatusEvent, one a second; after done or failed the stream ' +
    'ends. Where no job has the id, one NotFoundEvent comes. An end before that means that the node which tells it ' +
    'stops: open the same address again, after as long as `retry` says.',
  address: 'render',
  renderKey: 'none',
  parameters: jobParameters,
  responses: {
    200: {
      description: 'The stream; the schema is that of the data of one event.',
      mediaType: 'text/event-stream',
      schema: Type.Union([renderStatusEventSchema, notFoundEventSchema]),
      examples: jobExamples,
    },
  },
} as const satisfies Route;

/** Reports the status of a job once, as JSON. */
export const getJob = {
  ...renderPaths.getJob,
  summary: 'Status of a job',
  description: 'How the job stands now: the event of the status streams, once, as JSON.',
  address: 'render',
  renderKey: 'none',
  parameters: jobParameters,
  responses: {
    200: { description: 'The job.', schema: renderStatusEventSchema, examples: jobExamples },
    404: unknownJob,
  },
} as const satisfies Route;

/** Reports the attempts to deliver the webhook of a job. */
export const readDeliveries = {
  ...renderPaths.readDeliveries,
  summary: 'What came of the webhook of a job',
  description: "The tries to deliver the job's last status event to its webhook. For the key that started the job.",
  address: 'api',
  renderKey: 'required',
  parameters: jobParameters,
  responses: {
    200: { description: 'What came of it, until the job expires.', schema: deliveriesSchema },
    401: wrongKey,
    403: refusal('The job belongs to somebody else.', 'forbidden'),
    404: unknownJob,
  },
} as const satisfies Route;

const effect =
  `A job that waits or runs has failed from now on, with the error \`${cancelledError}\` and the code \`cancelled\`; nothing is left of it, and ` +
  'starting it again begins it anew. One that is over stays as it is.';

const cancelled = {
  200: {
    description: 'The job is over: `cancelled`, or `already_finished` before it could be.',
    schema: renderCancelSchema,
  },
  400: refusal('The request is not valid.', 'invalid_body', 'invalid_params'),
  403: refusal('The job of this id belongs to somebody else.', 'forbidden'),
  404: unknownJob,
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
};

/** Cancels a job with the key that started it. */
export const cancelJob = {
  ...renderPaths.cancelJob,
  summary: 'Cancels a job',
  description: `Cancels a job that this key has started. ${effect}`,
  address: 'api',
  renderKey: 'required',
  parameters: jobParameters,
  responses: { ...cancelled, 401: wrongKey },
} as const satisfies Route;

/** Cancels the job of a stored description. */
export const cancelStoredJob = {
  ...renderPaths.cancelStoredJob,
  summary: 'Cancels a stored job',
  description: `DELETE of the executionUrl that starts the job. ${effect}`,
  address: 'render',
  renderKey: 'none',
  parameters: storedParameters,
  responses: {
    ...cancelled,
    404: refusal('There is no such job, or no stored description has this id.', 'not_found'),
  },
} as const satisfies Route;

/** Cancels the job of a render config. */
export const cancelSealedJob = {
  ...renderPaths.cancelSealedJob,
  summary: 'Cancels the job of a render config',
  description: `DELETE of the executionUrl that starts the job, even where that has expired. ${effect}`,
  address: 'render',
  renderKey: 'none',
  query: sealedQuery,
  responses: {
    ...cancelled,
    403: refusal('The URL is not valid, or its job belongs to somebody else.', 'invalid_url', 'forbidden'),
  },
} as const satisfies Route;
