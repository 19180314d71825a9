import Type from 'typebox';
import { jobFailureMembers } from './job-failure.ts';
import { jobIdPattern } from './job-id.ts';
import { outputNoteSchema } from './output-note-schema.ts';
import { noteLimits } from './output-notes.ts';

/** The states of a render job, in the order a job passes through them. */
export const jobStates = [
  'pending',
  'queued',
  'downloading_inputs',
  'processing',
  'uploading_output',
  'done',
  'failed',
] as const;

/** A state of a render job. */
export type JobState = (typeof jobStates)[number];

/** Where the finished file is. */
export const renderOutputSchema = Type.Object({
  url: Type.String({ pattern: '^https?://', description: 'Direct download link, valid until expires_at.' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  sizeText: Type.String({ description: 'Readable size, two decimals with a unit.' }),
  key: Type.String({ description: 'Internal file reference; opaque.' }),
  notes: Type.Array(outputNoteSchema, {
    maxItems: noteLimits.count,
    description: 'How the file differs from its inputs, beyond what the job asked for. Empty if it does not.',
  }),
});

/** Where the finished file is. */
export type RenderOutput = Type.Static<typeof renderOutputSchema>;

/** The one event of the status streams. */
export const renderStatusEventSchema = Type.Object({
  job_id: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum([...jobStates]),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Whole percent over all stages.' }),
  output: Type.Union([renderOutputSchema, Type.Null()], { description: 'Set when status is done.' }),
  ...jobFailureMembers,
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time', description: 'When the job and its file are deleted.' }),
});

/** The one event of the status streams. */
export type RenderStatusEvent = Type.Static<typeof renderStatusEventSchema>;

/** The only event of the streams of an id that no job has. The field is `id` here, not `job_id`. */
export const notFoundEventSchema = Type.Object({
  id: Type.String(),
  status: Type.Enum(['not_found']),
  error: Type.String(),
  error_code: Type.Enum(['not_found']),
  retryable: Type.Literal(false),
  input: Type.Null(),
});

/** The only event of the streams of an id that no job has. */
export type NotFoundEvent = Type.Static<typeof notFoundEventSchema>;

/** The response of every call that starts a job. */
export const renderStartSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum(['queued', 'already_exists'], { description: 'A new job, or one that is there already.' }),
  message: Type.String({ minLength: 1 }),
  statusUrl: Type.String({ pattern: '^wss?://', description: 'WebSocket status stream.' }),
  sseStatusUrl: Type.String({ pattern: '^https?://', description: 'Server-Sent Events status stream.' }),
});

/** The response of every call that starts a job. */
export type RenderStartResponse = Type.Static<typeof renderStartSchema>;

/** The response of every call that cancels a job. */
export const renderCancelSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum(['cancelled', 'already_finished'], {
    description: 'Cancelled, now or earlier; or done or failed before it could be.',
  }),
  message: Type.String({ minLength: 1 }),
  job: renderStatusEventSchema,
});

/** The response of every call that cancels a job. */
export type RenderCancelResponse = Type.Static<typeof renderCancelSchema>;

/** The response of the call that stores a description. */
export const cacheResponseSchema = Type.Object({
  cacheId: Type.String({ minLength: 22, description: 'Id of the stored description.' }),
  executionUrl: Type.String({ pattern: '^https?://', description: 'GET starts the job. No key.' }),
  statusUrl: Type.String({ pattern: '^wss?://', description: 'WebSocket status stream.' }),
  expiresAt: Type.String({ format: 'date-time', description: 'When the stored description is deleted.' }),
});

/** The response of the call that stores a description. */
export type CacheResponse = Type.Static<typeof cacheResponseSchema>;

// Programs that load fast take it from its own file, which brings no schemas along.
export { sizeText } from './size-text.ts';
