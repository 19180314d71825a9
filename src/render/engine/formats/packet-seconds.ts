import { parseFlacFrame } from './flac-frame.ts';

/** Duration of an Opus frame in milliseconds, by configuration number (RFC 6716 §3.1): SILK, hybrid and CELT. */
const opusFrames = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
];

const secondsByCodec: Readonly<Record<string, (packet: Buffer, sampleRate: number) => number>> = {
  opus: opusSeconds,
  flac: (packet, sampleRate) => {
    const frame = parseFlacFrame(packet);
    const rate = frame?.sampleRate || sampleRate;
    return frame === undefined || rate <= 0 ? 0 : frame.samples / rate;
  },
};

/** Whether {@link packetSeconds} supports a codec. */
export function storesDuration(codec: string): boolean {
  return Object.hasOwn(secondsByCodec, codec);
}

/** Returns the duration that a packet stores, in seconds; 0 if it stores none. */
export function packetSeconds(codec: string, packet: Buffer, sampleRate: number): number {
  return secondsByCodec[codec]?.(packet, sampleRate) ?? 0;
}

/**
 * Returns the duration of an Opus packet in seconds. The number of frames is in the two low bits of the first byte, or
 * in the second byte (RFC 6716 §3.2).
 */
function opusSeconds(packet: Buffer): number {
  const [toc, count = 0] = packet;
  if (toc === undefined) return 0;
  const frames = [1, 2, 2, count & 63][toc & 3] ?? 0;
  return (frames * (opusFrames[toc >> 3] ?? 0)) / 1000;
}
