/** Properties from the header of a FLAC frame. */
interface FlacFrame {
  /** Samples per channel. */
  readonly samples: number;
  /** Sample rate in Hz and bits per sample; 0 if only the stream header contains the value. */
  readonly sampleRate: number;
  readonly bits: number;
  readonly channels: number;
  /** Whether the frames of the stream may vary in their number of samples. */
  readonly variable: boolean;
}

/** Length of the longest possible header, in bytes. */
const headerBytes = 16;

const rates = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const depths = [0, 8, 12, 0, 16, 20, 24, 32];

/** Parses the header of a FLAC frame (RFC 9639 §9.1). Returns undefined if the bytes are not such a header. */
export function parseFlacFrame(bytes: Buffer): FlacFrame | undefined {
  const frame = Buffer.concat([bytes.subarray(0, headerBytes)], headerBytes);
  if ((frame.readUInt16BE(0) & 0xfffe) !== 0xfff8) return undefined;
  const [, strategy = 0, sizes = 0, layout = 0, codedNumber = 0] = frame;
  const [sizeCode, rateCode, channelCode] = [sizes >> 4, sizes & 15, layout >> 4];
  if (sizeCode === 0 || rateCode === 15 || channelCode > 10) return undefined;
  // The frame number is coded like a UTF-8 character; uncommon block sizes and rates follow it.
  const sizeAt = 4 + Math.max(1, Math.clz32(~(codedNumber << 24)));
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateAt = sizeAt + sizeBytes;
  return {
    samples: sizeBytes > 0 ? frame.readUIntBE(sizeAt, sizeBytes) + 1 : blockSize(sizeCode),
    sampleRate: uncommonRate(frame, rateCode, rateAt) ?? rates[rateCode] ?? 0,
    bits: depths[(layout >> 1) & 7] ?? 0,
    channels: channelCode > 7 ? 2 : channelCode + 1,
    variable: (strategy & 1) === 1,
  };
}

/** Returns the block size for a code (RFC 9639, table 14). */
function blockSize(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 144 << code : 1 << code;
}

/** Returns an uncommon sample rate (RFC 9639, table 15). */
function uncommonRate(frame: Buffer, code: number, at: number): number | undefined {
  if (code === 12) return frame.readUInt8(at) * 1000;
  if (code === 13) return frame.readUInt16BE(at);
  return code === 14 ? frame.readUInt16BE(at) * 10 : undefined;
}

/**
 * Creates a stream header (STREAMINFO, RFC 9639 §8.2) for a stream that begins with the given frame. The frame sizes,
 * the number of samples and the checksum stay unknown, which the format allows.
 */
export function flacStreamInfo({ samples, sampleRate, bits, channels, variable }: FlacFrame): Buffer {
  const info = Buffer.alloc(34);
  // The last frame may be shorter. Sizes below 16 samples cannot be declared.
  info.writeUInt16BE(variable ? 16 : Math.max(16, samples), 0);
  info.writeUInt16BE(variable ? 65_535 : Math.max(16, samples), 2);
  info.writeUInt32BE(((sampleRate << 12) | ((channels - 1) << 9) | ((bits - 1) << 4)) >>> 0, 10);
  return info;
}
