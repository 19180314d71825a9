/**
 * Returns why AAC with the given setup cannot be stored in ADTS, as a clause; undefined if it can. ADTS is the framing
 * of AAC in MPEG-TS and `.aac` files. The setup is an AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1). The ADTS header
 * (§1.A.2.2) has two bits for the object type, four for the sample rate and three for the channels.
 */
export function adtsObstacle(setup: Buffer): string | undefined {
  const readBits = createBitReader(setup);
  let { type, rate } = { type: readObjectType(readBits), rate: readRateIndex(readBits) };
  const channels = readBits(4);
  if (sbrObjectTypes.has(type)) {
    rate = readRateIndex(readBits) === escapeIndex ? escapeIndex : rate;
    type = readObjectType(readBits);
  }
  if (type > 4) return `ADTS cannot hold MPEG-4 audio of object type ${type}`;
  if (rate === escapeIndex) return 'ADTS has no index for its sample rate';
  if (channels > 7) return `ADTS has no channel configuration ${channels}`;
  return readBits(3) === 0 ? undefined : 'ADTS supports only plain frames of 1024 samples';
}

/** Object types of HE-AAC (SBR and parametric stereo), which are followed by the object type of the core. */
const sbrObjectTypes = new Set([5, 29]);

/** The sample rate index that means an explicit rate in Hz. */
const escapeIndex = 15;

type ReadBits = (count: number) => number;

function readObjectType(readBits: ReadBits): number {
  const type = readBits(5);
  return type === 31 ? 32 + readBits(6) : type;
}

function readRateIndex(readBits: ReadBits): number {
  const index = readBits(4);
  if (index === escapeIndex) readBits(24);
  return index;
}

/** Creates a bit reader that starts at the first bit. Bits after the end are zero. */
function createBitReader(bytes: Buffer): ReadBits {
  let at = 0;
  return (count) => {
    let value = 0;
    for (const end = at + count; at < end; at += 1) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
}
