import Type from 'typebox';
import { type ErrorCode, errorCatalogue, type MillraceError } from './errors.ts';
import { type MediaItem, mediaItemSchema, type RenderableMediaItem, renderableMediaItemSchema } from './media-items.ts';
import { contentMetadataSchema } from './metadata.ts';

export type { ContentMetadata } from './metadata.ts';

/** The codes of refused requests; a job's failure is in its status, as `error_code`. */
const responseCodes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
  (code) => errorCatalogue[code].origin !== 'job',
);

/** The `error` member of the envelope. */
export const errorSchema = Type.Object({
  message: Type.String({ minLength: 1, description: 'What happened, to what, and what to do.' }),
  code: Type.Enum(responseCodes, { description: 'Stable machine-readable code.' }),
  statusCode: Type.Integer({ minimum: 400, maximum: 599, description: 'Suggested HTTP status.' }),
  retryable: Type.Boolean({ description: 'Whether the same request can succeed later.' }),
  parameter: Type.Optional(Type.String({ description: 'The parameter at fault.' })),
  reason: Type.Optional(Type.String({ description: "The source's own words." })),
  allowedCountries: Type.Optional(
    Type.Array(Type.String(), { description: 'Where it can be had: values for countryCode.' }),
  ),
  deniedCountries: Type.Optional(Type.Array(Type.String(), { description: 'Where it cannot be had.' })),
});

/** The `error` member of the envelope. */
export type ErrorBody = Type.Static<typeof errorSchema> & Record<string, unknown>;

/** One media item of a result: a carousel or a pin with several pages has several. */
export const extractedContentSchema = Type.Object({
  videos: Type.Optional(Type.Array(mediaItemSchema, { minItems: 1 })),
  audios: Type.Optional(Type.Array(mediaItemSchema, { minItems: 1 })),
  images: Type.Optional(Type.Array(mediaItemSchema, { minItems: 1 })),
  renderableVideos: Type.Optional(Type.Array(renderableMediaItemSchema, { minItems: 1 })),
  renderableAudios: Type.Optional(Type.Array(renderableMediaItemSchema, { minItems: 1 })),
});

/** One media item of a result; each list is present only if that kind of media exists. */
export interface ExtractedContent {
  videos?: MediaItem[];
  audios?: MediaItem[];
  images?: MediaItem[];
  renderableVideos?: RenderableMediaItem[];
  renderableAudios?: RenderableMediaItem[];
}

/** The envelope of every data endpoint. */
export const extractionResultSchema = Type.Object({
  error: Type.Union([errorSchema, Type.Null()], {
    description: 'null on success. Else the rest of the body is to be treated as empty.',
  }),
  contents: Type.Optional(
    Type.Array(extractedContentSchema, { description: 'Absent where an endpoint gives metadata alone.' }),
  ),
  metadata: contentMetadataSchema,
  notes: Type.Optional(Type.Array(Type.String(), { description: 'Remarks for people, such as the price.' })),
});

/** The envelope of every data endpoint. */
export type ExtractionResult = Omit<Type.Static<typeof extractionResultSchema>, 'error' | 'contents'> & {
  error: ErrorBody | null;
  contents?: ExtractedContent[];
};

/** The body of an error of any call outside the extraction API. */
export const failureSchema = Type.Object({
  error: Type.Intersect([
    errorSchema,
    Type.Object({
      fields: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'The members of the body that are wrong, such as inputs.0.url.',
        }),
      ),
    }),
  ]),
});

/** The body of an error of any call outside the extraction API. */
export function failureBody(error: MillraceError) {
  const fields = error.fields === undefined ? {} : { fields: [...error.fields] };
  return { error: { ...errorBody(error), ...fields } };
}

const RETRY_AFTER_S = 5;

/** Seconds until the caller can retry (`Retry-After`): set for `rate_limited` and for errors that name a time. */
export function retryAfterOf({ code, retryAfter }: MillraceError): number | undefined {
  return retryAfter ?? (code === 'rate_limited' ? RETRY_AFTER_S : undefined);
}

/** An error as it is sent to callers. */
export function errorBody(error: MillraceError): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    statusCode: error.status,
    retryable: error.retryable,
    ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...error.detail,
  };
}
