import Type from 'typebox';
import { type OperationType, operations } from './job.ts';
import { jobIdPattern } from './job-id.ts';
import { testMembers } from './test-member.ts';

/** What happens to the streams of one kind. `refuse`: the job fails if there is such a stream. */
const streamActions = ['copy', 'encode', 'mix', 'drop', 'refuse'] as const;

/** What happens to the streams of one kind. */
export type StreamAction = (typeof streamActions)[number];

const bytes = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });
const action = (kind: string) =>
  Type.Enum([...streamActions], {
    description: `How ${kind} is handled: copied, re-encoded, mixed into one stream, or dropped. refuse: the job fails if there is any.`,
  });

/** The facts about an input that are available without downloading it. */
const previewInputSchema = Type.Object({
  ext: Type.String(),
  size: bytes('Bytes, if the source reports the size or it can be estimated.'),
  clipSize: Type.Optional(
    bytes(
      'Bytes to download for the clip of the job, including the index; absent without a clip. For an input without an index, its whole size.',
    ),
  ),
  sizeIsExact: Type.Boolean({
    description:
      'Whether the size is exact: reported by the source, or the sum of the byte ranges in a playlist. If false, it is an estimate or unknown.',
  }),
  duration: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: 'Duration of a playlist in seconds.',
  }),
  ranges: Type.Boolean({ description: 'Whether the input can be downloaded in parallel.' }),
});

/** The facts about an input that are available without downloading it. */
export type PreviewInput = Readonly<Type.Static<typeof previewInputSchema>>;

/** A reason not to start a job now. */
const previewProblemSchema = Type.Object({
  code: Type.String({ description: 'Code of the error that the job would fail or be refused with.' }),
  message: Type.String({ minLength: 1 }),
  retryable: Type.Boolean({ description: 'Whether the same description can succeed later.' }),
  input: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Index of the input concerned, counted from 0.',
  }),
});

/** A reason not to start a job now. */
export type PreviewProblem = Readonly<Type.Static<typeof previewProblemSchema>>;

/** What a start request would do (`plan=only`). */
export const renderPreviewSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum(['queued', 'already_exists'], { description: 'The status that a start request would return.' }),
  message: Type.String({ minLength: 1 }),
  inputs: Type.Array(previewInputSchema),
  operation: Type.Object({
    type: Type.Enum(Object.keys(operations) as OperationType[]),
    video: action('video'),
    audio: action('audio'),
  }),
  result: Type.Object({
    ext: Type.String(),
    size: bytes('Estimated size in bytes; null if it cannot be estimated without reading the streams.'),
    sizeText: Type.Union([Type.String(), Type.Null()], { description: 'Human-readable size.' }),
    sizeAtMost: bytes('Estimated maximum size in bytes; null if streams are re-encoded.'),
    ttl: Type.Integer({ description: 'How long the finished file is kept, in milliseconds.' }),
  }),
  cost: Type.Object({
    credits: Type.Integer({ minimum: 0, description: 'Cost of the job in credits. Renders are free.' }),
  }),
  unfinishedJobs: Type.Object({
    now: Type.Integer({ minimum: 0, description: 'Other unfinished jobs of the key.' }),
    left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How many more are allowed; null: no limit.',
    }),
  }),
  problems: Type.Array(previewProblemSchema, {
    description: 'Reasons not to start the job now. Empty if none was found.',
  }),
  ...testMembers,
});

/** What a start request would do (`plan=only`). */
export type RenderPreview = Type.Static<typeof renderPreviewSchema>;
