import type { Addresses } from '../contract/addresses.ts';
import type { Operation, Paths } from './document.ts';
import { commonRefusals, refusalComponents } from './error-response.ts';
import { jobExamples } from './job-examples.ts';
import { batch, cancelJob, cancelSealed, cancelStored, deliveries, jobStatus } from './job-operations.ts';
import {
  always,
  bodyOf,
  cacheId,
  exampleJob,
  jobId,
  order,
  plan,
  refusal,
  success,
  withKey,
  withoutKey,
} from './render-parts.ts';
import { schemaRef } from './schemas.ts';

/** How callers of the direct job API show who they are. */
export const renderSecurity = {
  renderKey: { type: 'http', scheme: 'bearer', description: 'Render API key.' },
};

/** `components.responses` of the render API. */
export const renderResponses = refusalComponents('Failed', 'Failure', commonRefusals);

const started = {
  200: success('The job is there already: `already_exists`; or its plan.', 'RenderStartResponse', 'RenderPlan'),
  202: success('The job is new, or starts anew: `queued`.', 'RenderStartResponse'),
};
const notOwned = refusal('The job of this id belongs to somebody else.', 'forbidden');
const tooMany = refusal('Too many starts, or too many jobs that are not finished.', 'rate_limited');
const badBodies = {
  ...always,
  400: refusal('The job description is not valid; `error.fields` lists why.', 'invalid_body', 'invalid_params'),
  401: refusal('The key is missing or wrong.', 'unauthorized'),
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
  429: refusal('Too many starts, or too many jobs at once.', 'rate_limited', 'quota_exceeded'),
};

/** The render API: starting jobs, watching and cancelling them. */
export function renderPaths({ api, render }: Addresses): Paths {
  return {
    '/api/v1/render/execute': {
      post: { ...execute, servers: [{ url: api }] },
      get: { ...executeSealed, servers: [{ url: render }] },
      delete: { ...cancelSealed, servers: [{ url: render }] },
    },
    '/api/v1/render/cache': { post: { ...cache, servers: [{ url: api }] } },
    '/api/v1/render/execute/{cacheId}': {
      get: { ...executeCached, servers: [{ url: render }] },
      delete: { ...cancelStored, servers: [{ url: render }] },
    },
    '/api/v1/render/status/{jobId}': { get: { ...watch, servers: [{ url: render.replace(/^http/, 'ws') }] } },
    '/api/v1/render/status/sse/{jobId}': { get: { ...watchEvents, servers: [{ url: render }] } },
    '/api/v1/render/jobs/{jobId}': {
      get: { ...jobStatus, servers: [{ url: render }] },
      delete: { ...cancelJob, servers: [{ url: api }] },
    },
    '/api/v1/render/batch': { post: { ...batch, servers: [{ url: api }] } },
    '/api/v1/render/jobs/{jobId}/deliveries': { get: { ...deliveries, servers: [{ url: api }] } },
  };
}

const execute: Operation = {
  ...withKey,
  ...bodyOf('JobDescription', exampleJob),
  operationId: 'startJob',
  summary: 'Starts a job',
  description: 'Starts a job, or attaches to the one with the same id: it is extended, or restarted where it failed.',
  parameters: [plan],
  responses: { ...started, ...badBodies, 403: notOwned, 429: tooMany },
};

const cache: Operation = {
  ...withKey,
  ...bodyOf('JobDescription', exampleJob),
  operationId: 'storeJob',
  summary: 'Stores a job description',
  description: 'Stores a job description, and answers with a URL that starts it without a key.',
  responses: { 201: success('Stored.', 'CacheResponse'), ...badBodies, 429: tooMany },
};

const executeCached: Operation = {
  ...withoutKey,
  operationId: 'startStoredJob',
  summary: 'Starts a stored job',
  description: 'The executionUrl of a stored description. Needs no key: the URL is the credential.',
  parameters: [cacheId, plan],
  responses: {
    ...started,
    403: refusal('The job of this id belongs to somebody else, or the key that stored it was revoked.', 'forbidden'),
    404: refusal('No stored description has this id: it never existed, or has expired.', 'not_found'),
    429: tooMany,
    ...always,
  },
};

const executeSealed: Operation = {
  ...withoutKey,
  operationId: 'startSealedJob',
  summary: 'Starts the job of a render config',
  description: 'The executionUrl of a render config, used as it is. Needs no key: the URL is the credential.',
  parameters: [order, plan],
  responses: {
    ...started,
    403: refusal(
      'The URL is not valid or was modified, or its job belongs to somebody else.',
      'invalid_url',
      'forbidden',
    ),
    410: refusal('The URL has expired. Ask for a fresh one.', 'token_expired'),
    429: refusal('Too many plans at once.', 'rate_limited'),
    ...always,
  },
};

const watch: Operation = {
  ...withoutKey,
  operationId: 'watchJob',
  summary: 'Status of a job over WebSocket',
  description:
    'A WebSocket. Each message is a RenderStatusEvent, one a second; after done or failed the service closes it. ' +
    'Where no job has the id, one NotFoundEvent comes. A close with code 1001 before the end means that the node ' +
    'which tells it stops: open the same address again.',
  parameters: [jobId],
  responses: {
    101: { description: 'The stream begins.' },
    426: refusal('The request asks for no WebSocket.', 'invalid_params'),
    ...always,
  },
};

const watchEvents: Operation = {
  ...withoutKey,
  operationId: 'watchJobEvents',
  summary: 'Status of a job over Server-Sent Events',
  description:
    'Server-Sent Events. The data of each is a RenderStatusEvent, one a second; after done or failed the stream ' +
    'ends. Where no job has the id, one NotFoundEvent comes. An end before that means that the node which tells it ' +
    'stops: open the same address again, after as long as `retry` says.',
  parameters: [jobId],
  responses: {
    200: {
      description: 'The stream; the schema is that of the data of one event.',
      content: {
        'text/event-stream': {
          schema: { anyOf: [schemaRef('RenderStatusEvent'), schemaRef('NotFoundEvent')] },
          examples: jobExamples,
        },
      },
    },
    ...always,
  },
};
