import type { Addresses } from '../../addresses.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { jobIdPattern } from '../../contract/job.ts';
import { jsonOf, type Operation, type Parameter, type Paths } from './document.ts';
import { commonRefusals, errorResponse, refusalComponents, refusalRefs } from './error-response.ts';
import { type SchemaName, schemaRef } from './schemas.ts';

/** The tag of the render API. */
export const RENDER_TAG = 'render';

/** How callers of the direct job API show who they are. */
export const renderSecurity = {
  renderKey: { type: 'http', scheme: 'bearer', description: 'Render API key.' },
};

/** Inputs that the offline lab has, so that the job can be started as it stands. */
const exampleJob = {
  id: 'my-first-job-4f1c',
  inputs: [
    { url: 'https://cdn.lab.example/media/amber-30/video-720.mp4', ext: 'mp4' },
    { url: 'https://cdn.lab.example/media/amber-30/audio.mp4', ext: 'mp4' },
  ],
  output: { ext: 'mp4', downloadName: 'My film' },
  operation: { type: 'join_streams' },
};

const withKey = {
  tags: [RENDER_TAG],
  security: [{ renderKey: [] }],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaRef('JobDescription'), example: exampleJob } },
  },
};
const withoutKey = { tags: [RENDER_TAG], security: [] };

/** `components.responses` of the render API. */
export const renderResponses = refusalComponents('Failed', 'Failure', commonRefusals);

const always = refusalRefs('Failed', commonRefusals);
const started = {
  200: success('The job is there already: `already_exists`.', 'RenderStartResponse'),
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

const jobId: Parameter = {
  name: 'jobId',
  in: 'path',
  required: true,
  description: 'Id of the job: the jobId of a start call, and the repId of a renderable item.',
  example: exampleJob.id,
  schema: { type: 'string', pattern: jobIdPattern },
};

/** The render API: starting jobs, and watching them. */
export function renderPaths({ api, render }: Addresses): Paths {
  return {
    '/api/v1/render/execute': {
      post: { ...execute, servers: [{ url: api }] },
      get: { ...executeSealed, servers: [{ url: render }] },
    },
    '/api/v1/render/cache': { post: { ...cache, servers: [{ url: api }] } },
    '/api/v1/render/execute/{cacheId}': { get: { ...executeCached, servers: [{ url: render }] } },
    '/api/v1/render/status/{jobId}': { get: { ...watch, servers: [{ url: render.replace(/^http/, 'ws') }] } },
    '/api/v1/render/status/sse/{jobId}': { get: { ...watchEvents, servers: [{ url: render }] } },
  };
}

const execute: Operation = {
  ...withKey,
  operationId: 'startJob',
  summary: 'Starts a job',
  description: 'Starts a job, or attaches to the one with the same id: it is extended, or restarted where it failed.',
  responses: { ...started, ...badBodies, 403: notOwned, 429: tooMany },
};

const cache: Operation = {
  ...withKey,
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
  parameters: [
    {
      name: 'cacheId',
      in: 'path',
      required: true,
      description: 'Id of the stored description.',
      schema: { type: 'string' },
    },
  ],
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
  parameters: [
    {
      name: 'order',
      in: 'query',
      required: true,
      description: 'The sealed job description. Opaque; its form may change at any time.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    ...started,
    403: refusal(
      'The URL is not valid or was modified, or its job belongs to somebody else.',
      'invalid_url',
      'forbidden',
    ),
    410: refusal('The URL has expired. Ask for a fresh one.', 'token_expired'),
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
        'text/event-stream': { schema: { anyOf: [schemaRef('RenderStatusEvent'), schemaRef('NotFoundEvent')] } },
      },
    },
    ...always,
  },
};

function success(description: string, name: SchemaName) {
  return { description, content: jsonOf(schemaRef(name)) };
}

function refusal(description: string, ...codes: readonly ErrorCode[]) {
  return errorResponse('Failure', description, codes);
}
