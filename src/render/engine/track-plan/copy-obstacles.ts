import { adtsObstacle } from '../formats/adts-obstacle.ts';
import type { CopyObstacles } from './source-stream.ts';

/** Properties of a stream that determine whether it fits. */
interface EncodedStream {
  /** Codec, with FFmpeg's name. */
  readonly codec: string;
  /** Sample rate in Hz; 0 for streams other than audio. */
  readonly sampleRate: number;
  /** Whether its pixel format or sample format is known. */
  readonly hasFormat: boolean;
  /** The decoder's setup; null if it is only in the packets. */
  readonly setup: Buffer | null;
}

/** Lowest sample rate of MPEG-2 audio in Hz (ISO/IEC 13818-3). Lower rates are an extension called MPEG-2.5. */
const lowestMpegRate = 16_000;
/**
 * Lowest sample rate of AC-3 in Hz (ETSI TS 102 366 §4.4.1.3). Lower rates are an extension of RealAudio and DolbyNet,
 * whose bit stream version (9 or 10) the `dac3` box cannot state (annex F.4).
 */
const lowestAc3Rate = 32_000;

/**
 * Returns the containers that a stream cannot be copied into although they hold its codec; undefined if there are none.
 */
export function copyObstacles({ codec, sampleRate, hasFormat, setup }: EncodedStream): CopyObstacles | undefined {
  if (codec === 'mp3' && sampleRate > 0 && sampleRate < lowestMpegRate) {
    // The object types 0x69 and 0x6B stand for MPEG-2 and MPEG-1 audio (ISO/IEC 14496-1, table 5).
    return { mp4: `MP4 does not define MP3 at ${sampleRate} Hz` };
  }
  if (codec === 'ac3' && sampleRate > 0 && sampleRate < lowestAc3Rate) {
    const why = `MP4 does not define AC-3 at ${sampleRate} Hz`;
    return { mp4: why, m4a: why };
  }
  // MP4 states the profile and the bit depth of VP9 (VP Codec ISO Media File Format Binding, version 1.0, §3.2).
  if (codec === 'vp9' && !hasFormat) return { mp4: 'no frame was found that states its format' };
  if (codec !== 'aac' || setup === null || setup.length === 0) return undefined;
  const why = adtsObstacle(setup);
  return why === undefined ? undefined : { ts: why, aac: why };
}
