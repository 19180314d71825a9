import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import { mp4DeclaredExtent } from '../mp4/declared-size.ts';
import { matroskaDeclaredExtent } from './matroska.ts';
import { mp3DeclaredExtent } from './mp3.ts';
import { oggDeclaredExtent } from './ogg.ts';
import { riffDeclaredExtent } from './riff.ts';

/** Reads the declared size and duration of a file of any kind. Returns an empty extent for unknown kinds. */
export function readDeclaredExtent(source: ByteSource): DeclaredExtent {
  return (
    mp4DeclaredExtent(source) ??
    matroskaDeclaredExtent(source) ??
    riffDeclaredExtent(source) ??
    oggDeclaredExtent(source) ??
    mp3DeclaredExtent(source) ??
    {}
  );
}
