import type { OutputContainer } from '../../../../contract/containers.ts';
import { appendFreeBox, appendNullPackets, appendVoidElement } from './end-padding.ts';
import { maxFlacPadding, padFlac } from './flac-padding.ts';
import { maxId3Padding, padId3Tag } from './id3-padding.ts';
import { maxOggPadding, padOgg } from './ogg-padding.ts';
import { maxWavPadding, padWav } from './wav-padding.ts';

/** Padding that every reader of a container skips. */
interface Padding {
  /** Adds at least the given number of bytes to a file, and hardly more. Returns the exact number. */
  readonly pad: (path: string, bytes: number) => number;
  /** Maximum number of bytes. Default: no limit. */
  readonly max?: number;
}

const freeBox = { pad: appendFreeBox };
const voidElement = { pad: appendVoidElement };
const id3Padding = { pad: padId3Tag, max: maxId3Padding };
const oggPadding = { pad: padOgg, max: maxOggPadding };

const paddings: Readonly<Record<OutputContainer, Padding>> = {
  mp4: freeBox,
  mov: freeBox,
  m4a: freeBox,
  mkv: voidElement,
  webm: voidElement,
  ts: { pad: appendNullPackets },
  mp3: id3Padding,
  aac: id3Padding,
  ogg: oggPadding,
  opus: oggPadding,
  flac: { pad: padFlac, max: maxFlacPadding },
  wav: { pad: padWav, max: maxWavPadding },
};

/** Returns the maximum number of bytes by which files of a container can be padded. */
export function maxPadding(ext: OutputContainer): number {
  return paddings[ext].max ?? Number.POSITIVE_INFINITY;
}

/** Pads a file by at least `bytes` bytes, and hardly more. Returns the exact number. */
export function padFile(path: string, ext: OutputContainer, bytes: number): number {
  return paddings[ext].pad(path, bytes);
}
