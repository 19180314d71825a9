import Type from 'typebox';
import { maxClipSeconds } from './clip-time.ts';
import type { FieldFault } from './errors.ts';

export { maxClipSeconds };

/** The part of the media to keep. Without an end, it lasts until the end of the media. */
export const clipSchema = Type.Object(
  {
    start: Type.Optional(
      Type.Number({ minimum: 0, maximum: maxClipSeconds, description: 'Start of the clip in seconds.', default: 0 }),
    ),
    end: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: maxClipSeconds,
        description: 'End of the clip in seconds. Default: the end of the media.',
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      'The part of the media to keep. Only the bytes of this part are downloaded if the inputs have an index. Copied ' +
      'streams begin at the key frame before the start. MP4, MOV and M4A files hide what precedes the start, others play it.',
  },
);

/** A part of the media: from `start` to `end`, in seconds. Without an end, it lasts until the end of the media. */
export interface Clip {
  readonly start: number;
  readonly end?: number;
}

/** Fills in the default of a clip. */
export function normalizeClip({ start = 0, end }: Type.Static<typeof clipSchema>): Clip {
  return { start, ...(end === undefined ? {} : { end }) };
}

/** Finds what the schema of a clip cannot express. */
export function clipFaults(clip: Type.Static<typeof clipSchema> | undefined): FieldFault[] {
  if (clip?.end === undefined || clip.end > (clip.start ?? 0)) return [];
  return [{ path: 'clip.end', message: 'must be greater than clip.start' }];
}
