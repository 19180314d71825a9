import type { Canvas, Paint, Point, Shape } from './canvas.ts';
import type { Palette } from './palettes.ts';
import type { Random } from './random.ts';

/** Returns a rectangle. */
export function box(x: number, y: number, width: number, height: number): Shape {
  return [corners(x, y, width, height)];
}

/** Returns an ellipse, or a circle without `radiusY`. */
export function oval(x: number, y: number, radiusX: number, radiusY: number = radiusX): Shape {
  const count = 48;
  return [
    Array.from({ length: count }, (_, index): Point => {
      const angle = (index / count) * 2 * Math.PI;
      return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
    }),
  ];
}

/** Returns a line of some width with round ends through points. */
export function line(points: readonly Point[], width: number): Shape {
  return points.flatMap((point, index): Shape => {
    const joint = oval(point[0], point[1], width / 2);
    const next = points[index + 1];
    if (next === undefined) return joint;
    const length = Math.hypot(next[0] - point[0], next[1] - point[1]) || 1;
    const x = (-(next[1] - point[1]) / length) * (width / 2);
    const y = ((next[0] - point[0]) / length) * (width / 2);
    const side: Point[] = [
      [point[0] - x, point[1] - y],
      [next[0] - x, next[1] - y],
      [next[0] + x, next[1] + y],
      [point[0] + x, point[1] + y],
    ];
    // The same direction as an oval's, so that their overlap counts once.
    return [...joint, side];
  });
}

/** Returns everything below a curve that `heightAt` gives for each x. */
export function below({ width, height }: Canvas, heightAt: (x: number) => number): Shape {
  const steps = 160;
  const curve = Array.from({ length: steps + 1 }, (_, index): Point => {
    const x = (index / steps) * width;
    return [x, heightAt(x)];
  });
  return [[...curve, [width, height], [0, height]]];
}

/** Returns a curve of hills: `roughness` 0 is smooth, 1 is rocky. */
export function hills(random: Random, base: number, size: number, roughness: number): (x: number) => number {
  const waves = [55, 31, 17, 9, 4.7].map((length, octave) => ({
    length: length * random.between(0.8, 1.3),
    shift: random.between(0, 100),
    size: size * (octave === 0 ? 1 : roughness ** 0.7 * 0.55 ** octave),
  }));
  return (x) =>
    waves.reduce((sum, { length, shift, size: each }, octave) => {
      const place = (x + shift) / length;
      // Sharp triangles for rocks, waves for meadows.
      const triangle = 1 - 4 * Math.abs((place % 1) - 0.5);
      const smooth = Math.sin(place * 2 * Math.PI);
      return sum + each * (octave > 1 || roughness > 0.5 ? triangle * roughness + smooth * (1 - roughness) : smooth);
    }, base);
}

/** Fills the background with the sky, and returns the place of its sun. */
export function paintSky(canvas: Canvas, palette: Palette, random: Random, horizon: number): Point {
  const { width, height } = canvas;
  const [top, bottom] = palette.sky;
  canvas.fill(box(0, 0, width, horizon), { top, bottom });
  canvas.fill(box(0, horizon, width, height - horizon), bottom);
  return [width * random.between(0.2, 0.8), horizon * random.between(0.35, 0.75)];
}

/** Draws the sun or the moon with its glow. */
export function paintSun(canvas: Canvas, { sun }: Palette, place: Point, radius: number): void {
  canvas.glow(place, radius * 5, sun, 0.55);
  canvas.fill(oval(place[0], place[1], radius), sun);
}

/** Draws stars above the horizon. */
export function paintStars(canvas: Canvas, { light }: Palette, random: Random, horizon: number): void {
  for (let index = 0; index < 60; index++) {
    const place = [random.between(0, canvas.width), random.between(0, horizon)] as const;
    canvas.fill(oval(...place, random.between(0.15, 0.45)), light, random.between(0.3, 0.9));
  }
}

/** Draws flat clouds. */
export function paintClouds(canvas: Canvas, { light }: Palette, random: Random, horizon: number): void {
  const count = Math.round(random.between(2, 5));
  for (let index = 0; index < count; index++) {
    const [x, y] = [random.between(0, canvas.width), random.between(horizon * 0.1, horizon * 0.55)];
    const size = random.between(3, 6);
    const puffs = [-2.2, -1, 0.3, 1.6].map((shift) => oval(x + shift * size, y, size * 1.1, size * (0.5 + shift / 9)));
    canvas.fill([...puffs.flat(), ...box(x - 3 * size, y, 6 * size, size * 0.35)], light, 0.5);
  }
}

/** Draws birds as two short strokes each. */
export function paintBirds(canvas: Canvas, paint: Paint, random: Random, [x, y]: Point): void {
  for (let index = 0; index < 5; index++) {
    const [left, top, size] = [x + random.between(-18, 18), y + random.between(-9, 9), random.between(1, 2)];
    const wings: Point[] = [
      [left - size, top - size * 0.5],
      [left, top],
      [left + size, top - size * 0.6],
    ];
    canvas.fill(line(wings, 0.35), paint);
  }
}

function corners(x: number, y: number, width: number, height: number): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}
