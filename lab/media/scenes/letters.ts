import type { Point, Shape } from './canvas.ts';
import { line } from './shapes.ts';

/** Strokes of the letters on a grid of 4 by 6: lines separated by spaces, whose points are pairs of digits (x, y). */
const strokes: Readonly<Record<string, string>> = {
  A: '0602204246 0444',
  B: '0006 003041423303 3344453606',
  C: '4130100105163645',
  D: '00062644422000',
  E: '40000646 0333',
  F: '400006 0333',
  G: '41301001051636454323',
  H: '0006 4046 0343',
  I: '2026',
  J: '404536160504',
  K: '0006 400346',
  L: '000646',
  M: '0600234046',
  N: '06004640',
  O: '103041453616050110',
  P: '06003041423303',
  Q: '103041453616050110 2446',
  R: '06003041423303 2346',
  S: '413010010213334445361605',
  T: '0040 2026',
  U: '000516364540',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
  Z: '00400646',
  0: '103041453616050110',
  1: '012026',
  2: '01103041420646',
  3: '0110304142334445361605 1333',
  4: '36300444',
  5: '4000033344453606',
  6: '30100105163645443303',
  7: '004016',
  8: '103041423313020110 133344453616050413',
  9: '16364541301001021343',
  '?': '011030414224 26',
  '!': '2024 26',
};

/** Grid units from one letter to the next. */
const advance = 5.7;
/** Letters that are only a stem. */
const narrow = new Set(['I', '!']);

/** Returns a line of capital letters, and its width. `size` is the height of the letters, `weight` that of strokes. */
export function lettering(text: string, [x, y]: Point, size: number, weight: number): { shape: Shape; width: number } {
  const scale = size / 6;
  let place = 0;
  const shape = [...text].flatMap((letter) => {
    const shift = narrow.has(letter) ? place - 1.6 : place;
    place += letter === ' ' ? advance * 0.6 : narrow.has(letter) ? advance - 3.2 : advance;
    return (strokes[letter] ?? '').split(' ').flatMap((stroke) => {
      const pairs = stroke.match(/../g) ?? [];
      return line(
        pairs.map((pair): Point => [x + (shift + Number(pair[0])) * scale, y + Number(pair[1]) * scale]),
        weight,
      );
    });
  });
  return { shape, width: (place - (advance - 4)) * scale };
}
