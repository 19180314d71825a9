import Type from 'typebox';
import { type ErrorCode, errorCatalogue, type MillraceError } from './errors.ts';
import { type MediaItem, mediaItemSchema, type RenderableMediaItem, renderableMediaItemSchema } from './media-items.ts';
import { contentMetadataSchema } from './metadata.ts';
import { testMembers } from './test-member.ts';

export type { ContentMetadata } from './metadata.ts';

/** Error codes of refused requests. A failed job reports its code in its status, as `error_code`. */
const responseCodes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
  (code) => errorCatalogue[code].origin !== 'job',
);

/** The `error` member of the envelope. */
export const errorSchema = Type.Object({
  message: Type.String({ minLength: 1, description: 'What failed, why, and what to do next.' }),
  code: Type.Enum(responseCodes, { description: 'Stable machine-readable code.' }),
  statusCode: Type.Integer({ minimum: 400, maximum: 599, description: 'Suggested HTTP status.' }),
  retryable: Type.Boolean({ description: 'Whether the same request can succeed later.' }),
  requestId: Type.Optional(
    Type.String({
      description: 'ID of the request, as in the header X-Request-Id. Quote it when you report the error.',
    }),
  ),
  parameter: Type.Optional(Type.String({ description: 'The parameter at fault.' })),
  reason: Type.Optional(Type.String({ description: 'The reason as the source states it.' })),
  allowedCountries: Type.Optional(
    Type.Array(Type.String(), { description: 'Countries where the content is available, as values for countryCode.' }),
  ),
  deniedCountries: Type.Optional(
    Type.Array(Type.String(), { description: 'Countries where the content is not available.' }),
  ),
});

/** The `error` member of the envelope. */
export type ErrorBody = Type.Static<typeof errorSchema> & Record<string, unknown>;

/** One media item of a result. Carousels and pins with several pages have several items. */
export const extractedContentSchema = Type.Object({
  videos: Type.Optional(Type.Array(mediaItemSchema, { minItems: 1 })),
  audios: Type.Optional(Type.Array(mediaItemSchema, { minItems: 1 })),
  images: Type.Optional(Type.Array(mediaItemSchema, { minItems: 1 })),
  renderableVideos: Type.Optional(Type.Array(renderableMediaItemSchema, { minItems: 1 })),
  renderableAudios: Type.Optional(Type.Array(renderableMediaItemSchema, { minItems: 1 })),
});

/** One media item of a result. Each list is present only if the item has media of that kind. */
export interface ExtractedContent {
  videos?: MediaItem[];
  audios?: MediaItem[];
  images?: MediaItem[];
  renderableVideos?: RenderableMediaItem[];
  renderableAudios?: RenderableMediaItem[];
}

const resultMembers = {
  error: Type.Union([errorSchema, Type.Null()], {
    description: 'null on success. Otherwise, treat the rest of the body as empty.',
  }),
  metadata: contentMetadataSchema,
  notes: Type.Optional(Type.Array(Type.String(), { description: 'Human-readable notes, such as the price.' })),
  ...testMembers,
};

const contents = Type.Optional(Type.Array(extractedContentSchema));

/** The response body of an endpoint that returns media. */
export const extractionResultSchema = Type.Object({ ...resultMembers, contents });

/** The response body of an endpoint that returns metadata only. */
export const metadataResultSchema = Type.Object(resultMembers, { not: Type.Object({ contents: Type.Unknown() }) });

/** The response body of the extraction API for a refused request. */
export const extractionFailureSchema = Type.Object({
  ...resultMembers,
  error: errorSchema,
  contents: Type.Optional(Type.Array(extractedContentSchema, { maxItems: 0, description: 'Empty.' })),
  metadata: Type.Unsafe<Record<string, never>>({ ...contentMetadataSchema, maxProperties: 0, description: 'Empty.' }),
});

/** The response body of every data endpoint. */
export type ExtractionResult = Omit<Type.Static<typeof extractionResultSchema>, 'error' | 'contents'> & {
  error: ErrorBody | null;
  contents?: ExtractedContent[];
};

/** The body of an error response outside the extraction API. */
export const failureSchema = Type.Object({
  error: Type.Intersect([
    errorSchema,
    Type.Object({
      fields: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'The body members at fault, such as inputs.0.url.',
        }),
      ),
    }),
  ]),
});

/** Returns the body of an error response outside the extraction API, for the request with this ID. */
export function failureBody(error: MillraceError, requestId: string) {
  const fields = error.fields === undefined ? {} : { fields: [...error.fields] };
  return { error: { ...errorBody(error, requestId), ...fields } };
}

const RETRY_AFTER_S = 5;

/**
 * Returns the seconds until the caller can retry (`Retry-After`): set for `rate_limited` and for errors that name a
 * time.
 */
export function retryAfterOf({ code, retryAfter }: MillraceError): number | undefined {
  return retryAfter ?? (code === 'rate_limited' ? RETRY_AFTER_S : undefined);
}

/** Converts an error to the form in which the caller of the request with this ID receives it. */
export function errorBody(error: MillraceError, requestId: string): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    statusCode: error.status,
    retryable: error.retryable,
    requestId,
    ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...error.detail,
  };
}
