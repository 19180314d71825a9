import type { ByteSource } from '../binary/byte-source.ts';
import type { Claims } from '../binary/declared-extent.ts';
import { mp4Claims } from '../mp4/declared-extent.ts';
import { matroskaClaims } from './matroska.ts';
import { mp3Claims } from './mp3.ts';
import { riffClaims } from './riff.ts';

/** Reads what the file claims, whatever kind it is. A file of no known kind claims nothing. */
export function readClaims(source: ByteSource): Claims {
  return mp4Claims(source) ?? matroskaClaims(source) ?? riffClaims(source) ?? mp3Claims(source) ?? {};
}
