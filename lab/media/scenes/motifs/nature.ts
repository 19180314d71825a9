import { type Colour, mix, type Point } from '../canvas.ts';
import { days, nights } from '../palettes.ts';
import { below, box, hills, line, oval, paintBirds, paintClouds, paintSky, paintStars, paintSun } from '../shapes.ts';
import type { Easel, Motif } from './motif.ts';

/** Mountain ridges that fade into haze. */
export const ridges: Motif = {
  palettes: [...days, ...nights],
  draw({ canvas, palette, random }) {
    const { height } = canvas;
    const sun = paintSky(canvas, palette, random, height);
    if (nights.includes(palette)) paintStars(canvas, palette, random, height * 0.5);
    paintSun(canvas, palette, [sun[0], height * random.between(0.22, 0.4)], random.between(6, 10));
    const count = 5;
    for (let index = 0; index < count; index++) {
      const share = index / (count - 1);
      const heightAt = hills(random, height * (0.46 + 0.11 * index), 11 - share * 3, 0.75 - share * 0.3);
      const top = landAt(palette.land, share);
      canvas.fill(below(canvas, heightAt), { top, bottom: mix(top, palette.sky[1], 0.35 * (1 - share)) });
    }
    if (random.chance(0.5)) paintBirds(canvas, palette.land[2], random, [sun[0] + 12, height * 0.3]);
  },
};

/** Rows of waves below a low sun. */
export const waves: Motif = {
  palettes: [...days, ...nights],
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const horizon = height * random.between(0.4, 0.52);
    const [x] = paintSky(canvas, palette, random, horizon);
    paintSun(canvas, palette, [x, horizon - random.between(-2, 10)], random.between(9, 14));
    canvas.fill(box(0, horizon, width, height - horizon), { top: palette.land[0], bottom: palette.land[1] });
    for (let index = 0; index < 9; index++) {
      const [y, reach] = [horizon + 1 + index * 1.6, 13 - index * 1.1 + random.between(-2, 3)];
      canvas.fill(box(x - reach, y, 2 * reach, 0.6), palette.sun, 0.5);
    }
    const rows = 6;
    for (let row = 0; row < rows; row++) {
      const share = row / (rows - 1);
      const base = horizon + (height - horizon) * (0.16 + 0.8 * share ** 1.3);
      const [length, shift] = [11 + 13 * share, random.between(0, 40)];
      // Round troughs and sharp crests.
      const heightAt = (each: number) =>
        base - (2 + 4.5 * share) * (1 - Math.abs(Math.sin(((each + shift) / length) * Math.PI)));
      canvas.fill(
        below(canvas, (each) => heightAt(each) - 0.5 - 0.5 * share),
        palette.light,
        0.35,
      );
      canvas.fill(below(canvas, heightAt), landAt(palette.land, 0.25 + 0.75 * share));
    }
    if (random.chance(0.6)) paintBoat({ canvas, palette, random }, [width * random.between(0.25, 0.75), horizon + 6]);
  },
};

/** Firs in layers of mist. */
export const forest: Motif = {
  palettes: [...days, ...nights],
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const sun = paintSky(canvas, palette, random, height);
    paintSun(canvas, palette, [sun[0], height * 0.3], random.between(7, 11));
    canvas.fill(below(canvas, hills(random, height * 0.52, 7, 0.5)), mix(palette.land[0], palette.sky[1], 0.45));
    const layers = 4;
    for (let layer = 0; layer < layers; layer++) {
      const share = layer / (layers - 1);
      const colour = landAt(palette.land, share);
      const ground = hills(random, height * (0.66 + 0.12 * layer), 3.5, 0.1);
      const size = 16 + 17 * share;
      for (let x = random.between(-6, 0); x < width + 6; x += random.between(0.3, 0.75) * size) {
        const tall = size * random.between(0.75, 1.35);
        canvas.fill(fir([x, ground(Math.max(0, Math.min(width, x))) + 2], tall), colour);
      }
      canvas.fill(below(canvas, ground), { top: colour, bottom: mix(colour, palette.sky[1], 0.3 * (1 - share)) });
    }
  },
};

/** Road through a desert with table mountains. */
export const road: Motif = {
  palettes: days,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const horizon = height * random.between(0.5, 0.58);
    const sun = paintSky(canvas, palette, random, horizon);
    paintSun(canvas, palette, [sun[0], horizon * 0.55], random.between(7, 12));
    paintClouds(canvas, palette, random, horizon);
    for (let index = 0; index < 3; index++) {
      const [x, wide, tall] = [width * random.between(-0.1, 0.95), random.between(16, 38), random.between(8, 21)];
      const mesa: Point[] = [
        [x - 4, horizon],
        [x, horizon - tall * 0.55],
        [x + 1.5, horizon - tall],
        [x + wide - 1.5, horizon - tall],
        [x + wide, horizon - tall * 0.55],
        [x + wide + 4, horizon],
      ];
      const top = landAt(palette.land, 0.2 * index);
      canvas.fill([mesa], { top, bottom: mix(top, palette.sky[1], 0.4) });
    }
    canvas.fill(box(0, horizon, width, height - horizon), { top: palette.land[0], bottom: palette.land[1] });
    canvas.fill(below(canvas, hills(random, horizon + 12, 3, 0)), palette.land[1], 0.45);
    const end = width * random.between(0.4, 0.6);
    const foot = height + 1;
    const strip = (left: number, right: number): Point[] => [
      [end + left * 0.02, horizon],
      [end + right * 0.02, horizon],
      [width / 2 + right, foot],
      [width / 2 + left, foot],
    ];
    canvas.fill([strip(-36, 36)], { top: mix(palette.land[2], palette.land[0], 0.4), bottom: palette.land[2] });
    canvas.fill([strip(-34.5, -33), strip(33, 34.5)], palette.light, 0.8);
    for (let dash = 0; dash < 7; dash++) {
      const [from, to] = [(dash / 7) ** 2.2, ((dash + 0.5) / 7) ** 2.2];
      const at = (share: number, side: number): Point => [
        end + (width / 2 - end) * share + side * 1.4 * (0.04 + share),
        horizon + (foot - horizon) * share,
      ];
      canvas.fill([[at(from, -1), at(from, 1), at(to, 1), at(to, -1)]], palette.accent);
    }
    for (let index = 0; index < 4; index++) {
      const left = random.chance(0.5);
      const x = left ? random.between(0, width * 0.22) : random.between(width * 0.78, width);
      paintCactus({ canvas, palette, random }, [x, random.between(horizon + 10, height * 0.86)]);
    }
  },
};

/** Fields in stripes below a rising sun. */
export const fields: Motif = {
  palettes: days,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const horizon = height * random.between(0.42, 0.52);
    const [x] = paintSky(canvas, palette, random, height * 0.7);
    paintSun(canvas, palette, [x, horizon - random.between(2, 12)], random.between(11, 16));
    paintClouds(canvas, palette, random, horizon);
    canvas.fill(below(canvas, hills(random, horizon, 4, 0.1)), mix(palette.land[0], palette.sky[1], 0.3));
    canvas.fill(below(canvas, hills(random, horizon + 8, 3, 0)), palette.land[0]);
    const start = horizon + 16;
    canvas.fill(below(canvas, hills(random, start, 1.5, 0)), palette.land[1]);
    const end = width * random.between(0.35, 0.65);
    const stripes = 15;
    for (let stripe = -stripes; stripe <= stripes; stripe++) {
      const foot = end + stripe * 17;
      const furrow: Point[] = [
        [end + stripe * 3.5, start + 1],
        [end + (stripe + 0.45) * 3.5, start + 1],
        [foot + 8, height + 1],
        [foot, height + 1],
      ];
      canvas.fill([furrow], stripe % 3 === 0 ? palette.accent : palette.land[2], stripe % 3 === 0 ? 0.75 : 0.6);
    }
    for (let index = 0; index < 7; index++) {
      const [tree, ground] = [random.between(0, width), horizon + random.between(8, 14)];
      canvas.fill(box(tree - 0.4, ground - 4, 0.8, 5), palette.land[2]);
      canvas.fill(oval(tree, ground - 6, random.between(2, 3.4), random.between(3, 5)), palette.land[2]);
    }
  },
};

/** Volcano with its smoke, mirrored in a lake. */
export const volcano: Motif = {
  palettes: [...days, ...nights],
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const shore = height * 0.68;
    const sun = paintSky(canvas, palette, random, shore);
    if (nights.includes(palette)) paintStars(canvas, palette, random, shore * 0.7);
    paintSun(canvas, palette, [sun[0], shore * 0.35], 6);
    const [x, tall, wide] = [width * random.between(0.38, 0.62), height * random.between(0.4, 0.48), 58];
    const puffs = Array.from({ length: 9 }, (_, puff) => {
      const size = 3 + puff * 1.25;
      return oval(x + puff * puff * 0.55, shore - tall - 2 - puff * 3, size, size * 0.8);
    });
    canvas.fill(puffs.flat(), palette.light, 0.45);
    canvas.glow([x, shore - tall], 20, palette.accent, 0.7);
    const slope = (share: number) => 4 + (wide - 4) * share ** 1.7;
    const steps = Array.from({ length: 21 }, (_, index) => index / 20);
    const cone: Point[] = [
      ...steps.map((share): Point => [x + slope(share), shore - tall * (1 - share)]),
      ...steps.toReversed().map((share): Point => [x - slope(share), shore - tall * (1 - share)]),
    ];
    canvas.fill([cone], { top: palette.land[1], bottom: palette.land[0] });
    const lit: Point[] = steps.map((share): Point => [x - slope(share), shore - tall * (1 - share)]);
    canvas.fill([[...lit, [x - 6, shore], [x - 2, shore - tall * 0.55], [x, shore - tall]]], palette.sun, 0.16);
    const lava: Point[] = [
      [x - 1, shore - tall],
      [x + 1.5, shore - tall * 0.8],
      [x - 0.5, shore - tall * 0.62],
      [x + 3, shore - tall * 0.42],
    ];
    canvas.fill(line(lava, 1.3), palette.accent);
    canvas.fill(oval(x, shore - tall, 4, 0.9), palette.accent);
    canvas.fill(box(0, shore, width, height - shore), {
      top: mix(palette.sky[1], palette.land[0], 0.4),
      bottom: palette.land[1],
    });
    for (let index = 0; index < 14; index++) {
      const [y, reach] = [shore + 2 + index * 2.3, random.between(4, 16)];
      canvas.fill(box(x + random.between(-22, 22) - reach, y, 2 * reach, 0.5), palette.light, 0.25);
    }
    canvas.fill(below(canvas, hills(random, height * 0.93, 4, 0.2)), palette.land[2]);
  },
};

/** Returns the colour of a layer: `share` 0 is the horizon, 1 the foreground. */
function landAt([far, middle, near]: Easel['palette']['land'], share: number): Colour {
  return share < 0.5 ? mix(far, middle, share * 2) : mix(middle, near, share * 2 - 1);
}

function fir([x, foot]: Point, tall: number): Point[][] {
  return [0, 1, 2, 3].map((tier): Point[] => {
    const [top, bottom] = [foot - tall * (1 - tier * 0.2), foot - tall * (0.58 - tier * 0.18)];
    const half = tall * (0.11 + 0.055 * tier);
    return [
      [x, top],
      [x + half, bottom],
      [x - half, bottom],
    ];
  });
}

function paintCactus({ canvas, palette, random }: Easel, [x, foot]: Point): void {
  const size = ((foot - canvas.height * 0.45) / canvas.height) * 34;
  const colour = palette.land[2];
  canvas.fill(
    line(
      [
        [x, foot],
        [x, foot - size],
      ],
      size * 0.17,
    ),
    colour,
  );
  for (const side of random.chance(0.5) ? [-1, 1] : [1]) {
    const [reach, low] = [x + side * size * 0.28, foot - size * random.between(0.3, 0.5)];
    canvas.fill(
      line(
        [
          [x, low],
          [reach, low],
          [reach, low - size * 0.3],
        ],
        size * 0.12,
      ),
      colour,
    );
  }
}

function paintBoat({ canvas, palette }: Easel, [x, y]: Point): void {
  const hull: Point[] = [
    [x - 6, y],
    [x + 6, y],
    [x + 4.2, y + 2.4],
    [x - 4.5, y + 2.4],
  ];
  canvas.fill(
    [
      [
        [x - 0.4, y - 1],
        [x - 0.4, y - 14],
        [x - 6, y - 1],
      ],
    ],
    palette.light,
  );
  canvas.fill(
    [
      [
        [x + 0.6, y - 1],
        [x + 0.6, y - 12],
        [x + 5, y - 1],
      ],
    ],
    palette.accent,
  );
  canvas.fill([hull], palette.land[2]);
}
