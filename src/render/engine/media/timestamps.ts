import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { IRational, Packet } from 'node-av/lib';

/** Converts a timestamp to seconds; undefined when the library has none. */
export function ticksToSeconds(value: bigint, base: IRational): number | undefined {
  return value === AV_NOPTS_VALUE ? undefined : (Number(value) * base.num) / base.den;
}

/** Converts a file-level time in microseconds to seconds; undefined when the library has none. */
export function microsecondsToSeconds(value: bigint): number | undefined {
  return ticksToSeconds(value, { num: 1, den: 1_000_000 });
}

/** Converts seconds to a timestamp. */
export function secondsToTicks(seconds: number, base: IRational): bigint {
  return BigInt(Math.round((seconds * base.den) / base.num));
}

/** Returns when a packet is presented, or else decoded, in seconds; undefined when the library has no time. */
export function startOfPacket({ pts, dts }: Pick<Packet, 'pts' | 'dts'>, base: IRational): number | undefined {
  return ticksToSeconds(pts === AV_NOPTS_VALUE ? dts : pts, base);
}
