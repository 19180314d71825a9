/** Sample rates of MPEG-1 audio in Hz (ISO/IEC 11172-3 §2.4.2.3). */
const mpegRates = [44_100, 48_000, 32_000];
/** Divisors of the rates by version: MPEG-2.5, reserved, MPEG-2 (ISO/IEC 13818-3 §2.4.2.3), MPEG-1. */
const mpegDivisors = [4, undefined, 2, 1];
/** Sample rates of AC-3 and E-AC-3 in Hz (ETSI TS 102 366 §4.4.1.3, annex E §1.3.1.4). */
const ac3Rates = [48_000, 44_100, 32_000];
/** The versions of the bit stream of AC-3: the usual one, and the last one, a quarter of the rates. Later ones are E-AC-3. */
const usualAc3Version = 8;
const lastAc3Version = 10;

/** Returns the sample rate that the header of a frame states, in Hz; undefined without such a header. */
type RateReader = (frame: Buffer) => number | undefined;

const readers: Readonly<Record<string, RateReader>> = {
  ...{ mp1: readMpegRate, mp2: readMpegRate, mp3: readMpegRate },
  ...{ ac3: readAc3Rate, eac3: readAc3Rate },
};

/** Returns the function that reads the sample rate of each frame; undefined for codecs whose frames state none. */
export function frameRateReader(codec: string): RateReader | undefined {
  return Object.hasOwn(readers, codec) ? readers[codec] : undefined;
}

function readMpegRate(frame: Buffer): number | undefined {
  if (frame.length < 4) return undefined;
  const header = frame.readUInt32BE(0);
  const [layer, bitRate] = [(header >>> 17) & 3, (header >>> 12) & 15];
  if (header >>> 21 !== 0x7ff || layer === 0 || bitRate === 15) return undefined;
  const [rate, divisor] = [mpegRates[(header >>> 10) & 3], mpegDivisors[(header >>> 19) & 3]];
  return rate === undefined || divisor === undefined ? undefined : rate / divisor;
}

function readAc3Rate(frame: Buffer): number | undefined {
  if (frame.length < 6 || frame.readUInt16BE(0) !== 0x0b77) return undefined;
  const [rates, version] = [frame.readUInt8(4), frame.readUInt8(5) >> 3];
  const rate = ac3Rates[rates >> 6];
  if (version <= lastAc3Version) {
    return rate === undefined ? undefined : rate / 2 ** Math.max(0, version - usualAc3Version);
  }
  // E-AC-3 has half of the rates, too.
  const half = ac3Rates[(rates >> 4) & 3];
  return rate ?? (half === undefined ? undefined : half / 2);
}
