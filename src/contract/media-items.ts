import Type from 'typebox';

/** Technical details of a media file. Further fields of the platform are passed through. */
export const mediaMetadataSchema = Type.Object(
  {
    mime_type: Type.String({
      pattern: '^[a-z]+/[A-Za-z0-9.+-]+',
      description: 'Media type, possibly with a codecs parameter.',
    }),
    width: Type.Number({ minimum: 0, description: 'Pixels; 0 for audio.' }),
    height: Type.Number({ minimum: 0, description: 'Pixels; 0 for audio.' }),
    has_audio: Type.Boolean({ description: 'Whether the file has an audio track.' }),
    content_length: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes, if known.' })),
    content_length_text: Type.Optional(Type.String({ description: 'Human-readable size.' })),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time at which the link expires, if known.' }),
    ),
  },
  { additionalProperties: true },
);

/** Technical details of a media file. */
export type MediaMetadata = Type.Static<typeof mediaMetadataSchema> & Record<string, unknown>;

/** A media file or stream that can be downloaded directly. */
export const mediaItemSchema = Type.Object({
  label: Type.String({ minLength: 1, description: 'Human-readable quality.' }),
  url: Type.String({ pattern: '^https?://', description: 'Temporary download or stream link.' }),
  repId: Type.String({ minLength: 1, description: 'Stable identifier of this representation, unique in its list.' }),
  metadata: mediaMetadataSchema,
});

/** A media file or stream that can be downloaded directly. */
export interface MediaItem {
  label: string;
  url: string;
  repId: string;
  metadata: MediaMetadata;
}

/** The three links of a render; opaque to callers. */
export const renderConfigSchema = Type.Object({
  executionUrl: Type.String({
    pattern: '^https?://',
    description: 'A GET request starts the render or attaches to it. No key is needed.',
  }),
  statusUrl: Type.String({ pattern: '^wss?://', description: 'WebSocket status stream.' }),
  sseStatusUrl: Type.String({ pattern: '^https?://', description: 'Server-Sent Events status stream.' }),
});

/** The three links of a render; opaque to callers. */
export type RenderConfig = Type.Static<typeof renderConfigSchema>;

const labels = {
  label: Type.String({ minLength: 1, description: 'The quality or format.' }),
  requested: Type.Optional(
    Type.String({
      description:
        'The value of renderableFormats that the item is for, such as highres. Present if it differs from the label, or ' +
        'if several values resolve to this label.',
    }),
  ),
};

/** A quality that can be rendered. */
export const preparedMediaItemSchema = Type.Object({
  ...labels,
  renderConfig: renderConfigSchema,
  repId: Type.String({ description: 'Equals job_id in status events.' }),
  metadata: mediaMetadataSchema,
});

/** A quality that cannot be rendered. */
export const unavailableMediaItemSchema = Type.Object({
  ...labels,
  error: Type.String({ description: 'Why this format could not be prepared.' }),
});

/** A quality that can be rendered, or the reason why it cannot. */
export const renderableMediaItemSchema = Type.Unsafe<RenderableMediaItem>({
  oneOf: [preparedMediaItemSchema, unavailableMediaItemSchema],
});

/** A quality that can be rendered (with `renderConfig`, `repId`, `metadata`), or the reason why it cannot (`error`). */
export type RenderableMediaItem =
  | {
      label: string;
      requested?: string;
      renderConfig: RenderConfig;
      repId: string;
      metadata: MediaMetadata;
      error?: never;
    }
  | { label: string; requested?: string; error: string; renderConfig?: never };
