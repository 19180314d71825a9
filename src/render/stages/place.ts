import { createReadStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchedInput } from '../download/download.ts';
import type { PlacedDownload } from '../download/placed.ts';
import type { ProcessReport } from '../engine/engine.ts';
import { openInputFile } from '../engine/mp4/files.ts';
import { finishPlacement, inputPieces, type PlacedBytes } from '../engine/mp4/finish-placement.ts';

/** A result that was made without the engine; or its inputs, where the engine has to be asked after all. */
export type PlacedResult =
  | { readonly path: string; readonly report: ProcessReport }
  | { readonly inputs: FetchedInput[] };

/**
 * Writes the index of a result whose media is in its place.
 *
 * @throws MillraceError `input_incomplete` when the fragments are shorter than their index said.
 */
export async function finishPlaced(placed: PlacedDownload, directory: string): Promise<PlacedResult> {
  const { path } = placed;
  const finished = readFinish(placed);
  if ('declined' in finished) return { inputs: await takeApart(placed, directory) };
  await writeAll(path, finished.writes);
  return { path, report: finished.report };
}

function readFinish({ path, placement }: PlacedDownload) {
  const file = openInputFile(path);
  try {
    return finishPlacement(placement, file.source);
  } finally {
    file.close();
  }
}

async function writeAll(path: string, writes: readonly PlacedBytes[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    for (const { position, bytes } of writes) {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
        at += bytesWritten;
      }
    }
  } finally {
    await file.close();
  }
}

/** Puts the inputs together again from where their fragments lie. */
async function takeApart({ path, placement, sizes }: PlacedDownload, directory: string): Promise<FetchedInput[]> {
  const inputs: FetchedInput[] = [];
  for (const [index, bytes] of sizes.entries()) {
    const target = join(directory, `taken-apart-${index + 1}.mp4`);
    for (const piece of inputPieces(placement, index)) {
      const data = Buffer.isBuffer(piece)
        ? piece
        : createReadStream(path, { start: piece.offset, end: piece.offset + piece.length - 1 });
      await writeFile(target, data, { flag: 'a' });
    }
    inputs.push({ files: [{ parts: [target], bytes }] });
  }
  return inputs;
}
