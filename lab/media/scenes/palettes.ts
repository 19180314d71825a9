import type { Colour } from './canvas.ts';

/** Colours of a scene. */
export interface Palette {
  readonly sky: readonly [top: Colour, bottom: Colour];
  /** Sun or moon, and its glow. */
  readonly sun: Colour;
  /** From the horizon to the foreground. */
  readonly land: readonly [far: Colour, middle: Colour, near: Colour];
  /** The thing that the eye should find first. */
  readonly accent: Colour;
  readonly light: Colour;
}

/** The palettes of daylight and twilight. */
export const days: readonly [Palette, ...Palette[]] = [
  { sky: [0x33306b, 0xf5a17c], sun: 0xffe2a8, land: [0x8a5a86, 0x553d70, 0x2a2350], accent: 0xffb45e, light: 0xffe9cf },
  { sky: [0x82bcd6, 0xfce6d2], sun: 0xfff6dc, land: [0x86aabb, 0x4c7d95, 0x234b66], accent: 0xe4684a, light: 0xffffff },
  { sky: [0x3a8bd0, 0xd3edf8], sun: 0xfff7d2, land: [0x86bb94, 0x45906c, 0x1f5c4d], accent: 0xf4b942, light: 0xffffff },
  { sky: [0x5d2b62, 0xf9b8b0], sun: 0xffdccb, land: [0xb05d84, 0x7b3b6d, 0x41214e], accent: 0xffd166, light: 0xfff0ea },
  { sky: [0x1c6b77, 0xcdeedb], sun: 0xfffbe2, land: [0x6fb3a4, 0x32807f, 0x12474f], accent: 0xf27a54, light: 0xf6fff8 },
  { sky: [0xcb5440, 0xffdca6], sun: 0xfff3cf, land: [0xbd6042, 0x833d37, 0x47232c], accent: 0x2a8790, light: 0xfff1db },
  { sky: [0x5a6b86, 0xdfe4ea], sun: 0xffffff, land: [0x8e9cae, 0x566880, 0x28364b], accent: 0xe0673c, light: 0xf7f9fb },
  { sky: [0xe9b673, 0xfdf2d8], sun: 0xfffdf0, land: [0xcf813f, 0x914c2c, 0x4a2922], accent: 0x2c6f6b, light: 0xfff8e8 },
];

/** The palettes of the night. */
export const nights: readonly [Palette, ...Palette[]] = [
  { sky: [0x0a1231, 0x3a4f8c], sun: 0xf4f1da, land: [0x2b3e75, 0x192853, 0x0b1330], accent: 0xffcf70, light: 0xffe3a3 },
  { sky: [0x1d1544, 0x9a6fc4], sun: 0xfbe9ff, land: [0x553a8a, 0x35245f, 0x170f35], accent: 0xff8fa8, light: 0xffd9b8 },
  { sky: [0x06222b, 0x23707a], sun: 0xe9fff7, land: [0x1b525c, 0x103640, 0x061a22], accent: 0xf7b267, light: 0xffe8b5 },
  { sky: [0x2a0f33, 0xd1495b], sun: 0xffdfb0, land: [0x7d2a52, 0x4b1a40, 0x210a26], accent: 0xffc857, light: 0xffe0a6 },
];

/** Flat colours for scenes without a sky: `sky` is the wall. */
export const rooms: readonly [Palette, ...Palette[]] = [
  { sky: [0xf3d9c4, 0xf7e6d6], sun: 0xfff8ee, land: [0x8f4f3c, 0xd98a5b, 0x3f2b32], accent: 0xd8483e, light: 0xfffaf2 },
  { sky: [0xbfd8d2, 0xd5e7e1], sun: 0xf6fffb, land: [0x2f6f6d, 0xe0a458, 0x1f3f4a], accent: 0xe76f51, light: 0xffffff },
  { sky: [0xf2c14e, 0xf7d57e], sun: 0xfff4d0, land: [0x3d5a80, 0xee6c4d, 0x293241], accent: 0xd7263d, light: 0xfffdf4 },
  { sky: [0x33415c, 0x4a5b7d], sun: 0xdce4f2, land: [0xd98c5f, 0x7d8597, 0x1c2436], accent: 0xffb703, light: 0xf5f7fb },
  { sky: [0xe6c9d6, 0xf3e0e8], sun: 0xfff5fa, land: [0x6d597a, 0xb56576, 0x35304f], accent: 0xe56b6f, light: 0xffffff },
];
