/** Paths of the logo, a wheel in a stream, in a box of 32 by 32. The wheel also has a circle around (16, 13). */
export const logo = {
  spokes: 'M16 2v22M5 13h22M8.2 5.2l15.6 15.6M23.8 5.2L8.2 20.8',
  stream: 'M1 25c3-2.4 5-2.4 7.5 0s4.5 2.4 7.5 0 4.5-2.4 7.5 0 4.5 2.4 7.5 0',
} as const;

/** Path of one of the waves below the header, in a box of 48 by 14. */
export const wave = 'M-12 7q12 -9 24 0t24 0t24 0';
