import { mix, type Point } from '../canvas.ts';
import { rooms } from '../palettes.ts';
import { box, line, oval } from '../shapes.ts';
import type { Easel, Motif } from './motif.ts';

/** Kitchen table with a vase, fruit and a cup in front of a window. */
export const table: Motif = {
  palettes: rooms,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const edge = height * 0.72;
    paintRoom({ canvas, palette, random }, edge);
    const middle = width / 2 + random.between(-8, 8);
    paintWindow({ canvas, palette, random }, [middle + random.between(-26, 10), height * 0.14], height * 0.42);
    const vase = middle - 14;
    for (let stem = 0; stem < 5; stem++) {
      const tip: Point = [vase + (stem - 2) * 6, edge - 42 - random.between(0, 9) + Math.abs(stem - 2) * 4];
      canvas.fill(line([[vase, edge - 16], [vase + (stem - 2) * 2, edge - 28], tip], 0.8), palette.land[0]);
      for (let petal = 0; petal < 5; petal++) {
        const angle = (petal / 5) * 2 * Math.PI;
        canvas.fill(oval(tip[0] + 2.3 * Math.cos(angle), tip[1] + 2.3 * Math.sin(angle), 2.1), palette.accent);
      }
      canvas.fill(oval(tip[0], tip[1], 1.5), palette.light);
    }
    canvas.fill(
      [...oval(vase, edge - 7, 8, 9), ...box(vase - 3.4, edge - 22, 6.8, 12), ...oval(vase, edge - 22, 4.4, 1)],
      palette.land[0],
    );
    canvas.fill(oval(vase - 3, edge - 9, 1.5, 4.5), palette.light, 0.35);
    const bowl = middle + 18;
    for (const [shift, lift, colour] of [
      [-6, 9, palette.accent],
      [6, 9, palette.land[1]],
      [0, 12.5, palette.light],
    ] as const) {
      canvas.fill(oval(bowl + shift, edge - lift, 5.2), mix(colour, palette.accent, shift === 0 ? 0.35 : 0));
      canvas.fill(oval(bowl + shift - 1.6, edge - lift - 1.8, 1.3), palette.light, 0.5);
    }
    const rim = Array.from({ length: 25 }, (_, index): Point => {
      const angle = (index / 24) * Math.PI;
      return [bowl + 14 * Math.cos(angle), edge - 8 + 9.5 * Math.sin(angle)];
    });
    canvas.fill([rim], palette.land[2]);
    if (width > 130) {
      const cup = middle + 46;
      canvas.fill(
        line(
          [
            [cup + 5, edge - 8],
            [cup + 8.4, edge - 7],
            [cup + 8, edge - 3],
            [cup + 5, edge - 2.4],
          ],
          1.3,
        ),
        palette.light,
      );
      canvas.fill(
        [
          [
            [cup - 6, edge - 10],
            [cup + 6, edge - 10],
            [cup + 4.6, edge + 1],
            [cup - 4.6, edge + 1],
          ],
        ],
        palette.light,
      );
      for (const steam of [-2, 2]) {
        const wisp = Array.from(
          { length: 9 },
          (_, step): Point => [cup + steam + Math.sin(step * 0.9), edge - 13 - step * 1.4],
        );
        canvas.fill(line(wisp, 0.7), palette.light, 0.55);
      }
    }
  },
};

/** Round shapes and bars in balance. */
export const shapes: Motif = {
  palettes: rooms,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const colours = [...palette.land, palette.accent, palette.light] as const;
    canvas.fill(box(0, 0, width, height), { top: palette.sky[0], bottom: palette.sky[1] });
    const cell = canvas.height / (height > width ? 4 : 3);
    for (let top = 0; top < height; top += cell) {
      for (let left = 0; left < width; left += cell) {
        const [paint, other] = [random.of(colours), random.of(colours)];
        const kind = random.of(['quarter', 'circle', 'half', 'bars', 'rings', 'none'] as const);
        const [x, y] = [left + cell / 2, top + cell / 2];
        if (kind === 'none') continue;
        if (kind !== 'circle') canvas.fill(box(left, top, cell + 0.1, cell + 0.1), paint);
        else canvas.fill(oval(x, y, cell * 0.42), paint);
        if (kind === 'quarter')
          canvas.fill([quarter([random.chance(0.5) ? left : left + cell, top], cell, x, y)], other);
        if (kind === 'half')
          canvas.fill([quarter([left, top], cell / 2, x, y), quarter([left + cell, top], cell / 2, x, y)], other);
        if (kind === 'bars')
          for (let bar = 0; bar < 3; bar++)
            canvas.fill(box(left + ((2 * bar + 0.5) * cell) / 6, top, cell / 6, cell), other);
        if (kind === 'rings')
          for (const [share, each] of [
            [0.45, other],
            [0.3, paint],
            [0.15, other],
          ] as const)
            canvas.fill(oval(x, y, cell * share), each);
      }
    }
  },
};

/** Clock on a wall above a sideboard. */
export const clock: Motif = {
  palettes: rooms,
  draw({ canvas, palette, random }) {
    const { width, height } = canvas;
    const edge = height * 0.84;
    paintRoom({ canvas, palette, random }, edge);
    const [x, y, size] = [width * random.between(0.4, 0.6), height * 0.43, 30];
    canvas.fill(oval(x + 1.5, y + 2, size), palette.land[2], 0.25);
    canvas.fill(oval(x, y, size), palette.land[0]);
    canvas.fill(oval(x, y, size - 3.5), palette.light);
    const at = (turn: number, reach: number): Point => [
      x + reach * Math.sin(turn * 2 * Math.PI),
      y - reach * Math.cos(turn * 2 * Math.PI),
    ];
    for (let hour = 0; hour < 12; hour++) {
      const long = hour % 3 === 0;
      canvas.fill(
        line([at(hour / 12, size - 6), at(hour / 12, size - (long ? 10 : 8))], long ? 1.4 : 0.8),
        palette.land[2],
      );
    }
    const time = random.between(0, 1);
    canvas.fill(line([at(time + 0.5, 3), at(time, 13)], 2), palette.land[2]);
    canvas.fill(line([at(time * 12 + 0.5, 3), at(time * 12, 20)], 1.4), palette.land[2]);
    canvas.fill(line([at(time * 47 + 0.5, 5), at(time * 47, 22)], 0.6), palette.accent);
    canvas.fill(oval(x, y, 1.9), palette.accent);
    const plant = x + (random.chance(0.5) ? -1 : 1) * Math.min(52, width * 0.36);
    for (let leaf = 0; leaf < 7; leaf++) {
      const angle = -Math.PI / 2 + (leaf - 3) * 0.33;
      const reach = random.between(17, 25);
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      const foot = edge - 10;
      const tip: Point = [plant + dx * reach, foot + dy * reach];
      const bend = (side: number): Point => [
        plant + dx * reach * 0.5 - dy * side * 3,
        foot + dy * reach * 0.5 + dx * side * 3,
      ];
      canvas.fill(
        [[[plant, foot], bend(1), tip, bend(-1)]],
        leaf % 2 === 0 ? palette.land[0] : mix(palette.land[0], palette.light, 0.25),
      );
    }
    canvas.fill(
      [
        [
          [plant - 7, edge - 11],
          [plant + 7, edge - 11],
          [plant + 5, edge + 1],
          [plant - 5, edge + 1],
        ],
      ],
      palette.accent,
    );
  },
};

function paintRoom({ canvas, palette }: Easel, edge: number): void {
  const { width, height } = canvas;
  canvas.fill(box(0, 0, width, edge), { top: palette.sky[0], bottom: palette.sky[1] });
  canvas.fill(box(0, edge, width, height - edge), {
    top: palette.land[1],
    bottom: mix(palette.land[1], palette.land[2], 0.35),
  });
  canvas.fill(box(0, edge, width, 1.6), palette.light, 0.25);
}

function paintWindow({ canvas, palette }: Easel, [x, y]: Point, tall: number): void {
  const wide = tall * 0.8;
  canvas.fill(box(x - 1.6, y - 1.6, wide + 3.2, tall + 3.2), palette.light);
  canvas.fill(box(x, y, wide, tall), { top: mix(palette.sun, palette.land[0], 0.25), bottom: palette.sun });
  canvas.fill(oval(x + wide * 0.68, y + tall * 0.33, tall * 0.12), palette.accent, 0.75);
  canvas.fill([...box(x + wide / 2 - 0.8, y, 1.6, tall), ...box(x, y + tall / 2 - 0.8, wide, 1.6)], palette.light);
  canvas.fill(box(x - 3.4, y + tall + 1.2, wide + 6.8, 2), palette.light);
}

/** Returns the quarter of a disc around a corner of a cell, towards the cell's middle. */
function quarter([cornerX, cornerY]: Point, size: number, x: number, y: number): Point[] {
  const [right, down] = [Math.sign(x - cornerX), Math.sign(y - cornerY)];
  const arc = Array.from({ length: 17 }, (_, index): Point => {
    const angle = (index / 16) * (Math.PI / 2);
    return [cornerX + right * size * Math.cos(angle), cornerY + down * size * Math.sin(angle)];
  });
  return [[cornerX, cornerY], ...arc];
}
