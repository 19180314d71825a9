import { type Canvas, type Colour, mix, type Point } from './canvas.ts';
import { lettering } from './letters.ts';
import { rooms } from './palettes.ts';
import type { Random } from './random.ts';
import { box, oval } from './shapes.ts';

const skins: readonly [Colour, ...Colour[]] = [0xf6d3b8, 0xe8b58d, 0xc98a5e, 0x9a6240, 0x6d432d];
const hairs: readonly [Colour, ...Colour[]] = [0x2b211f, 0x4d3225, 0x8a5a34, 0xc9974f, 0x8f8f96, 0x7d3324];
const letters = 'ABCDEFGHIJKLMNOPRSTUVWZ';

/** Draws a profile picture that may be cropped to a circle: a person or an initial. */
export function paintPortrait(canvas: Canvas, random: Random): void {
  const palette = random.of(rooms);
  const background = random.of([palette.sky[0], palette.land[0], palette.land[1], palette.accent]);
  canvas.fill(box(0, 0, canvas.width, canvas.height), {
    top: mix(background, 0xffffff, 0.16),
    bottom: mix(background, 0x000000, 0.08),
  });
  const middle = canvas.width / 2;
  if (random.chance(0.3)) {
    const letter = letters[Math.floor(random.between(0, letters.length))] ?? 'A';
    const { width } = lettering(letter, [0, 0], 42, 8);
    canvas.fill(lettering(letter, [middle - width / 2, canvas.height / 2 - 21], 42, 8).shape, 0xffffff);
    return;
  }
  paintPerson(canvas, random, middle, random.of([palette.light, palette.land[2], palette.accent, palette.land[1]]));
}

function paintPerson(canvas: Canvas, random: Random, x: number, shirt: Colour): void {
  const [skin, hair] = [random.of(skins), random.of(hairs)];
  const y = canvas.height / 2 - 8;
  const style = random.of(['short', 'long', 'bun', 'cap', 'bald'] as const);
  if (style === 'long') canvas.fill([...oval(x, y - 2, 21, 22), ...box(x - 21, y - 2, 42, 34)], hair);
  if (style === 'bun') canvas.fill(oval(x, y - 24, 8), hair);
  canvas.fill([...oval(x, y + 58, 36, 32)], shirt);
  canvas.fill([...box(x - 6.5, y + 10, 13, 17), ...oval(x, y + 27, 6.5, 5)], mix(skin, 0x000000, 0.14));
  if (style !== 'long') {
    canvas.fill([...oval(x - 17, y + 1, 3.2, 4.2), ...oval(x + 17, y + 1, 3.2, 4.2)], mix(skin, 0x000000, 0.08));
  }
  canvas.fill(oval(x, y, 17, 20), skin);
  if (random.chance(0.25)) canvas.fill(arc([x, y + 2], 17.2, 18.6, 0.06, 0.94), hair);
  if (style === 'cap') {
    canvas.fill(arc([x, y - 3], 18.5, 19, 1, 2), shirt);
    canvas.fill(oval(x + 12, y - 4, 16, 2.6), mix(shirt, 0x000000, 0.2));
  } else if (style !== 'bald') {
    canvas.fill(arc([x, y - 3], 18.4, 19.5, 1.02, 1.98), hair);
    canvas.fill(oval(x - 7, y - 8, 11, 6), hair);
  }
  canvas.fill([...oval(x - 6.5, y + 1, 1.7, 2.1), ...oval(x + 6.5, y + 1, 1.7, 2.1)], 0x2a2226);
  canvas.fill(arc([x, y + 7.5], 5.5, 4.2, 0.08, 0.92), 0xffffff);
  if (random.chance(0.3)) {
    for (const side of [-6.5, 6.5]) {
      canvas.fill(oval(x + side, y + 1, 5.4, 4.8), 0x2a2226);
      canvas.fill(oval(x + side, y + 1, 4.4, 3.8), mix(skin, 0xffffff, 0.3));
      canvas.fill(oval(x + side, y + 1, 1.7, 2.1), 0x2a2226);
    }
    canvas.fill(box(x - 2, y + 0.3, 4, 1), 0x2a2226);
  }
}

/** Returns the segment of an oval between two angles, in half turns from the right over the bottom. */
function arc([x, y]: Point, radiusX: number, radiusY: number, from: number, to: number): Point[][] {
  return [
    Array.from({ length: 25 }, (_, index): Point => {
      const angle = (from + ((to - from) * index) / 24) * Math.PI;
      return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
    }),
  ];
}
