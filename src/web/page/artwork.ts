/** Paths of the logo, a wheel in a stream, in a box of 32 by 32. The wheel also has a circle around (16, 13). */
export const logo = {
  spokes: 'M16 2v22M5 13h22M8.2 5.2l15.6 15.6M23.8 5.2L8.2 20.8',
  stream: 'M1 25c3-2.4 5-2.4 7.5 0s4.5 2.4 7.5 0 4.5-2.4 7.5 0 4.5 2.4 7.5 0',
} as const;

/** Path of the spokes of the wheel on the start page, in a box of 100 by 100: from its hub (radius 6) to its rim (36). */
export const wheelSpokes =
  'M50 14v30M50 56v30M14 50h30M56 50h30M24.5 24.5l21.3 21.3M54.2 54.2l21.3 21.3M75.5 24.5L54.2 45.8M45.8 54.2L24.5 75.5';

/** Paths of the waves at the end of the band, from back to front, in a box of 1440 by 60. */
export const waves: readonly string[] = [
  'M0 30c160-26 320-26 480 0s320 26 480 0 320-26 480 0v30H0z',
  'M0 42c180 20 300 20 480 0s300-20 480 0 300 20 480 0v18H0z',
];
