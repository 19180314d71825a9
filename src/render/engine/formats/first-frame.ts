import { beginsDecoding } from './key-frames.ts';
import { hasNalUnits, isAnnexB, type NalCodec, nalTypeOf, nalUnitsOf } from './nal-units.ts';
import { parameterSets } from './parameter-sets.ts';

/** Number of bytes at the beginning of a frame that tell whether decoding can begin there. */
export const frameHeadBytes = 256 * 1024;

/** Types of the parameter sets that every picture names (ITU-T H.264 table 7-1, H.265 table 7-1): SPS and PPS. */
const requiredSets: Readonly<Record<NalCodec, readonly number[]>> = { h264: [7, 8], hevc: [33, 34] };

/**
 * Returns whether a decoder that gets a frame first can show it: decoding can begin there, and its parameter sets are in
 * the header of the stream or in the frame.
 *
 * @param codec - FFmpeg's name of the codec.
 * @param extradata - header of the stream; empty for a stream without one. One with start codes was gathered from all of
 * the stream, so that it says nothing about the beginning.
 * @param frame - a packet of the stream, or its first {@link frameHeadBytes}.
 * @returns undefined if the frame does not tell.
 */
export function isFirstFrame(codec: string, extradata: Buffer, frame: Buffer): boolean | undefined {
  const begins = beginsDecoding(codec, extradata, frame);
  if (begins === false || !hasNalUnits(codec)) return begins;
  const header = isAnnexB(extradata)
    ? []
    : [...parameterSets(codec, extradata)].map((set) => Buffer.from(set, 'latin1'));
  const types = new Set([...header, ...nalUnitsOf(codec, extradata, frame)].map((unit) => nalTypeOf(codec, unit)));
  return requiredSets[codec].every((type) => types.has(type)) ? begins : false;
}
