import Type from 'typebox';

/** Technical details of a media file; what the platform tells beyond these fields is passed through. */
export const mediaMetadataSchema = Type.Object(
  {
    mime_type: Type.String({
      pattern: '^[a-z]+/[A-Za-z0-9.+-]+',
      description: 'Media type, possibly with a codecs parameter.',
    }),
    width: Type.Number({ minimum: 0, description: 'Pixels; 0 for audio.' }),
    height: Type.Number({ minimum: 0, description: 'Pixels; 0 for audio.' }),
    has_audio: Type.Boolean({ description: 'Whether the file has an audio track.' }),
    content_length: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes, when known.' })),
    content_length_text: Type.Optional(Type.String({ description: 'Readable size.' })),
    expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'When the link dies, where known.' })),
  },
  { additionalProperties: true },
);

/** Technical details of a media file. */
export type MediaMetadata = Type.Static<typeof mediaMetadataSchema> & Record<string, unknown>;

/** A media file or stream that can be downloaded as it is. */
export const mediaItemSchema = Type.Object({
  label: Type.String({ minLength: 1, description: 'Human-readable quality.' }),
  url: Type.String({ pattern: '^https?://', description: 'Temporary download or stream link.' }),
  repId: Type.String({ minLength: 1, description: 'Stable identifier of this representation, unique in its list.' }),
  metadata: mediaMetadataSchema,
});

/** A media file or stream that can be downloaded as it is. */
export interface MediaItem {
  label: string;
  url: string;
  repId: string;
  metadata: MediaMetadata;
}

/** The three links of a render; opaque to callers. */
export const renderConfigSchema = Type.Object({
  executionUrl: Type.String({ pattern: '^https?://', description: 'GET starts the render or attaches to it. No key.' }),
  statusUrl: Type.String({ pattern: '^wss?://', description: 'WebSocket status stream.' }),
  sseStatusUrl: Type.String({ pattern: '^https?://', description: 'Server-Sent Events status stream.' }),
});

/** The three links of a render; opaque to callers. */
export type RenderConfig = Type.Static<typeof renderConfigSchema>;

/** A quality that can be rendered, or why it cannot. */
export const renderableMediaItemSchema = Type.Object(
  {
    label: Type.String({ minLength: 1, description: 'The quality or format that it is for.' }),
    renderConfig: Type.Optional(renderConfigSchema),
    repId: Type.Optional(Type.String({ description: 'Equals the jobId of status events.' })),
    metadata: Type.Optional(mediaMetadataSchema),
    error: Type.Optional(Type.String({ description: 'Why this format could not be prepared.' })),
  },
  { oneOf: [{ required: ['renderConfig', 'repId', 'metadata'] }, { required: ['error'] }] },
);

/** A quality that can be rendered (with `renderConfig`, `repId`, `metadata`), or why it cannot (with `error`). */
export type RenderableMediaItem =
  | { label: string; renderConfig: RenderConfig; repId: string; metadata: MediaMetadata; error?: never }
  | { label: string; error: string; renderConfig?: never };
