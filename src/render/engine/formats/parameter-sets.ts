import { annexBUnits, isAnnexB, type NalCodec, nalTypeOf } from './nal-units.ts';

/** Types of the NAL units that a decoder needs before the first frame (ITU-T H.264 table 7-1, H.265 table 7-1). */
const setTypes: Readonly<Record<NalCodec, ReadonlySet<number>>> = {
  h264: new Set([7, 8, 13]),
  hevc: new Set([32, 33, 34]),
};

/** Whether a NAL unit is a parameter set. */
export function isParameterSet(codec: NalCodec, unit: Buffer): boolean {
  return setTypes[codec].has(nalTypeOf(codec, unit));
}

/**
 * Returns the parameter sets in a stream's extradata, as binary text. They come from a header (`avcC`, `hvcC`; ISO/IEC
 * 14496-15), or from between start codes, as in MPEG-TS. Truncated ones are skipped.
 */
export function parameterSets(codec: NalCodec, extradata: Buffer): ReadonlySet<string> {
  const units = isAnnexB(extradata) ? annexBUnits(extradata) : headerUnits(codec, extradata);
  return new Set(units.filter((unit) => isParameterSet(codec, unit)).map((unit) => unit.toString('latin1')));
}

function headerUnits(codec: NalCodec, bytes: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let at = codec === 'h264' ? 5 : 23;
  const takeUnits = (count: number) => {
    for (let remaining = count; remaining > 0 && at + 2 <= bytes.length; remaining -= 1) {
      const end = at + 2 + bytes.readUInt16BE(at);
      if (end <= bytes.length) units.push(bytes.subarray(at + 2, end));
      at = end;
    }
  };
  if (codec === 'h264') {
    for (const mask of [0x1f, 0xff]) {
      const count = (bytes[at] ?? 0) & mask;
      at += 1;
      takeUnits(count);
    }
    return units;
  }
  for (let arrays = bytes[22] ?? 0; arrays > 0 && at + 3 <= bytes.length; arrays -= 1) {
    const count = bytes.readUInt16BE(at + 1);
    at += 3;
    takeUnits(count);
  }
  return units;
}
