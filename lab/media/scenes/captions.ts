import { type Canvas, mix } from './canvas.ts';
import { lettering } from './letters.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';
import { box } from './shapes.ts';

const captions = [
  'DAY 1',
  'PART 2',
  'TOP 10',
  'WHY?',
  'HOW?',
  'IN 4K',
  'EPISODE 12',
  '1 YEAR LATER',
  'NO WORDS',
  'BY HAND',
  'BEFORE DAWN',
  'STEP BY STEP',
  'AT LAST!',
  'SLOWLY',
] as const;

/** Writes a few words over a picture, as authors do on their thumbnails. The lower right corner stays free. */
export function paintCaption(canvas: Canvas, palette: Palette, random: Random): void {
  const text = random.of(captions);
  const size = text.length > 7 ? 11 : 17;
  const [x, y] = [9, random.chance(0.5) ? 10 : canvas.height - size - 11];
  const { shape, width } = lettering(text, [x, y], size, size * 0.22);
  if (random.chance(0.5)) {
    const edge = size * 0.42;
    canvas.fill(box(x - edge, y - edge, width + 2 * edge, size + 2 * edge), palette.accent);
    canvas.fill(shape, isBright(palette.accent) ? palette.land[2] : 0xffffff);
  } else {
    const outline = lettering(text, [x, y], size, size * 0.46).shape;
    canvas.fill(outline, mix(palette.land[2], 0x000000, 0.35), 0.95);
    canvas.fill(shape, 0xffffff);
  }
}

function isBright(colour: number): boolean {
  return 0.3 * (colour >> 16) + 0.59 * ((colour >> 8) & 0xff) + 0.11 * (colour & 0xff) > 150;
}
