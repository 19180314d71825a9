import type { Picture } from './task.ts';

/** Draws the frames of a picture: a drifting ramp, a block that crosses it, and optional noise. */
interface Painter {
  /** Returns frame `index` as planar YUV 4:2:0. The next call reuses the buffer. */
  paint(index: number): Buffer;
}

const seed = 0x2f6e2b1;
const noiseBytes = 1 << 20;

/** Makes a painter. `noise` fills the lower three quarters of the frame with bytes that no encoder can predict. */
export function createPainter({ width, height, rate, colour }: Picture, noise: boolean): Painter {
  const lumaBytes = width * height;
  const chromaBytes = Math.ceil(width / 2) * Math.ceil(height / 2);
  const frame = Buffer.alloc(lumaBytes + 2 * chromaBytes);
  frame.fill(colour.u, lumaBytes, lumaBytes + chromaBytes);
  frame.fill(colour.v, lumaBytes + chromaBytes);
  const period = 2 * height;
  const ramp = Buffer.from(
    Array.from({ length: width + period }, (_, x) => 60 + Math.round(((x % period) / period) * 140)),
  );
  const grain = noise ? randomBytes(noiseBytes) : undefined;
  const noisyFrom = Math.floor(height / 4);
  const block = Math.floor(height / 6);

  return {
    paint(index) {
      const drift = Math.floor((index * height) / (4 * rate));
      for (let row = 0; row < height; row++) {
        const start = row * width;
        if (grain !== undefined && row >= noisyFrom) {
          const from = (Math.imul(index * height + row, 40_503) >>> 0) % (noiseBytes - width);
          grain.copy(frame, start, from, from + width);
        } else {
          const from = (row + drift) % period;
          ramp.copy(frame, start, from, from + width);
        }
      }
      const left = Math.floor(((index / (4 * rate)) % 1) * (width - block));
      for (let row = block; row < 2 * block; row++) frame.fill(235, row * width + left, row * width + left + block);
      return frame;
    },
  };
}

/** Returns the same bytes in every run (a linear congruential generator with the constants of Numerical Recipes). */
function randomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = 16 + ((state >>> 24) * 220) / 256;
  }
  return bytes;
}
