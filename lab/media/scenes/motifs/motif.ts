import type { Canvas } from '../canvas.ts';
import type { Palette } from '../palettes.ts';
import type { Random } from '../random.ts';

/** What a motif draws with. */
export interface Easel {
  readonly canvas: Canvas;
  readonly palette: Palette;
  readonly random: Random;
}

/** Picture that can be drawn in any palette and in any size. */
export interface Motif {
  /** Palettes that suit it. */
  readonly palettes: readonly [Palette, ...Palette[]];
  draw(easel: Easel): void;
}
