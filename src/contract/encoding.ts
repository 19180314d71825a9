import Type from 'typebox';

/** Bit rates of encoded audio, in kbit/s. */
export const audioBitrates = { min: 32, max: 320 } as const;

/** Loudness of a result, in LUFS (EBU R128). */
export const loudnessRange = { min: -70, max: -5 } as const;

/** The codecs that video can be encoded with. */
export const videoCodecs = ['h264', 'h265', 'vp9', 'av1'] as const;

/** A codec that video can be encoded with. */
export type VideoCodec = (typeof videoCodecs)[number];

/** The containers that can store each codec. */
export const codecContainers: Readonly<Record<VideoCodec, readonly string[]>> = {
  h264: ['mp4', 'mov', 'mkv', 'ts'],
  h265: ['mp4', 'mov', 'mkv', 'ts'],
  vp9: ['mp4', 'mkv', 'webm'],
  av1: ['mp4', 'mkv', 'webm'],
};

/** The shape of encoded video. */
export const videoShapeSchema = Type.Object(
  {
    maxHeight: Type.Optional(
      Type.Integer({
        minimum: 64,
        maximum: 4320,
        description: 'Maximum height in pixels. Smaller video is not enlarged.',
      }),
    ),
    maxFps: Type.Optional(
      Type.Number({ minimum: 1, maximum: 240, description: 'Maximum number of frames per second.' }),
    ),
    codec: Type.Optional(
      Type.Enum([...videoCodecs], { description: 'Codec. Default: vp9 for webm, h264 for other containers.' }),
    ),
    crop: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$',
        description: 'Aspect ratio, as width:height. The middle of the video is kept.',
        examples: ['9:16'],
      }),
    ),
  },
  { additionalProperties: false, description: 'Shape of the video, if it is encoded.' },
);

/** The shape of encoded video. Absent members leave the video unchanged. */
export interface VideoShape {
  /** Pixels. */
  readonly maxHeight?: number;
  /** Frames per second. */
  readonly maxFps?: number;
  readonly codec?: VideoCodec;
  /** Aspect ratio of the part in the middle to keep. */
  readonly crop?: { readonly width: number; readonly height: number };
}

/** How a result is encoded. Members that are not set leave the choice to the engine. */
export interface EncodingOptions {
  /** Bit rate of encoded audio, in kbit/s. */
  readonly audioBitrate?: number;
  /** Loudness to reach, in LUFS. Copied audio is not changed; its ReplayGain tags say how players reach it. */
  readonly loudness?: number;
  readonly video?: VideoShape;
  /** How long a slideshow shows each image, in seconds. */
  readonly secondsPerImage?: number;
}

/** The members of a job's operation that say how a result is encoded. */
export const encodingMembers = {
  audioBitrate: Type.Optional(
    Type.Integer({
      minimum: audioBitrates.min,
      maximum: audioBitrates.max,
      description: 'Bit rate of encoded audio, in kbit/s. Audio without loss (flac, wav) has none.',
    }),
  ),
  loudness: Type.Optional(
    Type.Number({
      minimum: loudnessRange.min,
      maximum: loudnessRange.max,
      description:
        'Loudness in LUFS (EBU R128), such as -14. Encoded audio is adjusted. Copied audio gets ReplayGain tags.',
      examples: [-14],
    }),
  ),
  video: Type.Optional(videoShapeSchema),
  secondsPerImage: Type.Optional(
    Type.Number({
      minimum: 0.5,
      maximum: 60,
      description: 'How long a slideshow shows each image, in seconds. The images repeat until the audio ends.',
      default: 3,
    }),
  ),
};

/** Parses the shape of a video that matches {@link videoShapeSchema}. */
export function normalizeVideoShape({ crop, ...shape }: Type.Static<typeof videoShapeSchema>): VideoShape {
  if (crop === undefined) return shape;
  const [width = 1, height = 1] = crop.split(':').map(Number);
  return { ...shape, crop: { width, height } };
}
