import type { OutputContainer } from '../../../contract/containers.ts';
import { hasNalUnits, isAnnexB } from './nal-units.ts';
import { parameterSets } from './parameter-sets.ts';

/**
 * For each codec whose decoder is set up only from the file header, returns the fields of the setup that must be equal
 * in all joined files. The other fields describe a single file.
 */
const essentialSetup: Readonly<Record<string, (extradata: Buffer) => Buffer>> = {
  av1: identity,
  vvc: identity,
  vc1: identity,
  alac: identity,
  aac: essentialAac,
  mpeg4: essentialMpeg4,
  vorbis: essentialVorbis,
  flac: essentialFlac,
  opus: essentialOpus,
};

/** Whether a decoder that was set up for a part can continue with a later one, given the extradata of both. */
export function isSameSetup(
  codec: string,
  previous: Buffer | null,
  next: Buffer | null,
  ext: OutputContainer,
): boolean {
  if (previous === null || next === null || previous.length === 0 || next.length === 0) return true;
  if (hasNalUnits(codec)) {
    // In MPEG-TS, parameter sets precede each keyframe, and players read them there.
    if (ext === 'ts' && isAnnexB(previous) && isAnnexB(next)) return true;
    const sets = parameterSets(codec, previous);
    return [...parameterSets(codec, next)].every((set) => sets.has(set));
  }
  const essential = Object.hasOwn(essentialSetup, codec) ? essentialSetup[codec] : undefined;
  return essential === undefined || essential(previous).equals(essential(next));
}

function identity(extradata: Buffer): Buffer {
  return extradata;
}

/**
 * Returns the object type, rate and channels of AAC (ISO/IEC 14496-3 §1.6.2.1). The rest is optional (§1.6.5), unless
 * the channels have no configuration number or the object type takes more than five bits. In these cases the rest
 * describes the channels or the codec.
 */
function essentialAac(config: Buffer): Buffer {
  const [first = 0, second = 0] = config;
  const hasEscapedType = first >> 3 === 31;
  const hasNoChannelNumber = ((second >> 3) & 15) === 0;
  return hasEscapedType || hasNoChannelNumber ? config : config.subarray(0, 2);
}

/**
 * Returns the video object layers of MPEG-4 Visual (ISO/IEC 14496-2 §6.2.3). The adjacent user data names the encoder.
 */
function essentialMpeg4(headers: Buffer): Buffer {
  const layers: Buffer[] = [];
  const code = Buffer.from([0, 0, 1]);
  for (let at = headers.indexOf(code); at >= 0; ) {
    const next = headers.indexOf(code, at + 3);
    const unit = headers.subarray(at + 3, next < 0 ? headers.length : next);
    if (((unit[0] ?? 0) & 0xf0) === 0x20) layers.push(unit);
    at = next;
  }
  return Buffer.concat(layers);
}

/** Returns the first and last of the three Vorbis headers. The second contains the comments. */
function essentialVorbis(extradata: Buffer): Buffer {
  const [first, , last] = xiphHeaders(extradata);
  return first === undefined || last === undefined || last.length === 0 ? extradata : Buffer.concat([first, last]);
}

/**
 * Splits headers that FFmpeg joined in either of two forms: each prefixed with its length, or all preceded by Xiph
 * lacing.
 */
function xiphHeaders(extradata: Buffer): Buffer[] {
  const vorbisHeader = 30;
  const headers: Buffer[] = [];
  if (extradata.length >= 2 && extradata.readUInt16BE(0) === vorbisHeader) {
    for (let at = 0; at + 2 <= extradata.length && headers.length < 3; ) {
      const end = at + 2 + extradata.readUInt16BE(at);
      headers.push(extradata.subarray(at + 2, end));
      at = end;
    }
    return headers;
  }
  if (extradata[0] !== 2) return [];
  const lengths = [0, 0];
  let at = 1;
  for (let header = 0; header < 2 && at < extradata.length; at += 1) {
    const byte = extradata[at] ?? 0;
    lengths[header] = (lengths[header] ?? 0) + byte;
    if (byte < 255) header += 1;
  }
  for (const length of [...lengths, extradata.length]) {
    headers.push(extradata.subarray(at, at + length));
    at += length;
  }
  return headers;
}

/**
 * Returns the maximum block size, which determines how much memory decoders allocate, and the bits per sample (RFC 9639
 * §8.2), without the digest.
 */
function essentialFlac(extradata: Buffer): Buffer {
  const info = extradata.toString('latin1', 0, 4) === 'fLaC' ? extradata.subarray(8) : extradata;
  const bits = (((info[12] ?? 0) & 1) << 4) | ((info[13] ?? 0) >> 4);
  return Buffer.from([...info.subarray(2, 4), bits]);
}

/**
 * Returns the channels, gain and channel mapping (RFC 7845 §5.1), without the pre-skip and the original sample rate.
 */
function essentialOpus(head: Buffer): Buffer {
  return Buffer.concat([head.subarray(9, 10), head.subarray(16)]);
}
