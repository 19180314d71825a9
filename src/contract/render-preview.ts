import Type from 'typebox';
import { type OperationType, operations } from './job.ts';
import { jobIdPattern } from './job-id.ts';

/** What happens to the streams of a kind. `refuse`: the job fails if there is one. */
const streamActions = ['copy', 'encode', 'mix', 'drop', 'refuse'] as const;

/** What happens to the streams of a kind. */
export type StreamAction = (typeof streamActions)[number];

const bytes = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });
const action = (kind: string) =>
  Type.Enum([...streamActions], {
    description: `What becomes of ${kind}: copied, encoded anew, mixed to one, left out; refuse: the job fails of it.`,
  });

/** What can be said about an input without fetching it. */
const previewInputSchema = Type.Object({
  ext: Type.String(),
  size: bytes('Bytes, where the source tells them, or they can be estimated.'),
  sizeIsExact: Type.Boolean({ description: 'Whether the source has told the size; else it is an estimate.' }),
  duration: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: 'Seconds, of a playlist.' }),
  ranges: Type.Boolean({ description: 'Whether it can be fetched in parallel.' }),
});

/** What can be said about an input without fetching it. */
export type PreviewInput = Readonly<Type.Static<typeof previewInputSchema>>;

/** A reason not to start a job now. */
const previewProblemSchema = Type.Object({
  code: Type.String({ description: 'Code of the error that the job would end with, or be refused with.' }),
  message: Type.String({ minLength: 1 }),
  retryable: Type.Boolean({ description: 'Whether it may be otherwise later, with the same description.' }),
  input: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Which input it is about, from 0.' }),
});

/** A reason not to start a job now. */
export type PreviewProblem = Readonly<Type.Static<typeof previewProblemSchema>>;

/** What a start would do (`plan=only`). */
export const renderPreviewSchema = Type.Object({
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Type.Enum(['queued', 'already_exists'], { description: 'What a start would answer.' }),
  message: Type.String({ minLength: 1 }),
  inputs: Type.Array(previewInputSchema),
  operation: Type.Object({
    type: Type.Enum(Object.keys(operations) as OperationType[]),
    video: action('video'),
    audio: action('audio'),
  }),
  result: Type.Object({
    ext: Type.String(),
    size: bytes('About so many bytes; null where only the streams themselves would tell.'),
    sizeText: Type.Union([Type.String(), Type.Null()], { description: 'The size for people.' }),
    sizeAtMost: bytes('No more than about so many bytes; null where streams are encoded anew.'),
    ttl: Type.Integer({ description: 'Milliseconds that the file is kept, once it is there.' }),
  }),
  cost: Type.Object({ credits: Type.Integer({ minimum: 0, description: 'Of the plan. Renders cost none.' }) }),
  unfinishedJobs: Type.Object({
    now: Type.Integer({ minimum: 0, description: 'Other jobs of the key that wait or run.' }),
    left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How many more may; null: any number.',
    }),
  }),
  problems: Type.Array(previewProblemSchema, {
    description: 'What speaks against a start. None: nothing that can be seen.',
  }),
});

/** What a start would do (`plan=only`). */
export type RenderPreview = Type.Static<typeof renderPreviewSchema>;
