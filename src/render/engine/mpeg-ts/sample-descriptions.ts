import { box, fullBox, latin1, u16, u32 } from '../mp4/box-writer.ts';
import type { AdtsHeader } from './adts-parser.ts';
import type { ParameterSets } from './h264-parameter-sets.ts';
import type { Sps } from './h264-sps.ts';

/**
 * Profiles whose `avcC` box has no further fields after its parameter sets (ISO/IEC 14496-15 §5.3.3.1): Baseline and
 * Main.
 */
const shortProfiles = new Set([66, 77]);
/** 72 dots per inch, which all files declare. */
const resolution = 0x48_0000;
/** Code point of undeclared colors (ITU-T H.273). */
const unspecified = 2;

/** Builds the `stsd` box of H.264 from its parameter sets (ISO/IEC 14496-12 §12.1.3, 14496-15 §5.4.2.1). */
export function videoSampleDescription(sets: ParameterSets): Buffer {
  const { sps } = sets;
  const { width, height, pixelAspect } = sps;
  return sampleDescription(
    box(
      'avc1',
      entryHead,
      Buffer.alloc(16),
      u16(width, height),
      u32(resolution, resolution, 0),
      u16(1),
      Buffer.alloc(32),
      u16(24, 0xffff),
      avcConfiguration(sets),
      ...(pixelAspect === undefined ? [] : [box('pasp', u32(pixelAspect.num, pixelAspect.den))]),
      ...colorBox(sps),
    ),
  );
}

function avcConfiguration({ sps, spsUnit, ppsUnits }: ParameterSets): Buffer {
  const { profile, chromaFormat, lumaDepth, chromaDepth } = sps;
  const prefixLength = (unit: Buffer) => [u16(unit.length), unit];
  return box(
    'avcC',
    Buffer.from([1]),
    spsUnit.subarray(1, 4),
    // Unit lengths take four bytes; one sequence parameter set.
    Buffer.from([0xff, 0xe1]),
    ...prefixLength(spsUnit),
    Buffer.from([ppsUnits.length]),
    ...ppsUnits.flatMap(prefixLength),
    ...(shortProfiles.has(profile)
      ? []
      : [Buffer.from([0xfc | chromaFormat, 0xf8 | (lumaDepth - 8), 0xf8 | (chromaDepth - 8), 0])]),
  );
}

function colorBox({ colors }: Sps): Buffer[] {
  if (colors === undefined) return [];
  const { primaries, transfer, matrix, fullRange } = colors;
  if ([primaries, transfer, matrix].includes(unspecified)) return [];
  return [box('colr', latin1('nclx'), u16(primaries, transfer, matrix), Buffer.from([fullRange ? 0x80 : 0]))];
}

/** Builds the `stsd` box of AAC (ISO/IEC 14496-12 §12.2.3, 14496-1 §7.2.6, 14496-14 §5.6). */
export function audioSampleDescription({ objectType, rateIndex, rate, channels }: AdtsHeader): Buffer {
  const config = u16((objectType << 11) | (rateIndex << 7) | (channels << 3));
  const decoder = [Buffer.from([0x40, 0x15, 0, 0, 0]), u32(0, 0), descriptor(5, config)];
  const stream = descriptor(3, u16(0), Buffer.from([0]), descriptor(4, ...decoder), descriptor(6, Buffer.from([2])));
  return sampleDescription(
    box(
      'mp4a',
      entryHead,
      Buffer.alloc(8),
      u16(channelCount(channels), 16, 0, 0),
      u32(rate * 0x1_0000),
      fullBox('esds', 0, 0, stream),
    ),
  );
}

/** Returns the number of channels of a channel configuration (ISO/IEC 14496-3 table 1.19). */
function channelCount(configuration: number): number {
  return configuration === 7 ? 8 : configuration;
}

/** Start of each sample entry, which declares that the media is in the file itself. */
const entryHead = Buffer.concat([Buffer.alloc(6), u16(1)]);

function sampleDescription(entry: Buffer): Buffer {
  return fullBox('stsd', 0, 0, u32(1), entry);
}

/** Builds a descriptor of less than 128 bytes. */
function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, body.length]), body]);
}
