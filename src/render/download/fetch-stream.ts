import type { FileHandle } from 'node:fs/promises';
import { createArrivalProof } from './arrival-proof.ts';
import type { ArrivedRanges } from './arrived-ranges.ts';
import { fetchPart } from './fetch-part.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';
import type { Source } from './source-request.ts';
import { partsIn, withStoredBytes } from './stored-bytes.ts';

/**
 * Fetches a whole source to a file, as one stream. Returns its size in bytes.
 *
 * @param path Path of the file.
 * @param checkStart Returns a writer that checks the start of the file before it passes bytes on.
 * @throws MillraceError as in `fetch-part.ts`; RangesUnsupported; SourceChanged.
 */
export async function fetchStream(
  source: Source,
  path: string,
  file: FileHandle,
  arrivedRanges: ArrivedRanges,
  checkStart: (writer: ByteWriter) => ByteWriter = (writer) => writer,
): Promise<number> {
  const all = { from: 0 };
  const proof = createArrivalProof(source.name);
  const writer = checkStart(proof.writerTo((onWritten) => createFileWriter(file, 0, onWritten)));
  const size = await fetchPart(source, all, writer, arrivedRanges.observe(all));
  await withStoredBytes(source.signal, (bytes) => proof.verify({ from: 0, end: size }, partsIn(path), bytes));
  return size;
}
