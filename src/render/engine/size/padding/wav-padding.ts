import { statSync } from 'node:fs';
import { appendChunk } from '../../tags/append-chunk.ts';
import { riffHeaderBytes } from '../../tags/riff-chunks.ts';

/** A chunk has less than 4 GiB. */
export const maxWavPadding = 4_000_000_000;

/** Appends a chunk that readers skip (EBU Tech 3306 §3.4) to a WAV file. */
export function padWav(path: string, bytes: number): number {
  const { size } = statSync(path);
  appendChunk(path, 'JUNK', Buffer.alloc(0), Math.max(0, bytes - riffHeaderBytes));
  return statSync(path).size - size;
}
