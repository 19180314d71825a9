import Type from 'typebox';

/** Bit rates of encoded audio, in kbit/s. */
export const audioBitrates = { min: 32, max: 320 } as const;

/** Loudness of a result, in LUFS (EBU R128). */
export const loudnessRange = { min: -70, max: -5 } as const;

/** How long a result plays whose audio comes from another input than its video. */
export const durations = ['longest', 'shortest', 'video'] as const;

/** One of {@link durations}. */
export type Duration = (typeof durations)[number];

/** Number of inputs of a mix. */
export const mixedInputs = 2;

/** Maximum volume of an input of a mix: 12 dB more than in the file. */
const maxVolume = 4;

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
  /** How long the result plays. Default: `longest`, with a note. */
  readonly duration?: Duration;
  /** Factor of the amplitude of each input of a mix. */
  readonly volumes?: readonly number[];
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
  duration: Type.Optional(
    Type.Enum([...durations], {
      description:
        'How long the result of replace_audio_in_video or mix_audio_and_video plays. longest keeps all of both inputs: ' +
        'players show the last frame until longer audio ends. shortest ends both with the shorter input. video ends ' +
        'longer audio with the video, and fills shorter audio with silence if it is encoded. Default: longest, with a ' +
        'note if the audio and the video differ in length.',
    }),
  ),
  volumes: Type.Optional(
    Type.Array(Type.Number({ minimum: 0, maximum: maxVolume }), {
      minItems: mixedInputs,
      maxItems: mixedInputs,
      description:
        'Volume of each input of mix_audio_and_video, in order: 1 keeps it, 0.5 lowers it by 6 dB, 0 silences it. ' +
        'A limiter prevents clipping. Default: 1 for each.',
      examples: [[1, 0.5]],
    }),
  ),
};

/** Parses the shape of a video that matches {@link videoShapeSchema}. */
export function normalizeVideoShape({ crop, ...shape }: Type.Static<typeof videoShapeSchema>): VideoShape {
  if (crop === undefined) return shape;
  const [width = 1, height = 1] = crop.split(':').map(Number);
  return { ...shape, crop: { width, height } };
}
