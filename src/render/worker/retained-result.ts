import { createHash } from 'node:crypto';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { deliveryOutcomeSchema } from '../../contract/delivery-outcome.ts';
import { noteCodes } from '../../contract/output-notes.ts';
import { makeFolder, namesIn } from '../../files/folder.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { openForReading } from '../../files/open-file.ts';
import { openOutputFile } from '../../files/output-file.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { readTextFile, replaceTextFile } from '../../files/small-file.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { FinishedResult } from '../receipts/finished-result.ts';
import { resultEvidenceSchema } from '../receipts/result-evidence.ts';

/** Name of the folder, within that of a run, for a finished result that must still be stored. */
export const retainedFolder = 'kept';

const RECORD = 'record';
const RECORD_BYTES = 4 * 1024 * 1024;

const recordSchema = Type.Object({
  job: Type.String(),
  name: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
  notes: Type.Array(
    Type.Object({ code: Type.Enum([...noteCodes]), message: Type.String(), input: Type.Optional(Type.Integer()) }),
  ),
  evidence: Type.Optional(resultEvidenceSchema),
  delivery: Type.Optional(deliveryOutcomeSchema),
});

/**
 * Deletes everything else of the run, then moves the result to its own folder: on a full disk, even the move needs
 * space.
 *
 * @throws UnsafeFileError if the result is not what the engine reported; an error of the file system.
 */
export async function retainResult(directory: string, result: FinishedResult): Promise<FinishedResult> {
  const folder = join(directory, retainedFolder);
  const path = join(folder, `result${extname(result.path)}`);
  if (path !== result.path) {
    const file = await openOutputFile(result.path, result.bytes);
    try {
      await removeSiblings(directory, result.path);
      await makeFolder(folder);
      await file.moveTo(path);
    } finally {
      await file.close();
    }
  }
  for (const name of await namesIn(directory)) if (name !== retainedFolder) await removeTree(join(directory, name));
  return { ...result, path };
}

/** Removes everything in the folder of a run, except for a file in it or in a subfolder. */
async function removeSiblings(directory: string, path: string): Promise<void> {
  const itsFolder = dirname(path);
  const survivor = itsFolder === directory ? path : itsFolder;
  for (const name of await namesIn(directory))
    if (join(directory, name) !== survivor) await removeTree(join(directory, name));
  if (survivor === path) return;
  for (const name of await namesIn(survivor)) if (join(survivor, name) !== path) await removeTree(join(survivor, name));
}

/**
 * Records a retained result, so that a later run of the job on this worker finds it. The record is sealed and contains
 * the hash of the file, so that only a verified file is ever stored.
 *
 * @throws An error of the file system; AbortError when the signal is aborted.
 */
export async function writeResultRecord(
  job: string,
  { path, bytes, notes, evidence, delivery }: FinishedResult,
  sealer: Sealer,
  signal: AbortSignal,
): Promise<void> {
  const record = { job, name: basename(path), bytes, sha256: await hashOf(path, signal), notes, evidence, delivery };
  await replaceTextFile(join(path, '..', RECORD), sealer.seal('kept-result', record));
}

/**
 * Returns the result that an earlier run of the job has left in this run's folder; undefined if there is none, or it
 * was changed.
 *
 * @throws An error of the file system; AbortError when the signal is aborted.
 */
export async function readRetainedResult(
  directory: string,
  job: string,
  sealer: Sealer,
  signal: AbortSignal,
): Promise<FinishedResult | undefined> {
  const folder = join(directory, retainedFolder);
  const text = await readTextFile(join(folder, RECORD), RECORD_BYTES).catch(ifUnusable);
  const record = text === undefined ? undefined : sealer.open('kept-result', text);
  if (!Check(recordSchema, record) || record.job !== job) return undefined;
  const path = join(folder, basename(record.name));
  const sha256 = await hashOf(path, signal, record.bytes).catch(ifUnusable);
  const { bytes, notes, evidence, delivery } = record;
  if (sha256 !== record.sha256) return undefined;
  return { path, bytes, notes, ...(evidence && { evidence }), ...(delivery && { delivery }) };
}

async function hashOf(path: string, signal: AbortSignal, size?: number): Promise<string> {
  const file = await openForReading(path, size === undefined ? {} : { size });
  try {
    const hash = createHash('sha256');
    await pipeline(file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }), hash, { signal });
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

function ifUnusable(error: unknown): undefined {
  if (!(error instanceof UnsafeFileError)) ifMissing(error);
}
