import Type from 'typebox';
import type { MillraceError } from './errors.ts';
import { mediaItemSchema, renderableMediaItemSchema } from './media.ts';

/** The `error` member of the envelope. */
export const errorSchema = Type.Object({
  message: Type.String({ description: 'What happened, to what, and what to do.' }),
  code: Type.String({ description: 'Stable machine-readable code.' }),
  statusCode: Type.Union([Type.Number(), Type.Null()], { description: 'Suggested HTTP status.' }),
  retryable: Type.Optional(Type.Boolean({ description: 'Whether the same request can succeed later.' })),
  parameter: Type.Optional(Type.String({ description: 'The parameter at fault.' })),
  reason: Type.Optional(Type.String({ description: "The source's own words." })),
});

/** The `error` member of the envelope. */
export type ErrorBody = Type.Static<typeof errorSchema> & Record<string, unknown>;

/** One media item of an answer: a carousel or a pin of several pages has several. */
export const extractedContentSchema = Type.Object({
  videos: Type.Optional(Type.Array(mediaItemSchema)),
  audios: Type.Optional(Type.Array(mediaItemSchema)),
  images: Type.Optional(Type.Array(mediaItemSchema)),
  renderableVideos: Type.Optional(Type.Array(renderableMediaItemSchema)),
  renderableAudios: Type.Optional(Type.Array(renderableMediaItemSchema)),
});

/** One media item of an answer; each list is present only when that kind of media exists. */
export type ExtractedContent = Type.Static<typeof extractedContentSchema>;

/** Everything of an answer that is not a file. */
export interface ContentMetadata {
  title?: string;
  thumbnailUrl?: string;
  author?: Record<string, unknown>;
  comments?: Record<string, unknown>;
  playlist?: Record<string, unknown>;
  channel?: Record<string, unknown>;
  post?: Record<string, unknown>;
  hashtag?: Record<string, unknown>;
  transcript?: Record<string, unknown>;
  additionalData?: Record<string, unknown>;
}

/** The envelope of every data endpoint. */
export interface ExtractionResult {
  error: ErrorBody | null;
  contents?: ExtractedContent[];
  metadata: ContentMetadata;
  notes?: string[];
}

/** An error as callers see it, in the envelope's shape. */
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
