import { adtsObstacle } from '../formats/adts-obstacle.ts';
import type { CopyObstacles } from './source-stream.ts';

/** What decides whether a stream fits. */
interface EncodedStream {
  /** Codec as FFmpeg names it. */
  readonly codec: string;
  /** Hz; 0 for all but audio. */
  readonly sampleRate: number;
  /** The decoder's setup; null if it is only in the packets. */
  readonly setup: Buffer | null;
}

/** Hz of the lowest rate of MPEG-2 audio (ISO/IEC 13818-3). Lower ones are an extension, called MPEG-2.5. */
const lowestMpegRate = 16_000;

/** The containers into which a stream cannot be copied although they hold its codec; undefined if there are none. */
export function copyObstacles({ codec, sampleRate, setup }: EncodedStream): CopyObstacles | undefined {
  if (codec === 'mp3' && sampleRate > 0 && sampleRate < lowestMpegRate) {
    // The object types 0x69 and 0x6B stand for MPEG-2 and MPEG-1 audio (ISO/IEC 14496-1, table 5).
    return { mp4: `MP4 does not define MP3 at ${sampleRate} Hz` };
  }
  if (codec !== 'aac' || setup === null || setup.length === 0) return undefined;
  const why = adtsObstacle(setup);
  return why === undefined ? undefined : { ts: why, aac: why };
}
