import { writeBytes } from '../../../files/write-size.ts';
import type { ProgressPacer } from '../tasks/progress-pacer.ts';
import type { CopyRun, Layout } from './layout.ts';
import { type InputFile, openOutputFile } from './open-files.ts';

/** Runs shorter than this are copied from a larger window that is read ahead. */
const directBytes = 128 * 1024;
/** Reports progress periodically. */
export type Pacer = Pick<ProgressPacer, 'shouldReport' | 'reportAndYield'>;

/** Bytes that are read ahead. */
const windowBytes = 512 * 1024;

/**
 * Writes a planned result in one pass.
 *
 * @param inspect - receives the media in order, in blocks that are valid until it returns. What it throws ends the
 * result.
 * @throws MillraceError `processing_failed` if it cannot be written.
 */
export async function writeLayout(
  layout: Layout,
  inputs: readonly InputFile[],
  path: string,
  pacer: Pacer,
  inspect?: (block: Buffer) => void,
): Promise<void> {
  const file = await openOutputFile(path, 'w');
  try {
    await file.write(layout.head, 0);
    let position = layout.head.length;
    let pending: Promise<void> = Promise.resolve();
    for (const block of gatherBlocks(layout.runs(), inputs)) {
      await pending;
      inspect?.(block);
      if (pacer.shouldReport) await pacer.reportAndYield((position - layout.head.length) / layout.mediaBytes);
      pending = file.write(block, position);
      // The write is awaited before the next one, or below. Until then its failure must not count as an unhandled
      // rejection.
      pending.catch(() => undefined);
      position += block.length;
    }
    await pending;
  } finally {
    await file.close();
  }
}

/**
 * Gathers runs into blocks of {@link writeBytes}. Two buffers alternate, so a block remains valid until two more blocks
 * have been requested.
 */
function* gatherBlocks(runs: Iterable<CopyRun>, inputs: readonly InputFile[]): Generator<Buffer> {
  const runReader = new RunReader(inputs);
  let [block, other] = [Buffer.allocUnsafe(writeBytes), Buffer.allocUnsafe(writeBytes)];
  let blockLength = 0;
  for (const run of runs) {
    for (let doneBytes = 0; doneBytes < run.length; ) {
      const part = Math.min(run.length - doneBytes, writeBytes - blockLength);
      runReader.read(run.input, run.offset + doneBytes, part, block, blockLength);
      blockLength += part;
      doneBytes += part;
      if (blockLength < writeBytes) continue;
      yield block;
      [block, other] = [other, block];
      blockLength = 0;
    }
  }
  if (blockLength > 0) yield block.subarray(0, blockLength);
}

/**
 * Reads runs of any length. Short ones are read through windows, because tracks of one file are often interleaved in
 * small chunks.
 */
class RunReader {
  readonly #windows: Window[];
  readonly #inputs: readonly InputFile[];

  constructor(inputs: readonly InputFile[]) {
    this.#inputs = inputs;
    this.#windows = inputs.map(() => ({ bytes: Buffer.allocUnsafe(windowBytes), offset: 0, length: 0 }));
  }

  read(input: number, offset: number, length: number, into: Buffer, at: number): void {
    const [file, window] = [this.#inputs[input], this.#windows[input]];
    if (file === undefined || window === undefined) throw new Error(`there is no input ${input}`);
    if (length >= directBytes) {
      file.read(into, at, length, offset);
      return;
    }
    if (offset < window.offset || offset + length > window.offset + window.length) {
      window.offset = offset;
      window.length = Math.max(length, Math.min(windowBytes, file.source.size - offset));
      file.read(window.bytes, 0, window.length, offset);
    }
    window.bytes.copy(into, at, offset - window.offset, offset - window.offset + length);
  }
}

/** Bytes of an input that were read ahead: `length` bytes from `offset`. */
interface Window {
  readonly bytes: Buffer;
  offset: number;
  length: number;
}
