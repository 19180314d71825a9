/** Point in units of the canvas. */
export type Point = readonly [x: number, y: number];
/** Closed polygons; what several of them cover is filled once. */
export type Shape = readonly (readonly Point[])[];
/** Colour as 0xRRGGBB. */
export type Colour = number;

/** Fill: one colour, or a gradient from the top of the shape to its bottom. */
export type Paint = Colour | { readonly top: Colour; readonly bottom: Colour };

/** Drawing surface whose shorter side is {@link unit} units long. */
export interface Canvas {
  /** Width in units. */
  readonly width: number;
  /** Height in units. */
  readonly height: number;
  /** Fills a shape with antialiased edges. `opacity` is from 0 to 1. */
  fill(shape: Shape, paint: Paint, opacity?: number): void;
  /** Adds a round light that fades from its centre to its radius. */
  glow(centre: Point, radius: number, colour: Colour, opacity: number): void;
  /** Returns the pixels as planar YUV 4:2:0 with full range, which JPEG uses. */
  pixels(): Buffer;
}

/** Length of the shorter side of a canvas. */
export const unit = 100;
/** Scanlines per row of pixels. */
const scanlines = 4;

/** Returns an empty canvas. `width` and `height` are in pixels. */
export function createCanvas(width: number, height: number): Canvas {
  const scale = Math.min(width, height) / unit;
  const rgb = new Float32Array(width * height * 3);

  const blend = (index: number, colour: Colour, opacity: number) => {
    for (let channel = 0; channel < 3; channel++) {
      const old = rgb[index + channel] ?? 0;
      rgb[index + channel] = old + (part(colour, channel) - old) * opacity;
    }
  };

  return {
    width: width / scale,
    height: height / scale,
    fill(shape, paint, opacity = 1) {
      const edges = edgesOf(shape, scale);
      const first = Math.max(0, Math.floor(Math.min(...edges.map(({ top }) => top))));
      const end = Math.min(height, Math.ceil(Math.max(...edges.map(({ bottom }) => bottom))));
      const coverage = new Float32Array(width);
      for (let row = first; row < end; row++) {
        coverage.fill(0);
        for (let line = 0; line < scanlines; line++) cover(coverage, edges, row + (line + 0.5) / scanlines);
        const colour =
          typeof paint === 'number' ? paint : mix(paint.top, paint.bottom, (row - first) / Math.max(1, end - first));
        for (let column = 0; column < width; column++) {
          const share = coverage[column] ?? 0;
          if (share > 0) blend((row * width + column) * 3, colour, Math.min(1, share / scanlines) * opacity);
        }
      }
    },
    glow([x, y], radius, colour, opacity) {
      const [centreX, centreY, reach] = [x * scale, y * scale, radius * scale];
      const range = (centre: number, limit: number) =>
        [Math.max(0, Math.floor(centre - reach)), Math.min(limit, Math.ceil(centre + reach))] as const;
      const [[left, right], [top, bottom]] = [range(centreX, width), range(centreY, height)];
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) {
          const distance = Math.hypot(column + 0.5 - centreX, row + 0.5 - centreY) / reach;
          if (distance < 1) blend((row * width + column) * 3, colour, opacity * (1 - distance) ** 2);
        }
      }
    },
    pixels: () => planes(rgb, width, height),
  };
}

/** Returns the colour between two colours: `share` 0 is the first, 1 the second. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const channel = (index: number) =>
    Math.round(part(first, index) + (part(second, index) - part(first, index)) * Math.min(1, Math.max(0, share)));
  return channel(0) * 0x10000 + channel(1) * 0x100 + channel(2);
}

interface Edge {
  readonly top: number;
  readonly bottom: number;
  readonly x: number;
  /** Pixels to the right per pixel down. */
  readonly slope: number;
  /** 1 if the polygon goes down here, -1 if it goes up. */
  readonly winding: 1 | -1;
}

function edgesOf(shape: Shape, scale: number): Edge[] {
  return shape.flatMap((polygon) =>
    polygon.flatMap((from, index): Edge[] => {
      const to = polygon[(index + 1) % polygon.length] ?? from;
      const [upper, lower] = from[1] < to[1] ? [from, to] : [to, from];
      if (upper[1] === lower[1]) return [];
      const slope = (lower[0] - upper[0]) / (lower[1] - upper[1]);
      const winding = upper === from ? 1 : -1;
      return [{ top: upper[1] * scale, bottom: lower[1] * scale, x: upper[0] * scale, slope, winding }];
    }),
  );
}

/** Adds the part of each pixel that one scanline of a shape covers. */
function cover(coverage: Float32Array, edges: readonly Edge[], y: number): void {
  const crossings = edges
    .filter(({ top, bottom }) => top <= y && y < bottom)
    .map(({ top, x, slope, winding }) => ({ x: x + (y - top) * slope, winding }))
    .sort((a, b) => a.x - b.x);
  let winding = 0;
  let start = 0;
  for (const crossing of crossings) {
    if (winding === 0) start = crossing.x;
    winding += crossing.winding;
    if (winding === 0) addSpan(coverage, Math.max(0, start), Math.min(coverage.length, crossing.x));
  }
}

function addSpan(coverage: Float32Array, from: number, to: number): void {
  for (let column = Math.floor(from); column < to; column++) {
    coverage[column] = (coverage[column] ?? 0) + Math.min(to, column + 1) - Math.max(from, column);
  }
}

/** Returns one channel of a colour: 0 is red, 1 green, 2 blue. */
function part(colour: Colour, channel: number): number {
  return (colour >> (16 - 8 * channel)) & 0xff;
}

/** Converts pixels by the matrix of JPEG (BT.601); each chroma sample is that of the upper left pixel of four. */
function planes(rgb: Float32Array, width: number, height: number): Buffer {
  const [halfWidth, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const bytes = Buffer.alloc(width * height + 2 * halfWidth * halfHeight);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const index = row * width + column;
      const [red, green, blue] = [rgb[3 * index] ?? 0, rgb[3 * index + 1] ?? 0, rgb[3 * index + 2] ?? 0];
      const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
      bytes[index] = Math.round(luma);
      if (row % 2 === 1 || column % 2 === 1) continue;
      const chroma = width * height + (row / 2) * halfWidth + column / 2;
      bytes[chroma] = Math.round(128 + 0.564 * (blue - luma));
      bytes[chroma + halfWidth * halfHeight] = Math.round(128 + 0.713 * (red - luma));
    }
  }
  return bytes;
}
