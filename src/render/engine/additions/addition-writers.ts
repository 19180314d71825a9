import type { ContainerFormat } from '../formats/container-formats.ts';
import type { AdditionWriter } from './addition-writer.ts';
import { flacAdditions } from './flac-additions.ts';
import { id3Additions } from './id3-additions.ts';
import { matroskaAdditions } from './matroska-additions.ts';
import { mp4Additions } from './mp4-additions.ts';
import { oggAdditions } from './ogg-additions.ts';
import { wavAdditions } from './wav-additions.ts';

/** Addition writers by the storage method of the container. */
export const additionWriters: Readonly<Record<NonNullable<ContainerFormat['additions']>, AdditionWriter>> = {
  flac: flacAdditions,
  id3: id3Additions,
  matroska: matroskaAdditions,
  mp4: mp4Additions,
  ogg: oggAdditions,
  wav: wavAdditions,
};
