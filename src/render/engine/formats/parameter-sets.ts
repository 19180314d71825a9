/** Types of the NAL units that a decoder needs before the first frame (ITU-T H.264 table 7-1, H.265 table 7-1). */
const nalUnits = {
  h264: { typeOf: (first: number) => first & 0x1f, setTypes: new Set([7, 8, 13]) },
  hevc: { typeOf: (first: number) => (first >> 1) & 0x3f, setTypes: new Set([32, 33, 34]) },
} as const;

/** Codecs with parameter sets. */
type ParameterSetCodec = keyof typeof nalUnits;

/** Whether a codec has parameter sets. */
export function hasParameterSets(codec: string): codec is ParameterSetCodec {
  return codec in nalUnits;
}

/**
 * Returns the parameter sets in a stream's extradata, as binary text. They come from a header (`avcC`, `hvcC`; ISO/IEC
 * 14496-15), or from between start codes, as in MPEG-TS. Truncated ones are skipped.
 */
export function parameterSets(codec: ParameterSetCodec, extradata: Buffer): ReadonlySet<string> {
  const units = isAnnexB(extradata) ? annexBUnits(extradata) : headerUnits(codec, extradata);
  const { typeOf, setTypes } = nalUnits[codec];
  return new Set(units.filter((unit) => setTypes.has(typeOf(unit[0] ?? 0))).map((unit) => unit.toString('latin1')));
}

/** Whether extradata has start codes, which means that the stream repeats its parameter sets between the frames. */
export function isAnnexB(extradata: Buffer): boolean {
  return extradata.length === 0 || extradata.readUIntBE(0, Math.min(3, extradata.length)) <= 1;
}

function annexBUnits(bytes: Buffer): Buffer[] {
  const units: Buffer[] = [];
  const code = Buffer.from([0, 0, 1]);
  for (let at = bytes.indexOf(code); at >= 0; ) {
    const next = bytes.indexOf(code, at + 3);
    let end = next < 0 ? bytes.length : next;
    // Zeros after a unit are padding, or the first byte of a longer start code.
    while (end > at + 3 && bytes[end - 1] === 0) end -= 1;
    units.push(bytes.subarray(at + 3, end));
    at = next;
  }
  return units;
}

function headerUnits(codec: ParameterSetCodec, bytes: Buffer): Buffer[] {
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
