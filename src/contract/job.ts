import Type from 'typebox';
import { outputContainers } from './containers.ts';
import { jobIdPattern } from './job-id.ts';
import { type Webhook, webhookSchema } from './webhook.ts';

/** The operations a job can do; how many inputs each takes, and what kinds of stream its result surely has. */
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

/** Bounds of a job, as the contract states them. Times are milliseconds, sizes are bytes. */
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

/** How an input is fetched; may stand on the job (for all inputs) or on an input (which wins). */
const fetchMembers = {
  chunkDownload: Type.Optional(
    Type.Object(
      {
        size: Type.Optional(
          Type.Integer({ ...between(jobLimits.chunkSize), description: 'Bytes; chosen from the size of the input.' }),
        ),
        concurrency: Type.Optional(
          Type.Integer({ ...between(jobLimits.chunkConcurrency), default: jobLimits.chunkConcurrency.default }),
        ),
        type: Type.Optional(
          Type.Enum(['header', 'query'], {
            description: 'Asked for by a Range header, or by range=first-last in the query.',
            default: 'header',
          }),
        ),
      },
      { ...closed, description: 'How a large file is fetched in parallel byte ranges.' },
    ),
  ),
  HLSPlaylistDownload: Type.Optional(
    Type.Object(
      {
        concurrency: Type.Optional(
          Type.Integer({
            ...between(jobLimits.hlsConcurrency),
            description: 'Segments at once.',
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
          'How the source is asked: method, headers (cookies, referer, user-agent) and body. Headers other than ' +
          "User-Agent, Referer, Origin, Accept and Accept-Language are sent only to the origin of the input's URL. A " +
          'job fails if a POST is redirected to another origin with status 307 or 308.',
      },
    ),
  ),
  timeout: Type.Optional(
    Type.Integer({
      ...between(jobLimits.timeout),
      description: 'Milliseconds that fetching an input may take.',
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

/** The body of a job description, as a JSON schema. {@link parseJob} checks what a schema cannot say. */
export const jobDescriptionSchema = Type.Object(
  {
    id: Type.String({
      pattern: jobIdPattern,
      description:
        'Starting the same id again attaches to the job. The id is a credential: its status needs no key and has the ' +
        'link of the file. Use a random one, such as a UUID, with any prefix. `.` and `..` are not ids.',
    }),
    inputs: Type.Array(
      Type.Object(
        {
          url: Type.String({ minLength: 1, maxLength: 16_384, description: 'Link of the source, http or https.' }),
          ext: Type.String({ pattern: '^[a-z0-9]{1,10}$', description: 'Its extension; m3u8 for an HLS playlist.' }),
          ...fetchMembers,
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: operations.join_streams.maxInputs,
        description: 'As many as the operation takes. How one is fetched may stand on it, or on the job for all.',
      },
    ),
    output: Type.Object(
      {
        ext: Type.String({
          pattern: '^[a-z0-9]{1,10}$',
          description: `One of ${Object.keys(outputContainers).join(', ')}; any for no_process.`,
        }),
        downloadName: Type.Optional(
          Type.String({ minLength: 1, maxLength: 4096, description: 'Name that browsers save the file under.' }),
        ),
      },
      closed,
    ),
    operation: Type.Object(
      {
        type: Type.Enum(Object.keys(operations) as OperationType[]),
        copyStreams: Type.Optional(
          Type.Boolean({ description: 'false re-encodes, which is much slower.', default: true }),
        ),
      },
      closed,
    ),
    ttl: Type.Optional(
      Type.Integer({
        ...between(jobLimits.ttl),
        description: 'Milliseconds that the job and its file are kept.',
        default: jobLimits.ttl.default,
      }),
    ),
    progressBrackets: Type.Optional(
      Type.Object(
        { downloading_inputs: bracketSchema, processing: bracketSchema, uploading_output: bracketSchema },
        { ...closed, description: 'Percent at which each stage begins and ends: ascending and touching.' },
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

/** A job description as callers write it. */
export type JobDescription = Type.Static<typeof jobDescriptionSchema>;

/** How an input is asked for. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One source of a job, with every default filled in. */
export interface JobInput {
  readonly url: string;
  /** `m3u8` for an HLS playlist. */
  readonly ext: string;
  readonly request: RequestOptions;
  readonly chunks: {
    /** Bytes; chosen from the input's size when absent. */
    readonly size?: number;
    readonly concurrency: number;
    readonly type: 'header' | 'query';
  };
  readonly hlsConcurrency: number;
  /** Milliseconds that fetching this input may take in all. */
  readonly timeout: number;
}

/** Percent at which a stage begins and ends. */
type Bracket = readonly [number, number];

/** How overall progress is split between the stages. */
export interface ProgressBrackets {
  readonly downloading_inputs: Bracket;
  readonly processing: Bracket;
  readonly uploading_output: Bracket;
}

/** A checked job, with every default filled in: what a worker carries out. */
export interface Job {
  readonly id: string;
  readonly inputs: readonly JobInput[];
  /** The exit that its inputs are fetched through; absent in a job that a caller described. */
  readonly exit?: string;
  readonly output: { readonly ext: string; readonly downloadName?: string };
  readonly operation: { readonly type: OperationType; readonly copyStreams: boolean };
  /** Milliseconds. */
  readonly ttl: number;
  readonly brackets: ProgressBrackets;
  /** Bytes. */
  readonly inputSize: { readonly perInput: number; readonly total: number };
  /** Who is told when it is over. */
  readonly webhook?: Webhook;
}

/** The split of the contract, used unless a job brings its own. */
export const defaultBrackets: ProgressBrackets = {
  downloading_inputs: [0, 50],
  processing: [50, 60],
  uploading_output: [60, 100],
};
