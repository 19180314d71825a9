/** The header of an ADTS frame of AAC (ISO/IEC 14496-3 §1.A.2.2). */
export interface AdtsFrame {
  /** MPEG-4 audio object type of the core: 2 for AAC LC and for HE-AAC. */
  readonly objectType: number;
  /** Sample rate of the core in Hz. HE-AAC plays at twice this rate, which only the frame's contents reveal. */
  readonly sampleRate: number;
  /** Channel configuration (ISO/IEC 14496-3 table 1.19); 0 if the frame's contents state the channels. */
  readonly channels: number;
  /** Size of the frame with its header, in bytes. */
  readonly bytes: number;
  /** Number of samples of the core. Divided by `sampleRate`, they are the frame's duration, also of HE-AAC. */
  readonly samples: number;
}

/** Size of a header without a checksum, in bytes. */
export const adtsHeaderBytes = 7;

/** Sample rates in Hz by their index (ISO/IEC 14496-3 table 1.18). ADTS has no other rates. */
export const adtsSampleRates: readonly number[] = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350],
];

/** Number of samples in each of a frame's blocks. */
const blockSamples = 1024;

/** Parses the header with which an ADTS frame begins; returns undefined for other bytes. */
export function parseAdtsFrame(bytes: Buffer): AdtsFrame | undefined {
  // The sync word of 12 bits, the version, which is ignored, and the layer, which is 0.
  if (bytes.length < adtsHeaderBytes || (bytes.readUInt16BE(0) & 0xfff6) !== 0xfff0) return undefined;
  const fields = bytes.readUInt32BE(2);
  const sampleRate = adtsSampleRates[(fields >>> 26) & 15];
  const size = (fields >>> 5) & 0x1fff;
  if (sampleRate === undefined || size < adtsHeaderBytes) return undefined;
  return {
    objectType: (fields >>> 30) + 1,
    sampleRate,
    channels: (fields >>> 22) & 7,
    bytes: size,
    samples: blockSamples * ((bytes.readUInt8(6) & 3) + 1),
  };
}
