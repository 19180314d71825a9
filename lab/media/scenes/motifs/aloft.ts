import { mix, type Point } from '../canvas.ts';
import { days, nights } from '../palettes.ts';
import { below, box, hills, line, oval, paintClouds, paintSky, paintStars, paintSun } from '../shapes.ts';
import type { Easel, Motif } from './motif.ts';

/** Hot-air balloons over hills. */
export const balloons: Motif = {
  palettes: days,
  draw(easel) {
    const { canvas, palette, random } = easel;
    const { width, height } = canvas;
    const sun = paintSky(canvas, palette, random, height);
    paintSun(canvas, palette, [sun[0], height * 0.62], random.between(8, 13));
    paintClouds(canvas, palette, random, height * 0.8);
    for (const [layer, colour] of palette.land.entries()) {
      canvas.fill(below(canvas, hills(random, height * (0.76 + 0.09 * layer), 5, 0.2)), colour);
    }
    paintBalloon(easel, [width * random.between(0.3, 0.7), height * 0.36], random.between(15, 19));
    paintBalloon(easel, [width * random.between(0.05, 0.2), height * random.between(0.25, 0.55)], random.between(6, 9));
    paintBalloon(easel, [width * random.between(0.8, 0.95), height * random.between(0.2, 0.5)], random.between(5, 8));
  },
};

/** Paper lanterns that rise at night. */
export const lanterns: Motif = {
  palettes: nights,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    paintSky(canvas, palette, random, height);
    paintStars(canvas, palette, random, height * 0.7);
    canvas.fill(below(canvas, hills(random, height * 0.82, 7, 0.6)), palette.land[1]);
    canvas.fill(below(canvas, hills(random, height * 0.92, 4, 0.4)), palette.land[2]);
    for (let index = 0; index < 16; index++) {
      const size = index < 11 ? random.between(1.2, 3.2) : random.between(4, 7.5);
      const [x, y] = [random.between(0.04, 0.96) * width, random.between(0.1, 0.74) * height];
      canvas.glow([x, y], size * 3.4, palette.accent, 0.75);
      const body: Point[] = [
        [x - size * 0.62, y - size * 0.8],
        [x + size * 0.62, y - size * 0.8],
        [x + size * 0.86, y + size * 0.75],
        [x - size * 0.86, y + size * 0.75],
      ];
      const top = mix(palette.accent, palette.land[1], 0.35);
      canvas.fill([...oval(x, y - size * 0.8, size * 0.62, size * 0.28), body], { top, bottom: palette.light });
      canvas.fill(oval(x, y + size * 0.75, size * 0.86, size * 0.18), mix(palette.light, palette.accent, 0.5));
    }
  },
};

/** Kites over a beach. */
export const kites: Motif = {
  palettes: days,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const shore = height * 0.76;
    const sun = paintSky(canvas, palette, random, shore);
    paintSun(canvas, palette, [sun[0], shore * 0.7], random.between(6, 10));
    paintClouds(canvas, palette, random, shore);
    canvas.fill(box(0, shore, width, height - shore), { top: palette.land[0], bottom: palette.land[1] });
    canvas.fill(below(canvas, hills(random, height * 0.88, 2.5, 0)), mix(palette.sun, palette.accent, 0.25));
    const colours = [palette.accent, palette.light, palette.land[1], palette.land[2]] as const;
    const person = width * random.between(0.15, 0.3);
    const ground = height * 0.9;
    for (let index = 0; index < 3; index++) {
      const size = index === 0 ? 15 : random.between(6, 9);
      const x = width * (0.42 + 0.22 * index) + random.between(-6, 6);
      const y = height * random.between(0.2, 0.45);
      const tip = (dx: number, dy: number): Point => [x + dx * size, y + dy * size];
      const [top, right, foot, left] = [tip(0.25, -1), tip(0.75, 0), tip(-0.3, 1.2), tip(-0.65, -0.25)];
      const middle = tip(0.08, -0.12);
      if (index === 0) canvas.fill(line([middle, [person + 2, ground - 9]], 0.3), palette.land[2]);
      const tail = Array.from(
        { length: 14 },
        (_, step): Point => [
          foot[0] - step * size * 0.07 + Math.sin(step * 0.9) * size * 0.12,
          foot[1] + step * size * 0.09,
        ],
      );
      canvas.fill(line(tail, 0.5), palette.land[2]);
      const paint = index === 0 ? palette.accent : random.of(colours);
      canvas.fill([[top, right, middle]], paint);
      canvas.fill([[right, foot, middle]], mix(paint, palette.light, 0.45));
      canvas.fill([[foot, left, middle]], mix(paint, palette.land[2], 0.25));
      canvas.fill([[left, top, middle]], mix(paint, palette.light, 0.25));
    }
    canvas.fill(oval(person, ground - 11, 1.5), palette.land[2]);
    canvas.fill(
      line(
        [
          [person, ground - 9],
          [person, ground - 4],
        ],
        2.6,
      ),
      palette.land[2],
    );
    canvas.fill(
      line(
        [
          [person, ground - 8.5],
          [person + 2.4, ground - 9.2],
        ],
        0.9,
      ),
      palette.land[2],
    );
    canvas.fill(
      line(
        [
          [person - 0.7, ground - 4],
          [person - 1, ground],
        ],
        1,
      ),
      palette.land[2],
    );
    canvas.fill(
      line(
        [
          [person + 0.7, ground - 4],
          [person + 1.2, ground],
        ],
        1,
      ),
      palette.land[2],
    );
  },
};

function paintBalloon({ canvas, palette, random }: Easel, [x, y]: Point, size: number): void {
  const shades = random.chance(0.5) ? [palette.accent, palette.light] : [palette.land[1], palette.accent];
  const [first = palette.accent, second = palette.light] = shades;
  const half = (share: number) => size * Math.sin(Math.PI * Math.min(1, 0.12 + share * 0.8)) ** 0.75;
  const outline = (inner: number): Point[] => {
    const steps = Array.from({ length: 25 }, (_, index) => index / 24);
    const at = (share: number, side: number): Point => [x + side * half(share) * inner, y - size + 2.3 * size * share];
    return [...steps.map((share) => at(share, 1)), ...steps.toReversed().map((share) => at(share, -1))];
  };
  canvas.fill([outline(1)], { top: first, bottom: mix(first, palette.land[2], 0.3) });
  canvas.fill([outline(0.68)], { top: second, bottom: mix(second, palette.land[2], 0.25) });
  canvas.fill([outline(0.3)], { top: first, bottom: mix(first, palette.land[2], 0.3) });
  const basket = y + size * 1.62;
  for (const side of [-1, 1]) {
    canvas.fill(
      line(
        [
          [x + side * size * 0.3, y + size * 1.25],
          [x + side * size * 0.14, basket],
        ],
        size * 0.025,
      ),
      palette.land[2],
    );
  }
  canvas.fill(box(x - size * 0.17, basket, size * 0.34, size * 0.26), palette.land[2]);
}
