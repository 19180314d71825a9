/**
 * Why AAC cannot be put into ADTS, the framing of AAC in MPEG-TS and `.aac` files, given its setup (AudioSpecificConfig,
 * ISO/IEC 14496-3 §1.6.2.1), as a clause; undefined if it can. The header of ADTS (§1.A.2.2) has two bits for the object
 * type, four for the rate and three for the channels.
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
  if (rate === escapeIndex) return 'ADTS has no number for its sample rate';
  if (channels > 7) return `ADTS has no channel configuration ${channels}`;
  return readBits(3) === 0 ? undefined : 'ADTS holds only plain frames of 1024 samples';
}

/** Object types of HE-AAC, which name that of their core after them: SBR and parametric stereo. */
const sbrObjectTypes = new Set([5, 29]);

/** The index of a sample rate that is given in Hz. */
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

/** Reads bits from the first one on; behind the end they are zero. */
function createBitReader(bytes: Buffer): ReadBits {
  let at = 0;
  return (count) => {
    let value = 0;
    for (const end = at + count; at < end; at += 1) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
}
