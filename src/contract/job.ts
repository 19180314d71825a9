import Type from 'typebox';
import { outputContainers } from './containers.ts';
import { jobIdPattern } from './job-id.ts';
import type { JobOrigin } from './media-origin.ts';
import { type Webhook, webhookSchema } from './webhook.ts';

/** Operations of a job: the number of inputs that each takes, and whether its result always has video. */
export const operations = {
  join_streams: { minInputs: 1, maxInputs: 16, makesVideo: false },
  convert_format: { minInputs: 1, maxInputs: 1, makesVideo: false },
  replace_audio_in_video: { minInputs: 2, maxInputs: 2, makesVideo: true },
  extract_audio: { minInputs: 1, maxInputs: 1, makesVideo: false },
  extract_video: { minInputs: 1, maxInputs: 1, makesVideo: true },
  mix_audio_and_video: { minInputs: 2, maxInputs: 2, makesVideo: true },
  no_process: { minInputs: 1, maxInputs: 1, makesVideo: false },
} as const;

/** The name of an operation. */
export type OperationType = keyof typeof operations;

const GB = 1_000_000_000;
const KIB = 1024;

/** Limits of a job, as the contract defines them. Times are milliseconds, sizes are bytes. */
export const jobLimits = {
  ttl: { min: 180_000, max: 86_400_000, default: 3_600_000 },
  timeout: { min: 1_000, max: 600_000, default: 120_000 },
  inputSize: 5 * GB,
  chunkSize: { min: 256 * KIB, max: 64 * KIB * KIB },
  chunkConcurrency: { min: 1, max: 10, default: 4 },
  hlsConcurrency: { min: 1, max: 16, default: 6 },
  bodySize: 256 * KIB,
} as const;

const closed = { additionalProperties: false } as const;
const between = (limit: { min: number; max: number }) => ({ minimum: limit.min, maximum: limit.max });

/** Download options of an input. They can be set on the job, for all inputs, or on an input, which takes precedence. */
const fetchMembers = {
  chunkDownload: Type.Optional(
    Type.Object(
      {
        size: Type.Optional(
          Type.Integer({
            ...between(jobLimits.chunkSize),
            description: 'Size of a range in bytes. The default depends on the size of the input.',
          }),
        ),
        concurrency: Type.Optional(
          Type.Integer({ ...between(jobLimits.chunkConcurrency), default: jobLimits.chunkConcurrency.default }),
        ),
        type: Type.Optional(
          Type.Enum(['header', 'query'], {
            description: 'How a range is requested: with a Range header, or with range=first-last in the query.',
            default: 'header',
          }),
        ),
      },
      { ...closed, description: 'How large files are downloaded in parallel byte ranges.' },
    ),
  ),
  HLSPlaylistDownload: Type.Optional(
    Type.Object(
      {
        concurrency: Type.Optional(
          Type.Integer({
            ...between(jobLimits.hlsConcurrency),
            description: 'Number of segments downloaded concurrently.',
            default: jobLimits.hlsConcurrency.default,
          }),
        ),
      },
      closed,
    ),
  ),
  requestOptions: Type.Optional(
    Type.Object(
      {
        method: Type.Optional(Type.Enum(['GET', 'POST'], { default: 'GET' })),
        headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 8192 }), { maxProperties: 64 })),
        body: Type.Optional(Type.String({ maxLength: 65_536 })),
      },
      {
        ...closed,
        description:
          'Request to the source: method, headers (cookies, referer, user-agent) and body. Headers other than ' +
          "User-Agent, Referer, Origin, Accept and Accept-Language are sent only to the origin of the input's URL. A " +
          'job fails if a POST is redirected to another origin with status 307 or 308.',
      },
    ),
  ),
  timeout: Type.Optional(
    Type.Integer({
      ...between(jobLimits.timeout),
      description: 'Time limit for downloading an input, in milliseconds.',
      default: jobLimits.timeout.default,
    }),
  ),
};

const inputSizeSchema = Type.Integer({
  minimum: 1,
  maximum: jobLimits.inputSize,
  description: 'Bytes.',
  default: jobLimits.inputSize,
});

const bracketSchema = Type.Array(Type.Integer({ minimum: 0, maximum: 100 }), { minItems: 2, maxItems: 2 });

/** The JSON schema of a job description. {@link parseJob} checks what a schema cannot express. */
export const jobDescriptionSchema = Type.Object(
  {
    id: Type.String({
      pattern: jobIdPattern,
      description:
        'Starting a job with an existing ID attaches to that job. The ID is a credential: anyone who knows it can read the ' +
        "job's status, which contains the link to its file, without a key. Use a random ID, such as a UUID, with any " +
        'prefix. `.` and `..` are not valid IDs.',
    }),
    inputs: Type.Array(
      Type.Object(
        {
          url: Type.String({ minLength: 1, maxLength: 16_384, description: 'Source link, an http or https URL.' }),
          ext: Type.String({
            pattern: '^[a-z0-9]{1,10}$',
            description: 'File extension of the input; m3u8 for an HLS playlist.',
          }),
          ...fetchMembers,
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: operations.join_streams.maxInputs,
        description:
          'As many inputs as the operation takes. Download options can be set on an input, or on the job for all inputs.',
      },
    ),
    output: Type.Object(
      {
        ext: Type.String({
          pattern: '^[a-z0-9]{1,10}$',
          description: `One of ${Object.keys(outputContainers).join(', ')}. With no_process, any extension.`,
        }),
        downloadName: Type.Optional(
          Type.String({ minLength: 1, maxLength: 4096, description: 'File name that browsers save the file under.' }),
        ),
      },
      closed,
    ),
    operation: Type.Object(
      {
        type: Type.Enum(Object.keys(operations) as OperationType[]),
        copyStreams: Type.Optional(
          Type.Boolean({ description: 'false re-encodes the streams, which is much slower.', default: true }),
        ),
      },
      closed,
    ),
    ttl: Type.Optional(
      Type.Integer({
        ...between(jobLimits.ttl),
        description: 'How long the job and its file are kept, in milliseconds.',
        default: jobLimits.ttl.default,
      }),
    ),
    progressBrackets: Type.Optional(
      Type.Object(
        { downloading_inputs: bracketSchema, processing: bracketSchema, uploading_output: bracketSchema },
        {
          ...closed,
          description:
            'Percentages at which each stage begins and ends. They must be ascending, and each stage must begin where the previous one ends.',
        },
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          inputSize: Type.Optional(
            Type.Object(
              {
                perInput: Type.Optional(inputSizeSchema),
                total: Type.Optional(inputSizeSchema),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
    webhook: Type.Optional(webhookSchema),
    ...fetchMembers,
  },
  closed,
);

/** A job description as callers send it. */
export type JobDescription = Type.Static<typeof jobDescriptionSchema>;

/** The request options of an input. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An input of a job, with all defaults filled in. */
export interface JobInput {
  readonly url: string;
  /** `m3u8` for an HLS playlist. */
  readonly ext: string;
  readonly request: RequestOptions;
  readonly chunks: {
    /** Bytes. If absent, chosen from the input's size. */
    readonly size?: number;
    readonly concurrency: number;
    readonly type: 'header' | 'query';
  };
  readonly hlsConcurrency: number;
  /** Total time limit for downloading this input, in milliseconds. */
  readonly timeout: number;
}

/** Percentages at which a stage begins and ends. */
type Bracket = readonly [number, number];

/** How the overall progress is divided among the stages. */
export interface ProgressBrackets {
  readonly downloading_inputs: Bracket;
  readonly processing: Bracket;
  readonly uploading_output: Bracket;
}

/** A validated job with all defaults filled in, as workers run it. */
export interface Job {
  readonly id: string;
  readonly inputs: readonly JobInput[];
  /** The exit through which the inputs are downloaded; absent if a caller described the job. */
  readonly exit?: string;
  /** Where the inputs came from, so that their links can be replaced; absent if a caller described the job. */
  readonly origin?: JobOrigin;
  readonly output: { readonly ext: string; readonly downloadName?: string };
  readonly operation: { readonly type: OperationType; readonly copyStreams: boolean };
  /** Milliseconds. */
  readonly ttl: number;
  readonly brackets: ProgressBrackets;
  /** Bytes. */
  readonly inputSize: { readonly perInput: number; readonly total: number };
  /** Notified when the job ends. */
  readonly webhook?: Webhook;
}

/** The division defined by the contract, used unless a job sets its own. */
export const defaultBrackets: ProgressBrackets = {
  downloading_inputs: [0, 50],
  processing: [50, 60],
  uploading_output: [60, 100],
};
