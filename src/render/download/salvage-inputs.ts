import type { FileHandle } from 'node:fs/promises';
import type { Job } from '../../contract/job.ts';
import { openForReading, openForWriting } from '../../files/open-file.ts';
import type { ByteRange } from './byte-ranges.ts';
import type { FragmentPlacer } from './fragment-placer.ts';
import { filePathOf, subjectOf } from './input-file.ts';
import { openJournal } from './journal.ts';
import { recordRange, recordVersion } from './resumable-file.ts';
import { digestOfPlacement, type ResumablePlacement, readResumablePlacement } from './resumable-placement.ts';
import type { ScatteredRange } from './scatter-writer.ts';

const COPY_BYTES = 1024 * 1024;

/** A placed download that cannot continue. */
interface BrokenPlacement {
  readonly job: Job;
  readonly placer: FragmentPlacer;
  readonly directory: string;
  /** Path of the result. */
  readonly path: string;
  /** Identifies the download in its journal, which must be closed. */
  readonly subject: unknown;
  /** Index of the input that has changed. */
  readonly changedInput: number;
  readonly signal: AbortSignal;
}

/**
 * Copies the bytes of the inputs from a placed result to their own files, with journals, so that their downloads as whole
 * files continue there. Does nothing for the input that has changed, or if the download could not be resumed.
 */
export async function salvageInputs(broken: BrokenPlacement): Promise<void> {
  const { job, placer, path, subject, changedInput, signal } = broken;
  const journal = await openJournal(`${path}.journal`, subject);
  const resumable = await readResumablePlacement(journal, path, placer).finally(journal.close);
  if (resumable === undefined || resumable.inputs.length !== job.inputs.length) return;
  const outcome = placer.place(resumable.inputs.map(({ fileHead }) => fileHead));
  if ('declined' in outcome || digestOfPlacement(outcome.placement) !== resumable.digest) return;
  const placed = await openForReading(path);
  try {
    for (const [index, input] of resumable.inputs.entries()) {
      if (index === changedInput) continue;
      const ranges = outcome.placement.ranges.filter((range) => range.input === index);
      await salvageInput(broken, index, input, (copy) => copyRanges(placed, ranges, input.storedRanges, copy, signal));
    }
  } finally {
    await placed.close();
  }
}

async function salvageInput(
  { job, directory }: BrokenPlacement,
  index: number,
  { fileHead, version, storedRanges }: ResumablePlacement['inputs'][number],
  copyFragments: (copy: FileHandle) => Promise<void>,
): Promise<void> {
  const input = job.inputs[index];
  if (input === undefined) return;
  const path = filePathOf(directory, input, index);
  const file = await openForWriting(path, { keep: false });
  try {
    await file.write(fileHead.head, 0, fileHead.head.length, 0);
    await copyFragments(file);
  } finally {
    await file.close();
  }
  const journal = await openJournal(`${path}.journal`, subjectOf(job, input));
  try {
    await journal.clear();
    for (const validator of version.validators) recordVersion(journal, { validator, total: version.total });
    for (const range of storedRanges) recordRange(journal, range);
  } finally {
    await journal.close();
  }
}

/** Copies the stored part of each fragment from its place in the result to its position in the source. */
async function copyRanges(
  placed: FileHandle,
  ranges: readonly ScatteredRange[],
  storedRanges: readonly ByteRange[],
  copy: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  for (const { from, to, destination } of ranges) {
    for (const stored of storedRanges) {
      const end = Math.min(stored.end, to + 1);
      for (let at = Math.max(stored.from, from); at < end; ) {
        signal.throwIfAborted();
        const length = Math.min(COPY_BYTES, end - at);
        const { bytesRead } = await placed.read(buffer, 0, length, destination + at - from);
        if (bytesRead === 0) throw new Error('the result is shorter than its journal states');
        await copy.write(buffer, 0, bytesRead, at);
        at += bytesRead;
      }
    }
  }
}
