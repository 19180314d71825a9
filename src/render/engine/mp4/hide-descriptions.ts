import { join } from 'node:path';
import { type ByteSource, withFile } from '../binary/byte-source.ts';
import { undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import { filesOf, mapInputPaths } from '../tasks/input-files.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { type Box, childBoxes, optionalBox, readBoxBody, walkBoxes } from './box-reader.ts';
import { maxMovieBytes } from './movie-reader.ts';
import { openInputFile, openOutputFile } from './open-files.ts';
import { type Pacer, writeLayout } from './write-layout.ts';

/** Limits of FFmpeg 8.1 for the entries of a sample description (`mov_read_stsd`). */
const maxEntries = 1024;
const minEntryBytes = 8;

/** Bytes from the beginning of a box to its type. */
const typeOffset = 4;

/**
 * Copies the MP4 files of a task that have a track with an empty sample description, for which the media library refuses
 * the whole file. In the copies, in the task's directory, the description is a `free` box: the library reads the other
 * tracks, and reports one without a codec.
 *
 * @returns The task with the copies; undefined if no file has such a track.
 * @throws MillraceError `processing_failed` if a copy cannot be written, `storage_failed` if the disk is full.
 */
export async function hideEmptyDescriptions(task: ProcessTask): Promise<ProcessTask | undefined> {
  const copies = new Map<number, string>();
  for (const [at, { path, growing }] of filesOf(task.inputs).entries()) {
    if (growing === true) continue;
    const offsets = withFile(path, (source) => undefinedIfDeclined(() => emptyDescriptionsOf(source))) ?? [];
    if (offsets.length === 0) continue;
    const copy = join(task.directory, `described-${at + 1}.mp4`);
    await copyFile(path, copy);
    await hideBoxes(copy, offsets);
    copies.set(at, copy);
  }
  if (copies.size === 0) return undefined;
  return { ...task, inputs: mapInputPaths(task.inputs, (path, at) => copies.get(at) ?? path) };
}

/**
 * Returns the offsets of the sample descriptions without an entry that can be read.
 *
 * @throws FastPathDeclined if the file is not MP4.
 */
export function emptyDescriptionsOf(source: ByteSource): number[] {
  for (const box of walkBoxes(source)) {
    if (box.type !== 'moov') continue;
    const movie = readBoxBody(source, box, maxMovieBytes);
    const tracks = childBoxes(movie).filter(({ type }) => type === 'trak');
    return tracks.flatMap((track) => {
      const description = undefinedIfDeclined(() => descriptionOf(track));
      if (description === undefined || hasEntries(description)) return [];
      return [box.offset + box.headerBytes + description.bytes.byteOffset - movie.byteOffset];
    });
  }
  return [];
}

function descriptionOf({ body }: Box): Box | undefined {
  let boxes = childBoxes(body);
  for (const type of ['mdia', 'minf', 'stbl']) boxes = childBoxes(optionalBox(boxes, type) ?? Buffer.alloc(0));
  return boxes.find(({ type }) => type === 'stsd');
}

function hasEntries({ body }: Box): boolean {
  if (body.length < 8) return false;
  const count = body.readUInt32BE(4);
  return count > 0 && count <= Math.min(maxEntries, body.length / minEntryBytes);
}

async function copyFile(from: string, to: string): Promise<void> {
  const file = openInputFile(from);
  try {
    const bytes = file.source.size;
    const run = { input: 0, offset: 0, length: bytes };
    await writeLayout({ head: Buffer.alloc(0), mediaBytes: bytes, bytes, runs: () => [run] }, [file], to, silent);
  } finally {
    file.close();
  }
}

async function hideBoxes(path: string, offsets: readonly number[]): Promise<void> {
  const file = await openOutputFile(path, 'r+');
  try {
    for (const offset of offsets) await file.write(Buffer.from('free'), offset + typeOffset);
  } finally {
    await file.close();
  }
}

/** Only the subsequent processing reports progress. */
const silent: Pacer = { shouldReport: false, reportAndYield: async () => undefined };
