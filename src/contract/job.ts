import Type from 'typebox';
import { type Clip, clipSchema } from './clip.ts';
import { outputContainers } from './containers.ts';
import { type EncodingOptions, encodingMembers, mixedInputs } from './encoding.ts';
import { jobIdPattern } from './job-id.ts';
import { languageTagPattern } from './language-tag.ts';
import type { ItemOrigin, JobOrigin } from './media-origin.ts';
import { additionMembers, type OutputAdditions } from './output-additions.ts';
import { type DeliveryTarget, deliveryMembers } from './output-delivery.ts';
import { type ProgressBrackets, progressBracketsSchema } from './progress-brackets.ts';
import { type RequestOptions, requestOptionsSchema } from './request-options.ts';
import { type Webhook, webhookSchema } from './webhook.ts';

/** Operations of a job: the number of inputs that each takes, and whether its result always has video. */
export const operations = {
  join_streams: { minInputs: 1, maxInputs: 64, makesVideo: false },
  convert_format: { minInputs: 1, maxInputs: 1, makesVideo: false },
  replace_audio_in_video: { minInputs: 2, maxInputs: 2, makesVideo: true },
  extract_audio: { minInputs: 1, maxInputs: 1, makesVideo: false },
  extract_video: { minInputs: 1, maxInputs: 1, makesVideo: true },
  mix_audio_and_video: { minInputs: mixedInputs, maxInputs: mixedInputs, makesVideo: true },
  slideshow: { minInputs: 1, maxInputs: 41, makesVideo: true },
  no_process: { minInputs: 1, maxInputs: 1, makesVideo: false },
} as const;

/** The highest number of inputs of any operation. */
export const maxInputs = Math.max(...Object.values(operations).map((operation) => operation.maxInputs));

/** The extensions of inputs that are images of a slideshow. Its other input is its sound. */
export const imageExtensions = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'] as const;

/** The extensions of inputs that are subtitles. Only `join_streams` takes them. */
export const subtitleExtensions = ['srt', 'vtt'] as const;

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
  /** Size as JSON with all defaults. With the origin that an order adds, it must fit what a sealer opens (1 MiB). */
  normalizedSize: 768 * KIB,
  maxSize: { min: 64 * KIB, max: 5 * GB },
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
  requestOptions: requestOptionsSchema,
  timeout: Type.Optional(
    Type.Integer({
      ...between(jobLimits.timeout),
      description: 'Time limit for downloading an input, in milliseconds.',
      default: jobLimits.timeout.default,
    }),
  ),
};

/** A file extension, in any case, with or without a leading dot. */
const extensionPattern = '^\\.?[A-Za-z0-9]{1,10}$';

const inputSizeSchema = Type.Integer({
  minimum: 1,
  maximum: jobLimits.inputSize,
  description: 'Bytes.',
  default: jobLimits.inputSize,
});

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
            pattern: extensionPattern,
            description:
              'File extension of the input; m3u8 for an HLS playlist. srt and vtt are subtitles, which join_streams takes. ' +
              'Case and a leading dot are ignored.',
          }),
          language: Type.Optional(
            Type.String({
              pattern: languageTagPattern,
              maxLength: 35,
              description: 'Language of its audio or subtitles: a tag such as de or pt-BR, which the result states.',
            }),
          ),
          ...fetchMembers,
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: maxInputs,
        description:
          'As many inputs as the operation takes. Download options can be set on an input, or on the job for all inputs.',
      },
    ),
    output: Type.Object(
      {
        ext: Type.String({
          pattern: extensionPattern,
          description:
            `One of ${Object.keys(outputContainers).join(', ')}. With no_process, any extension. ` +
            'Case and a leading dot are ignored.',
        }),
        downloadName: Type.Optional(
          Type.String({
            maxLength: 4096,
            description: 'File name that browsers save the file under. An empty one counts as absent.',
          }),
        ),
        ...additionMembers,
        ...deliveryMembers,
        maxSize: Type.Optional(
          Type.Integer({
            ...between(jobLimits.maxSize),
            description:
              'Maximum size of the result in bytes. The streams are encoded to fit, so copyStreams must be false. If the media ' +
              'lasts longer than 5 s, the result has at least 90 % of this size, with padding if necessary.',
          }),
        ),
      },
      closed,
    ),
    operation: Type.Object(
      {
        type: Type.Enum(Object.keys(operations) as OperationType[]),
        copyStreams: Type.Optional(
          Type.Boolean({
            description: 'false re-encodes the streams, which is much slower. A slideshow always encodes its video.',
            default: true,
          }),
        ),
        ...encodingMembers,
      },
      closed,
    ),
    clip: Type.Optional(clipSchema),
    ttl: Type.Optional(
      Type.Integer({
        ...between(jobLimits.ttl),
        description: 'How long the job and its file are kept, in milliseconds.',
        default: jobLimits.ttl.default,
      }),
    ),
    progressBrackets: Type.Optional(progressBracketsSchema),
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

/** An input of a job, with all defaults filled in. */
export interface JobInput {
  readonly url: string;
  /** `m3u8` for an HLS playlist. */
  readonly ext: string;
  /** Language tag of its audio or subtitles. Default: as the file states. */
  readonly language?: string;
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

/** The result of a job. */
export interface JobOutput extends OutputAdditions {
  readonly ext: string;
  readonly downloadName?: string;
  /** Maximum size in bytes. */
  readonly maxSize?: number;
  /** The caller's store, to which the result is uploaded. */
  readonly delivery?: DeliveryTarget;
}

/** The operation of a job. */
export interface JobOperation extends EncodingOptions {
  readonly type: OperationType;
  readonly copyStreams: boolean;
}

/** A validated job with all defaults filled in, as workers run it. */
export interface Job {
  readonly id: string;
  readonly inputs: readonly JobInput[];
  /** The exit through which the inputs are downloaded; absent if a caller described the job. */
  readonly exit?: string;
  /** Where the inputs came from, so that their links can be replaced; absent if a caller described the job. */
  readonly origin?: JobOrigin;
  /** The item that the inputs belong to, if their links cannot be replaced. Only the receipt states it. */
  readonly item?: ItemOrigin;
  readonly output: JobOutput;
  readonly operation: JobOperation;
  /** The part of the media to keep; absent for all of it. */
  readonly clip?: Clip;
  /** Milliseconds. */
  readonly ttl: number;
  readonly brackets: ProgressBrackets;
  /** Bytes. */
  readonly inputSize: { readonly perInput: number; readonly total: number };
  /** Notified when the job ends. */
  readonly webhook?: Webhook;
}
