import { mix, type Point } from '../canvas.ts';
import { days, nights } from '../palettes.ts';
import { below, box, hills, line, oval, paintBirds, paintClouds, paintSky, paintStars, paintSun } from '../shapes.ts';
import type { Motif } from './motif.ts';

/** Suspension bridge over water. */
export const bridge: Motif = {
  palettes: [...days, ...nights],
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const water = height * 0.7;
    const sun = paintSky(canvas, palette, random, water);
    if (nights.includes(palette)) paintStars(canvas, palette, random, water * 0.6);
    paintSun(canvas, palette, [sun[0], water * random.between(0.35, 0.75)], random.between(7, 12));
    canvas.fill(below(canvas, hills(random, water - 7, 6, 0.5)), mix(palette.land[0], palette.sky[1], 0.35));
    canvas.fill(box(0, water, width, height - water), { top: palette.land[0], bottom: palette.land[1] });
    for (let index = 0; index < 26; index++) {
      const [x, y, reach] = [random.between(0, width), random.between(water + 2, height), random.between(2, 9)];
      canvas.fill(box(x - reach, y, 2 * reach, 0.5), palette.light, 0.22);
    }
    const deck = water - 9;
    const top = deck - height * random.between(0.34, 0.42);
    const towers = [width * random.between(0.16, 0.26), width * random.between(0.7, 0.82)] as const;
    const span = towers[1] - towers[0];
    const cable = (x: number) => {
      const share = ((((x - towers[0]) / span) % 1) + 1) % 1;
      return deck - 2 - (deck - 2 - top) * (2 * share - 1) ** 2;
    };
    const points = Array.from(
      { length: 121 },
      (_, index): Point => [(index / 120) * width, cable((index / 120) * width)],
    );
    const paint = palette.accent;
    for (let x = towers[0] % 4; x < width; x += 4)
      canvas.fill(box(x - 0.15, cable(x), 0.3, deck - cable(x)), paint, 0.8);
    canvas.fill(line(points, 0.9), paint);
    for (const x of towers) {
      const shade = mix(paint, palette.land[2], 0.25);
      canvas.fill([...box(x - 3.4, top - 3, 2, water - top + 6), ...box(x + 1.4, top - 3, 2, water - top + 6)], shade);
      for (const y of [top - 1, top + (deck - top) * 0.4, deck + 3]) canvas.fill(box(x - 3.4, y, 6.8, 1.8), shade);
      canvas.fill(box(x - 5.5, water - 0.5, 11, 3), palette.land[2]);
    }
    canvas.fill(box(0, deck, width, 2.2), mix(paint, palette.land[2], 0.35));
    canvas.fill(below(canvas, hills(random, height * 0.96, 5, 0.3)), palette.land[2]);
    if (random.chance(0.6)) paintBirds(canvas, palette.land[2], random, [width / 2, height * 0.22]);
  },
};

/** City at night or at dusk, with lit windows. */
export const skyline: Motif = {
  palettes: nights,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const sun = paintSky(canvas, palette, random, height);
    paintStars(canvas, palette, random, height * 0.5);
    paintSun(canvas, palette, [sun[0], height * random.between(0.18, 0.35)], random.between(5, 9));
    for (const [layer, colour] of palette.land.entries()) {
      const share = layer / 2;
      for (let x = random.between(-6, 0); x < width; ) {
        const wide = random.between(7, 13) * (0.8 + 0.35 * share);
        const tall = height * random.between(0.3, 0.62) * (1 - 0.3 * share);
        const top = height - tall;
        canvas.fill(box(x, top, wide, tall), { top: colour, bottom: mix(colour, palette.sky[1], 0.25 * (1 - share)) });
        const roof = random.of(['mast', 'tank', 'flat', 'flat'] as const);
        if (roof === 'mast') canvas.fill(box(x + wide / 2 - 0.3, top - random.between(4, 9), 0.6, 10), colour);
        if (roof === 'tank') canvas.fill(box(x + wide * 0.2, top - 3, wide * 0.6, 3.2), colour);
        if (layer > 0) {
          for (let y = top + 2.5; y < height; y += 3.4) {
            for (let window = x + 1.3; window < x + wide - 1.8; window += 2.6) {
              if (random.chance(0.42)) canvas.fill(box(window, y, 1.3, 1.7), palette.light, random.between(0.35, 0.95));
            }
          }
        }
        x += wide + random.between(0, 1.5) * (1 + layer);
      }
    }
  },
};

/** Lighthouse on a cliff. */
export const lighthouse: Motif = {
  palettes: [...days, ...nights],
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const horizon = height * 0.66;
    const sun = paintSky(canvas, palette, random, horizon);
    const isNight = nights.includes(palette);
    if (isNight) paintStars(canvas, palette, random, horizon);
    paintSun(canvas, palette, [sun[0], horizon * 0.4], random.between(5, 8));
    if (!isNight) paintClouds(canvas, palette, random, horizon);
    canvas.fill(box(0, horizon, width, height - horizon), { top: palette.land[0], bottom: palette.land[1] });
    for (let index = 0; index < 24; index++) {
      const reach = random.between(2, 8);
      canvas.fill(box(random.between(0, width), random.between(horizon + 1, height), reach, 0.5), palette.light, 0.25);
    }
    const right = random.chance(0.5);
    const x = width * (right ? 0.7 : 0.3);
    const cliff = (each: number) => {
      const share = Math.max(0, 1 - Math.abs(each - x) / (right === each > x ? 90 : 42));
      return height + 4 - (height - horizon + 14) * Math.min(1, share * 1.9) ** 0.8;
    };
    const foot = cliff(x);
    const top = foot - height * 0.42;
    if (isNight) {
      const far = right ? -1 : 1;
      canvas.fill(
        [
          [
            [x, top - 3],
            [x + far * 200, top - 45],
            [x + far * 200, top + 25],
          ],
        ],
        palette.light,
        0.28,
      );
    }
    const tower = (from: number, to: number): Point[] => {
      const half = (share: number) => 3.2 + 2.6 * share;
      const y = (share: number) => top + (foot + 2 - top) * share;
      return [
        [x - half(from), y(from)],
        [x + half(from), y(from)],
        [x + half(to), y(to)],
        [x - half(to), y(to)],
      ];
    };
    canvas.fill([tower(0, 1)], palette.light);
    for (const stripe of [0.12, 0.45, 0.78]) canvas.fill([tower(stripe, stripe + 0.17)], palette.accent);
    canvas.fill(box(x - 4.4, top - 1, 8.8, 1.4), palette.land[2]);
    canvas.fill(box(x - 2.4, top - 6, 4.8, 5), isNight ? palette.light : palette.land[1]);
    canvas.fill(
      [
        [
          [x - 3.6, top - 6],
          [x, top - 10],
          [x + 3.6, top - 6],
        ],
      ],
      palette.accent,
    );
    canvas.glow([x, top - 3.5], isNight ? 26 : 8, palette.light, 0.8);
    canvas.fill(below(canvas, cliff), { top: palette.land[1], bottom: palette.land[2] });
    if (!isNight) paintBirds(canvas, palette.land[2], random, [width - x, horizon * 0.5]);
  },
};

/** Windmill behind a field of flowers. */
export const mill: Motif = {
  palettes: days,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const horizon = height * 0.7;
    const sun = paintSky(canvas, palette, random, horizon);
    paintSun(canvas, palette, [sun[0], horizon * 0.5], random.between(8, 12));
    paintClouds(canvas, palette, random, horizon);
    canvas.fill(below(canvas, hills(random, horizon, 3, 0)), palette.land[0]);
    const [x, foot, tall] = [width * random.between(0.3, 0.7), horizon + 6, 40];
    const top = foot - tall;
    canvas.fill(
      [
        [
          [x - 6, top],
          [x + 6, top],
          [x + 10, foot],
          [x - 10, foot],
        ],
      ],
      { top: palette.light, bottom: mix(palette.light, palette.land[0], 0.4) },
    );
    canvas.fill(oval(x, top, 6.2, 5), palette.accent);
    canvas.fill(box(x - 6.2, top, 12.4, 1.6), palette.accent);
    canvas.fill([...box(x - 2.2, foot - 9, 4.4, 9), ...oval(x, foot - 9, 2.2)], palette.land[2]);
    canvas.fill(oval(x, foot - 22, 1.6), palette.land[2]);
    const turn = random.between(0.2, 1.3);
    for (let blade = 0; blade < 4; blade++) {
      const angle = turn + (blade * Math.PI) / 2;
      const at = (along: number, across: number): Point => [
        x + along * Math.cos(angle) - across * Math.sin(angle),
        top + along * Math.sin(angle) + across * Math.cos(angle),
      ];
      canvas.fill([[at(5, 0), at(27, 0), at(27, 5), at(5, 4)]], palette.land[1], 0.85);
      for (let rib = 8; rib < 27; rib += 4) canvas.fill(line([at(rib, 0), at(rib, 4.6)], 0.4), palette.light);
      canvas.fill(line([at(0, 0), at(28, 0)], 1), palette.land[2]);
    }
    canvas.fill(oval(x, top, 1.7), palette.land[2]);
    canvas.fill(below(canvas, hills(random, foot, 1.5, 0)), { top: palette.land[1], bottom: palette.land[2] });
    for (let row = 0; row < 6; row++) {
      const y = foot + 4 + row * row * 1.15 + row * 2;
      const size = 0.7 + row * 0.42;
      for (let flower = random.between(-2, 1); flower < width; flower += size * random.between(2.2, 3.6)) {
        canvas.fill(
          oval(flower, y + random.between(-1, 1), size, size * 0.85),
          row % 2 === 0 ? palette.accent : palette.light,
        );
      }
    }
  },
};
