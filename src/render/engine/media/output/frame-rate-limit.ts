import type { Frame, IRational } from 'node-av/lib';
import { ticksToSeconds } from '../timestamps.ts';

/**
 * Time by which a frame may come too early, in seconds and as a fraction of an interval: containers round times to
 * their clocks.
 */
const tolerance = { seconds: 0.002, share: 0.1 } as const;

/** Fraction of the maximum rate from which on a whole number of frames is dropped between two frames. */
const evenRateShare = 0.9;

/** Denominator of the NTSC rates, such as 30000/1001. */
const ntscDivisor = 1001;

/** Drops frames of a video that has more frames per second than requested. The others keep their times. */
export class FrameRateLimit {
  /** Maximum rate of the frames that are kept, in frames per second. */
  readonly rate: number;
  /** Time from which on the next frame is kept, in seconds. */
  #next = Number.NEGATIVE_INFINITY;

  /**
   * @param maxFps - maximum rate in frames per second.
   * @param sourceFps - rate of the video; undefined if unknown.
   */
  constructor(maxFps: number, sourceFps: number | undefined) {
    this.rate = evenRate(maxFps, sourceFps);
  }

  /** The rate as a fraction, which is exact for the NTSC rates. */
  get frameRate(): IRational {
    return { num: Math.round(this.rate * ntscDivisor), den: ntscDivisor };
  }

  /**
   * Returns whether a frame is kept, whose timestamp is in `base`. A frame that is kept lasts until the next one. Frames
   * without a timestamp are kept.
   */
  keeps(frame: Pick<Frame, 'pts' | 'duration'>, base: IRational): boolean {
    const seconds = ticksToSeconds(frame.pts, base);
    if (seconds === undefined) return true;
    const interval = 1 / this.rate;
    if (seconds < this.#next - Math.min(tolerance.seconds, tolerance.share * interval)) return false;
    // Counted on a grid, so that deviations do not add up.
    this.#next = this.#next + interval > seconds ? this.#next + interval : seconds + interval;
    const ticks = BigInt(Math.round((interval * base.den) / base.num));
    if (frame.duration < ticks) frame.duration = ticks;
    return true;
  }
}

/** Returns the rate of every n-th frame, which plays smoothly, if it is close to the maximum. */
function evenRate(maxFps: number, sourceFps: number | undefined): number {
  if (sourceFps === undefined || sourceFps <= maxFps) return maxFps;
  const even = sourceFps / Math.ceil(sourceFps / maxFps);
  return even >= evenRateShare * maxFps ? even : maxFps;
}
