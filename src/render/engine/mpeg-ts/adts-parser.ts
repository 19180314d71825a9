import { decline } from '../binary/fast-path-declined.ts';

/** Properties that all frames of a stream share. */
export interface AdtsHeader {
  /** MPEG-4 audio object type; AAC LC is 2. */
  readonly objectType: number;
  readonly rateIndex: number;
  /** Sample rate in Hz. */
  readonly rate: number;
  /** Channel configuration (ISO/IEC 14496-3 table 1.19). */
  readonly channels: number;
}

/**
 * Takes a frame without its header. The frame begins in the current PES packet or, if `fromPrevious`, in the previous
 * one.
 */
export type TakeAdtsFrame = (bytes: Buffer, from: number, to: number, fromPrevious: boolean) => void;

/**
 * Sample rates by their index (ISO/IEC 14496-3 table 1.18). Lower rates may be HE-AAC, which plays at twice the
 * declared rate and which only the frames reveal. Higher rates do not fit into the field in MP4.
 */
const rates = new Map([
  [3, 48_000],
  [4, 44_100],
  [5, 32_000],
]);
const lowComplexity = 2;

const headerBytes = 7;
const checksumBytes = 2;
/** Maximum size of a frame, whose length field has 13 bits. */
const maxFrameBytes = 8191;

/** Parses AAC frames in ADTS (ISO/IEC 14496-3 §1.A.2.2), which may begin in one PES packet and end in the next. */
export class AdtsParser {
  #fixedHeader = -1;
  /** Unread bytes of the previous packets, followed by the current one. */
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  /** Header of the first frame. */
  header: AdtsHeader | undefined;

  /**
   * Reads the payload of a PES packet.
   *
   * @returns Whether a frame begins in this packet and is incomplete.
   * @throws FastPathDeclined for frames that differ from the first one or cannot be parsed.
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
      if ((bytes.readUInt8(at + 6) & 3) !== 0) decline('its AAC has several blocks per frame');
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

  /** Must be called after all packets have been read. */
  end(): void {
    if (this.#length > 0) decline('its AAC ends inside a frame');
  }

  #begin(fixedHeader: number): void {
    if (this.header !== undefined) decline('its AAC changes, or is damaged');
    // The 12-bit sync word, then the version, the layer (0) and whether the checksum is absent.
    if (fixedHeader >>> 20 !== 0xfff || ((fixedHeader >>> 17) & 3) !== 0)
      decline('its AAC does not begin with a frame');
    const [objectType, rateIndex, channels] = [
      ((fixedHeader >>> 14) & 3) + 1,
      (fixedHeader >>> 10) & 15,
      (fixedHeader >>> 6) & 7,
    ];
    const rate = rates.get(rateIndex) ?? decline('its AAC has an unusual sample rate, or is HE-AAC');
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
