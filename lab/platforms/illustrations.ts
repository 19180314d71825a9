import type { MotifName, Subject } from '../media/scenes/scene.ts';
import { type Topic, topicOf } from './headlines.ts';
import { choose, pick } from './seeded.ts';

/** Size of an image in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Motifs that suit a topic. */
const motifsOf: Readonly<Record<Topic, readonly [MotifName, ...MotifName[]]>> = {
  bridges: ['bridge', 'bridge', 'bridge', 'skyline', 'ridges', 'waves', 'lighthouse', 'balloons'],
  clocks: ['clock', 'table', 'shapes', 'skyline'],
  deserts: ['road', 'ridges', 'balloons', 'volcano'],
  engines: ['shapes', 'road', 'skyline', 'bridge'],
  forests: ['forest', 'ridges', 'fields', 'lanterns'],
  gardens: ['fields', 'mill', 'table', 'forest'],
  harbours: ['lighthouse', 'waves', 'skyline', 'bridge'],
  islands: ['volcano', 'waves', 'lighthouse', 'kites'],
  kites: ['kites', 'balloons', 'fields', 'waves'],
  lanterns: ['lanterns', 'skyline', 'table', 'ridges'],
  mills: ['mill', 'fields', 'clock', 'bridge'],
  orchards: ['table', 'fields', 'forest', 'mill'],
  pianos: ['shapes', 'table', 'clock', 'lanterns'],
  rivers: ['bridge', 'ridges', 'forest', 'balloons'],
  trains: ['bridge', 'road', 'skyline', 'fields'],
  volcanoes: ['volcano', 'ridges', 'waves', 'road'],
};

/** Number of different illustrations of each subject. */
const variants = 200;

/** Returns the name of the file with the illustration of an item: the same in every size. */
export function illustration(id: string, size: Size, topic: Topic = topicOf(id)): string {
  return fileOf(choose(motifsOf[topic], 'motif', id), id, size);
}

/** Returns the name of the file with the thumbnail of a video: its illustration, which may have a few words on it. */
export function thumbnail(id: string, size: Size, topic?: Topic): string {
  return illustration(id, size, topic).replace('scene', 'thumbnail');
}

/** Returns the name of the file with somebody's profile picture, which is a square. */
export function portrait(name: string, side: number): string {
  return fileOf('portrait', name, { width: side, height: side });
}

function fileOf(subject: Subject, id: string, { width, height }: Size): string {
  return `scene-${subject}-${pick(variants, 'variant', id)}-${width}x${height}.jpg`;
}
