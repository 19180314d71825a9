import type { Frame, IRational } from 'node-av/lib';
import type { ClipWindow } from './clip-window.ts';
import { FilterChain, type TakeFrame } from './filter-chain.ts';

/** Passes on the decoded frames of a clip. */
export interface FrameTrimmer {
  readonly push: TakeFrame;
  /** Passes on a frame that was held back. */
  end(): void;
}

/**
 * Returns a receiver of decoded frames that passes on those of a clip: video to the nearest frame, and audio to the
 * sample. Without a clip, it passes on all.
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
    const half = length / 2;
    if (seconds < -half) {
      if (this.#isFirst) this.#hold(frame, base, seconds + length);
      return;
    }
    if (seconds >= this.#window.end - half) {
      // The frame before the clip is displayed until this one.
      if (this.#isFirst && seconds > 0) this.#release(Number.NEGATIVE_INFINITY);
      if (!this.#isFirst || seconds >= this.#window.end) return;
    }
    if (frame.pts < 0n || (this.#isFirst && seconds <= half)) frame.pts = 0n;
    this.#isFirst = false;
    this.#drop();
    this.#take(frame, base);
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
      frame.pts = 0n;
      this.#isFirst = false;
      this.#take(frame, base);
    }
    this.#drop();
  }

  #drop(): void {
    this.#before?.frame.free();
    this.#before = undefined;
  }
}

function trimAudio(window: ClipWindow, take: TakeFrame): TakeFrame {
  const chain = new FilterChain('audio', () => {
    const end = Number.isFinite(window.end) ? `:end=${window.end.toFixed(6)}` : '';
    return [['atrim', `start=0${end}`]];
  });
  return (frame, base) => chain.push(frame, base, take);
}
