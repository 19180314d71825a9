import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { boundedNotes, type OutputNote } from '../../contract/notes.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import type { FetchedInput } from '../download/download.ts';
import type { PlacedDownload } from '../download/placed.ts';
import type { Engine, EngineCall } from '../engine/engine.ts';
import { readResult } from '../engine/mp4/read-result.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import type { ProcessTask } from '../engine/tasks/task.ts';
import { verifyResult } from '../engine/verification/verify-result.ts';
import { bytesOf, engineInputs, outputBound } from './engine-inputs.ts';
import type { FetchedMedia } from './fetch.ts';
import { renditionNotes } from './rendition-notes.ts';

/** Part of the stage that the operation takes; the rest is the proof. */
const OPERATION_SHARE = 0.9;

/** A finished file that has been proven. */
export interface ProvenFile {
  readonly path: string;
  readonly bytes: number;
  /** What was left out or changed on the way. */
  readonly notes: readonly OutputNote[];
}

/**
 * Makes the result of a job from what was fetched, and proves it.
 *
 * @throws MillraceError of the engine, `input_incomplete`, or `result_unproven`.
 */
export async function processMedia(
  job: Job,
  media: FetchedMedia,
  directory: string,
  engine: Engine,
  call: Required<EngineCall>,
): Promise<ProvenFile> {
  const { type, copyStreams } = job.operation;
  const { ext } = job.output;
  if (type === 'no_process') return provenAsIs(media);
  const share = shareOf(call);
  const notes = 'inputs' in media ? renditionNotes(media.inputs, type) : [];
  if ('inputs' in media) {
    const done = await media.ahead?.result(media.inputs, share.onProgress);
    if (done !== undefined) return withNotes(notes, await proven(done.report, done.path, job, directory, engine, call));
  }
  const path = 'placed' in media ? media.placed.path : join(directory, `result.${ext}`);
  const task = { directory, output: { path, ext }, operation: { type, copyStreams } };
  const written = await ('placed' in media
    ? finishPlaced(media.placed, task, engine, share)
    : processInputs(media.inputs, task, engine, share));
  return withNotes(notes, await proven(written, path, job, directory, engine, call));
}

/** A file with notes before its own. */
function withNotes(notes: readonly OutputNote[], file: ProvenFile): ProvenFile {
  return { ...file, notes: boundedNotes([...notes, ...file.notes]) };
}

type Operation = Omit<ProcessTask, 'inputs' | 'maxOutputBytes'>;

function finishPlaced(
  { heads }: PlacedDownload,
  task: Operation,
  engine: Engine,
  call: EngineCall,
): Promise<ProcessReport> {
  const bytes = heads.reduce((sum, { size }) => sum + size, 0);
  return engine.finish({ ...task, heads, maxOutputBytes: outputBound(bytes, task.operation.copyStreams) }, call);
}

/** The call of an operation, whose progress is part of the stage's. */
function shareOf({ signal, onProgress }: Required<EngineCall>): Required<EngineCall> {
  return { signal, onProgress: (fraction) => onProgress(fraction * OPERATION_SHARE) };
}

function processInputs(
  inputs: readonly FetchedInput[],
  task: Operation,
  engine: Engine,
  call: EngineCall,
): Promise<ProcessReport> {
  const files = inputs.map((input) => input.files);
  const maxOutputBytes = outputBound(bytesOf(files.flat()), task.operation.copyStreams);
  return engine.process({ ...task, inputs: engineInputs(files), maxOutputBytes }, call);
}

/**
 * Reads a result afresh and compares it with what was written: plain MP4 files in this process, all others in a
 * fresh child (docs/decisions/0021).
 */
async function proven(
  written: ProcessReport,
  path: string,
  { output }: Job,
  directory: string,
  engine: Engine,
  { signal, onProgress }: Required<EngineCall>,
): Promise<ProvenFile> {
  const { ext } = output;
  const plain = ext === 'mp4' || ext === 'm4a' ? await readResult(path).catch(ifReplaced) : undefined;
  verifyResult(written, plain ?? (await engine.probe({ directory, path, ext }, { signal })));
  onProgress(1);
  return { path, bytes: written.bytes, notes: written.notes };
}

function ifReplaced(cause: unknown): never {
  if (!(cause instanceof UnsafeFileError)) throw cause;
  const message = 'The finished file was changed before it could be checked. Start the same job again.';
  throw new MillraceError('result_unproven', message, { cause });
}

/** A file that is stored as it came is proven by its bytes: as many as the source announced and sent. */
async function provenAsIs(media: FetchedMedia): Promise<ProvenFile> {
  const input = 'inputs' in media ? media.inputs[0]?.files[0] : undefined;
  if (input === undefined) throw new Error('a job without inputs passed its checks');
  const [part] = input.parts;
  if (part === undefined || input.parts.length > 1) throw new Error('a playlist is to be stored as it is');
  const { path } = part;
  const { size } = await stat(path);
  if (size !== input.bytes) {
    throw new MillraceError('result_unproven', `The file has ${size} bytes instead of ${input.bytes}. Start again.`);
  }
  return { path, bytes: size, notes: [] };
}
