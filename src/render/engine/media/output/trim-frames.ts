import type { Frame, IRational } from 'node-av/lib';
import { stillSeconds } from '../../timing/clip-rules.ts';
import { secondsToTicks } from '../timestamps.ts';
import type { ClipWindow } from './clip-window.ts';
import { FilterChain, type TakeFrame } from './filter-chain.ts';

/** Passes on the decoded frames of a clip. */
export interface FrameTrimmer {
  readonly push: TakeFrame;
  /** Passes on a frame that was held back. */
  end(): void;
}

/** Seconds by which a time may be rounded. */
const rounding = 1e-6;

/**
 * Returns a receiver of decoded frames that passes on those of a clip: the video frames of which it contains half or
 * more, and audio to the sample. Without a clip, it passes on all.
 */
export function trimFrames(kind: 'video' | 'audio', window: ClipWindow | undefined, take: TakeFrame): FrameTrimmer {
  if (window !== undefined && kind === 'video') return new VideoTrimmer(window, take);
  return { push: window === undefined ? take : trimAudio(window, take), end: () => undefined };
}

/**
 * The first frame begins at 0, because players would display nothing before it. A clip that is shorter than a frame has
 * the frame that is displayed at its start.
 */
class VideoTrimmer implements FrameTrimmer {
  readonly #window: ClipWindow;
  readonly #take: TakeFrame;
  #isFirst = true;
  /** The last frame before the clip. */
  #before: { readonly frame: Frame; readonly base: IRational; readonly end: number } | undefined;

  constructor(window: ClipWindow, take: TakeFrame) {
    this.#window = window;
    this.#take = take;
  }

  readonly push: TakeFrame = (frame, base) => {
    const tick = base.num / base.den;
    const seconds = Number(frame.pts) * tick;
    const length = Number(frame.duration) * tick;
    // A still picture is not moved to the nearest bound.
    const half = Math.min(length, stillSeconds) / 2 + rounding;
    if (seconds < -half) {
      if (this.#isFirst) this.#hold(frame, base, seconds + length);
      return;
    }
    if (seconds > this.#window.end - half + 2 * rounding) {
      // The frame before the clip is displayed until this one.
      if (this.#isFirst && seconds > 0) this.#release(Number.NEGATIVE_INFINITY);
      if (!this.#isFirst || seconds >= this.#window.end) return;
    }
    if (this.#isFirst && seconds > half) this.#release(0);
    if (frame.pts < 0n || (this.#isFirst && seconds <= half)) moveToStart(frame);
    this.#isFirst = false;
    this.#drop();
    this.#pass(frame, base);
  };

  end(): void {
    if (this.#isFirst) this.#release(0);
  }

  #hold(frame: Frame, base: IRational, end: number): void {
    this.#drop();
    const copy = frame.clone();
    if (copy !== null) this.#before = { frame: copy, base, end };
  }

  /** Passes on the frame before the clip if it is displayed after a time. */
  #release(time: number): void {
    if (this.#before !== undefined && this.#before.end > time) {
      const { frame, base } = this.#before;
      moveToStart(frame);
      this.#isFirst = false;
      this.#pass(frame, base);
    }
    this.#drop();
  }

  /** Lets a picture that is displayed for long end with the clip. */
  #pass(frame: Frame, base: IRational): void {
    const left = this.#window.end - Number(frame.pts) * (base.num / base.den);
    const duration = Number(frame.duration) * (base.num / base.den);
    if (left > 0 && duration > left + stillSeconds) frame.duration = secondsToTicks(left, base);
    this.#take(frame, base);
  }

  #drop(): void {
    this.#before?.frame.free();
    this.#before = undefined;
  }
}

/** Lets a frame begin at 0, and end when it did before. */
function moveToStart(frame: Frame): void {
  if (frame.pts < 0n && frame.pts + frame.duration > 0n) frame.duration += frame.pts;
  frame.pts = 0n;
}

function trimAudio(window: ClipWindow, take: TakeFrame): TakeFrame {
  const chain = new FilterChain('audio', () => {
    const end = Number.isFinite(window.end) ? `:end=${window.end.toFixed(6)}` : '';
    return [['atrim', `start=0${end}`]];
  });
  return (frame, base) => chain.push(frame, base, take);
}
