import type { ErrorCode } from '../contract/errors.ts';
import { jobIdPattern } from '../contract/job-id.ts';
import { jsonOf, type Parameter, type ResponseBody } from './document.ts';
import { commonRefusals, errorResponse, refusalRefs } from './error-response.ts';
import { type SchemaName, schemaRef } from './schemas.ts';

/** The tag of the render API. */
export const RENDER_TAG = 'render';

/** A call that needs a render key. */
export const withKey = { tags: [RENDER_TAG], security: [{ renderKey: [] }] };

/** A call that needs none. */
export const withoutKey = { tags: [RENDER_TAG], security: [] };

/** What every call may be answered. */
export const always = refusalRefs('Failed', commonRefusals);

/** Inputs that the offline lab has, so that the job can be started as it stands. */
export const exampleJob = {
  id: 'my-first-job-6b1f0c3e-9a57-4d28-8e41-c70d5f92ab16',
  inputs: [
    { url: 'https://cdn.lab.example/media/amber-30/video-720.mp4', ext: 'mp4' },
    { url: 'https://cdn.lab.example/media/amber-30/audio.mp4', ext: 'mp4' },
  ],
  output: { ext: 'mp4', downloadName: 'My film' },
  operation: { type: 'join_streams' },
};

/** The job that a call is about. */
export const jobId: Parameter = {
  name: 'jobId',
  in: 'path',
  required: true,
  description: 'Id of the job: the jobId of a start call, and the repId of a renderable item. Keep it private.',
  example: exampleJob.id,
  schema: { type: 'string', pattern: jobIdPattern },
};

/** The stored description that a call is about. */
export const cacheId: Parameter = {
  name: 'cacheId',
  in: 'path',
  required: true,
  description: 'Id of the stored description.',
  schema: { type: 'string' },
};

/** The sealed part of an execution URL. */
export const order: Parameter = {
  name: 'order',
  in: 'query',
  required: true,
  description: 'The sealed job description. Opaque; its form may change at any time.',
  schema: { type: 'string' },
};

/** Whether a start call starts anything. */
export const plan: Parameter = {
  name: 'plan',
  in: 'query',
  required: false,
  description: '`only`: nothing is started; the answer says what would be done, with sizes and limits.',
  schema: { type: 'string', enum: ['only'] },
};

/** A body with such JSON, of which there is an example. */
export function bodyOf(name: SchemaName, example: object) {
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaRef(name), example } } } };
}

/** An answer that brings what was asked for, in one of these shapes. */
export function success(description: string, ...names: readonly SchemaName[]) {
  const schemas = names.map(schemaRef);
  return { description, content: jsonOf(schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas }) };
}

/** A JSON response of one shape, with examples. */
export function successLike(description: string, name: SchemaName, examples: ResponseBody['examples'] & object) {
  return { description, content: { 'application/json': { schema: schemaRef(name), examples } } };
}

/** An answer that brings an error. */
export function refusal(description: string, ...codes: readonly ErrorCode[]) {
  return errorResponse('Failure', description, codes);
}
