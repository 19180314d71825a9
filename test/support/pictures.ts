import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture, StreamReport } from '../../lab/media/testing/read.ts';
import { read } from '../../lab/media/testing/reader.ts';

/**
 * Decodes the video of a file. Returns its pictures in the order in which they are displayed.
 *
 * @throws Error if the decoder reports a problem.
 */
export async function picturesOf(file: Buffer): Promise<readonly Picture[]> {
  const streams = await decode(file);
  return streams.find(({ kind }) => kind === 'video')?.pictures ?? [];
}

/**
 * Decodes a file. Returns its pictures in the order in which they are displayed, with their times in milliseconds after
 * the start of the audio.
 *
 * @throws Error if the decoder reports a problem.
 */
export async function picturesBesideSound(file: Buffer): Promise<readonly Picture[]> {
  const streams = await decode(file);
  const [video, audio] = ['video', 'audio'].map((kind) => streams.find((stream) => stream.kind === kind));
  if (video === undefined || audio === undefined) throw new Error('the file has no video or no audio');
  return video.pictures.map(({ time, digest }) => ({ time: Math.round(time - audio.start * 1000), digest }));
}

async function decode(file: Buffer): Promise<readonly StreamReport[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-pictures-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, file);
    return await read(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
