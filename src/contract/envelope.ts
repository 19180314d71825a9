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

/** A member whose inner fields follow the platform and can become more. */
const open = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description, additionalProperties: true }));

/** Everything of an answer that is not a file. */
export const contentMetadataSchema = Type.Object({
  title: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String({ description: 'Link of a picture.' })),
  author: open('Who made it.'),
  comments: open('Comments, and nextToken for the next page: null on the last one.'),
  playlist: open('A playlist and a page of its videos.'),
  channel: open('A channel, or a page of what it has.'),
  post: open('A post with its pictures, poll or quiz.'),
  hashtag: open('A hashtag and a page of what is under it.'),
  transcript: open('Transcript of a video: its languages, selectedLanguage, transcript or, where it failed, error.'),
  additionalData: open('Other data of the platform: statistics, dates, search results. It can gain fields.'),
});

/** Everything of an answer that is not a file. */
export type ContentMetadata = Type.Static<typeof contentMetadataSchema>;

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
export type ExtractionResult = Omit<Type.Static<typeof extractionResultSchema>, 'error'> & { error: ErrorBody | null };

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
