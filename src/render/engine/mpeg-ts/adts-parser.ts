import { decline } from '../binary/fast-path-declined.ts';

/** What all frames of a stream have in common. */
export interface AdtsHeader {
  /** AAC LC is 2. */
  readonly objectType: number;
  readonly rateIndex: number;
  /** Hz. */
  readonly rate: number;
  /** Channel configuration (ISO/IEC 14496-3 table 1.19). */
  readonly channels: number;
}

/** Takes a frame without its header, which begins in the current PES packet or, if `fromPrevious`, in the one before. */
export type TakeAdtsFrame = (bytes: Buffer, from: number, to: number, fromPrevious: boolean) => void;

/**
 * Sample rates by their index (ISO/IEC 14496-3 table 1.18). Lower ones may be HE-AAC, which only the frames show and
 * which plays at twice the rate; higher ones do not fit into the field that MP4 has for them.
 */
const rates = new Map([
  [3, 48_000],
  [4, 44_100],
  [5, 32_000],
]);
const lowComplexity = 2;

const headerBytes = 7;
const checksumBytes = 2;
/** Frames take up to 13 bits of length. */
const maxFrameBytes = 8191;

/** Finds the frames of AAC in ADTS (ISO/IEC 14496-3 §1.A.2.2), which may begin in one PES packet and end in the next. */
export class AdtsParser {
  #fixedHeader = -1;
  /** What is left of the packets before, then the current one. */
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  /** What the first frame said. */
  header: AdtsHeader | undefined;

  /**
   * Reads the payload of a PES packet.
   *
   * @returns Whether a frame begins in it that does not end in it.
   * @throws FastPathDeclined for frames that differ from the first one, or are not understood.
   */
  read(packet: Buffer, from: number, to: number, take: TakeAdtsFrame): boolean {
    const previousBytes = this.#length;
    this.#reserve(to - from);
    this.#length += packet.copy(this.#bytes, this.#length, from, to);
    const bytes = this.#bytes;
    let at = 0;
    while (at + headerBytes <= this.#length) {
      const fixedHeader = bytes.readUInt32BE(at) & ~0xf;
      if (fixedHeader !== this.#fixedHeader) this.#begin(fixedHeader);
      const length = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff;
      const head = headerBytes + ((fixedHeader & 0x1_0000) === 0 ? checksumBytes : 0);
      if ((bytes.readUInt8(at + 6) & 3) !== 0) decline('its AAC has several blocks in a frame');
      if (length <= head) decline('its AAC has an empty frame');
      if (at + length > this.#length) break;
      take(bytes, at + head, at + length, at < previousBytes);
      at += length;
    }
    bytes.copyWithin(0, at, this.#length);
    this.#length -= at;
    if (this.#length > maxFrameBytes) decline('its AAC is malformed');
    return this.#length > 0 && at >= previousBytes;
  }

  /** To be called when all has been read. */
  end(): void {
    if (this.#length > 0) decline('its AAC ends inside a frame');
  }

  #begin(fixedHeader: number): void {
    if (this.header !== undefined) decline('its AAC changes, or is damaged');
    // Twelve bits that mark a frame, then the version, the layer (0) and whether there is no checksum.
    if (fixedHeader >>> 20 !== 0xfff || ((fixedHeader >>> 17) & 3) !== 0)
      decline('its AAC does not begin with a frame');
    const [objectType, rateIndex, channels] = [
      ((fixedHeader >>> 14) & 3) + 1,
      (fixedHeader >>> 10) & 15,
      (fixedHeader >>> 6) & 7,
    ];
    const rate = rates.get(rateIndex) ?? decline('its AAC has an unusual rate, or is HE-AAC');
    if (objectType !== lowComplexity || channels === 0) decline('its AAC is of an unusual kind');
    this.#fixedHeader = fixedHeader;
    this.header = { objectType, rateIndex, rate, channels };
  }

  #reserve(bytes: number): void {
    const requiredBytes = this.#length + bytes;
    if (requiredBytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(requiredBytes, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
