import Type from 'typebox';
import { deliveryOutcomeSchema } from './delivery-outcome.ts';
import { jobFailureMembers } from './job-failure.ts';
import { jobIdPattern } from './job-id.ts';
import { outputNoteSchema } from './output-note-schema.ts';
import { noteLimits } from './output-notes.ts';
import { testMembers } from './test-member.ts';

/** The states of a render job, in the order in which a job passes through them. */
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

/** The finished file of a job. */
export const renderOutputSchema = Type.Object({
  url: Type.String({ pattern: '^https?://', description: 'Direct download link, valid until expires_at.' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  sizeText: Type.String({ description: 'Human-readable size: two decimals and a unit.' }),
  sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()], {
    description: 'SHA-256 of the file, in lower-case hexadecimal. Null if it is not known yet.',
  }),
  key: Type.String({ description: 'Internal file reference; opaque.' }),
  receipt: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    description: 'Link of the signed receipt, valid until expires_at. Null for files of versions without receipts.',
  }),
  notes: Type.Array(outputNoteSchema, {
    maxItems: noteLimits.count,
    description: 'Differences between the file and its inputs that the job did not request. Empty if it has none.',
  }),
});

/** The finished file of a job. */
export type RenderOutput = Type.Static<typeof renderOutputSchema>;

/** The event that the status streams send. */
export const renderStatusEventSchema = Type.Object({
  job_id: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum([...jobStates]),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Overall progress in whole percent.' }),
  output: Type.Union([renderOutputSchema, Type.Null()], {
    description: 'Set if status is done, unless the job has output.keep set to false.',
  }),
  delivery: Type.Optional(deliveryOutcomeSchema),
  ...jobFailureMembers,
  request_id: Type.Union([Type.String(), Type.Null()], {
    description: 'ID of the request that started the job (X-Request-Id). Null for jobs of earlier versions.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time', description: 'Time at which the job and its file are deleted.' }),
  ...testMembers,
});

/** The event that the status streams send. */
export type RenderStatusEvent = Type.Static<typeof renderStatusEventSchema>;

/** The only event of a status stream whose ID belongs to no job. The field is `id` here, not `job_id`. */
export const notFoundEventSchema = Type.Object({
  id: Type.String(),
  status: Type.Enum(['not_found']),
  error: Type.String(),
  error_code: Type.Enum(['not_found']),
  retryable: Type.Literal(false),
  input: Type.Null(),
});

/** The only event of a status stream whose ID belongs to no job. */
export type NotFoundEvent = Type.Static<typeof notFoundEventSchema>;

/** The response of every endpoint that starts a job. */
export const renderStartSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum(['queued', 'already_exists'], {
    description: 'queued: the job is new or was restarted. already_exists: it existed before.',
  }),
  message: Type.String({ minLength: 1 }),
  statusUrl: Type.String({ pattern: '^wss?://', description: 'WebSocket status stream.' }),
  sseStatusUrl: Type.String({ pattern: '^https?://', description: 'Server-Sent Events status stream.' }),
  ...testMembers,
});

/** The response of every endpoint that starts a job. */
export type RenderStartResponse = Type.Static<typeof renderStartSchema>;

/** The response of every endpoint that cancels a job. */
export const renderCancelSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum(['cancelled', 'already_finished', 'deleted'], {
    description:
      'Whether the job was cancelled, now or earlier, or had already finished. deleted: it had finished and was deleted; only with finished=delete.',
  }),
  message: Type.String({ minLength: 1 }),
  job: renderStatusEventSchema,
});

/** The response of every endpoint that cancels a job. */
export type RenderCancelResponse = Type.Static<typeof renderCancelSchema>;

/** The response of the endpoint that stores a description. */
export const cacheResponseSchema = Type.Object({
  cacheId: Type.String({ minLength: 22, description: 'ID of the stored description.' }),
  executionUrl: Type.String({ pattern: '^https?://', description: 'A GET request starts the job. No key is needed.' }),
  statusUrl: Type.String({ pattern: '^wss?://', description: 'WebSocket status stream.' }),
  expiresAt: Type.String({ format: 'date-time', description: 'Time at which the stored description is deleted.' }),
});

/** The response of the endpoint that stores a description. */
export type CacheResponse = Type.Static<typeof cacheResponseSchema>;

// Programs that must start quickly import it from its own file, which loads no schemas.
export { sizeText } from './size-text.ts';
