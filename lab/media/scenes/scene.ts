import { createCanvas } from './canvas.ts';
import { paintCaption } from './captions.ts';
import { balloons, kites, lanterns } from './motifs/aloft.ts';
import { bridge, lighthouse, mill, skyline } from './motifs/built.ts';
import { clock, shapes, table } from './motifs/indoors.ts';
import type { Motif } from './motifs/motif.ts';
import { fields, forest, ridges, road, volcano, waves } from './motifs/nature.ts';
import { paintPortrait } from './portrait.ts';
import { randomOf } from './random.ts';

const motifs = {
  balloons,
  bridge,
  clock,
  fields,
  forest,
  kites,
  lanterns,
  lighthouse,
  mill,
  ridges,
  road,
  shapes,
  skyline,
  table,
  volcano,
  waves,
} as const satisfies Record<string, Motif>;

export type MotifName = keyof typeof motifs;

/** Names of the motifs. */
export const motifNames = Object.keys(motifs).filter(isMotif);

/** What a scene shows: a motif, or somebody's profile picture. */
export type Subject = MotifName | 'portrait';

/** Returns whether a subject has this name. */
export function isSubject(name: string): name is Subject {
  return name === 'portrait' || isMotif(name);
}

/** Illustration in one size. Equal scenes have equal pixels. */
export interface Scene {
  readonly subject: Subject;
  readonly seed: string;
  /** Whether it may have a few words on it, as thumbnails of videos have. */
  readonly isThumbnail: boolean;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
}

/** Draws a scene, and returns its pixels as planar YUV 4:2:0 with full range. */
export function drawScene({ subject, seed, isThumbnail, width, height }: Scene): Buffer {
  const canvas = createCanvas(width, height);
  const random = randomOf(`${subject}/${seed}`);
  if (subject === 'portrait') {
    paintPortrait(canvas, random);
  } else {
    const motif: Motif = motifs[subject];
    const palette = random.of(motif.palettes);
    motif.draw({ canvas, palette, random });
    if (isThumbnail && random.chance(0.3)) paintCaption(canvas, palette, random);
  }
  return canvas.pixels();
}

function isMotif(name: string): name is MotifName {
  return Object.hasOwn(motifs, name);
}
