import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../contract/clip.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { limitNotes, type OutputNote } from '../../contract/output-notes.ts';
import type { Proof } from '../../contract/receipt.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import { noTracing, type Tracer } from '../../tracing/tracer.ts';
import type { FetchedInput } from '../download/download-inputs.ts';
import type { PlacedDownload } from '../download/placed-download.ts';
import type { Engine, EngineCall, TrackedCall } from '../engine/engine.ts';
import { readResult } from '../engine/mp4/read-result.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import type { ProcessTask } from '../engine/tasks/task.ts';
import type { EngineOperation } from '../engine/track-plan/source-stream.ts';
import { verifyResult } from '../engine/verification/verify-result.ts';
import { clipNotes } from './clip-notes.ts';
import { durationNotes } from './duration-notes.ts';
import { addedInputs, engineInputs, outputByteLimit, totalFileBytes } from './engine-inputs.ts';
import type { FetchedMedia } from './fetch-media.ts';
import { makeSlideshow } from './make-slideshow.ts';
import { proofOf, unchangedProof } from './proof-of.ts';
import { gapNotes, missingAudioNotes, renditionNotes } from './rendition-notes.ts';
import { type TaskParameters, taskParametersOf } from './task-parameters.ts';

/** Fraction of the stage for the operation; the rest is for the verification. */
const OPERATION_SHARE = 0.9;

/** A finished file that has been verified. */
export interface VerifiedFile {
  readonly path: string;
  readonly bytes: number;
  /** Streams that were left out or changed. */
  readonly notes: readonly OutputNote[];
  readonly proof: Proof;
}

/** How the processing of a job's media is monitored. */
interface ProcessMediaCall extends TrackedCall {
  /** Called with the path of the result before it is verified. */
  readonly onWritten?: (path: string) => void;
  readonly tracer?: Tracer;
}

/**
 * Creates the result of a job from the fetched media, and verifies it.
 *
 * @throws MillraceError of the engine, `input_incomplete`, or `result_unproven`.
 */
export async function processMedia(
  job: Job,
  media: FetchedMedia,
  directory: string,
  engine: Engine,
  { onWritten, tracer = noTracing, ...call }: ProcessMediaCall,
): Promise<VerifiedFile> {
  const { type } = job.operation;
  if (type === 'no_process') return await tracer.span('verify result', {}, () => verifyUnprocessed(media));
  const { additions } = media;
  const operate = async () =>
    type === 'slideshow'
      ? await makeSlideshow(job, wholeInputs(media), additions, directory, engine, operationCall(call))
      : {
          ...(await makeResult(
            media,
            { job, directory, ...taskParametersOf(job, type, additions?.cover) },
            engine,
            operationCall(call),
          )),
          clip: job.clip,
        };
  const attributes = { 'millrace.operation': type, 'millrace.input.form': media.kind };
  const { path, report, notes, clip } = await tracer.span('process media', attributes, operate);
  onWritten?.(path);
  const hasSeparateAudio = media.kind !== 'placed' && media.inputs.some(({ files }) => files.length > 1);
  const target = { ext: job.output.ext, clip, operation: job.operation, hasSeparateAudio };
  const verify = () => verifyProcessed(report, path, target, directory, engine, call);
  const file = await tracer.span('verify result', {}, verify);
  return { ...file, notes: limitNotes([...(additions?.notes ?? []), ...notes, ...file.notes]) };
}

function wholeInputs(media: FetchedMedia): readonly FetchedInput[] {
  if (media.kind === 'whole') return media.inputs;
  throw new Error('the inputs of a slideshow were not fetched whole');
}

/** A result that has not been verified. */
interface UnverifiedResult {
  readonly path: string;
  readonly report: ProcessReport;
  /** Notes about how the inputs were fetched: renditions that were not, and files that were fetched whole for a clip. */
  readonly notes: readonly OutputNote[];
}

/** Parameters of the operation, independent of how the inputs were fetched. */
type Operation = TaskParameters & Pick<ProcessTask, 'directory'> & { readonly job: Job };

async function makeResult(
  media: FetchedMedia,
  operation: Operation,
  engine: Engine,
  call: TrackedCall,
): Promise<UnverifiedResult> {
  const { type } = operation.operation;
  switch (media.kind) {
    case 'placed':
      return { path: media.path, report: await finishPlaced(media, operation, engine, call), notes: [] };
    case 'streamed': {
      const result = await media.operation.result(media.inputs, call.onProgress);
      const made = result.kind === 'streamed' ? result : await processInputs(media, operation, engine, call);
      return { path: made.path, report: made.report, notes: inputNotes(media.inputs, type, made.report) };
    }
    case 'whole': {
      const made = await processInputs(media, operation, engine, call);
      return { ...made, notes: inputNotes(media.inputs, type, made.report) };
    }
  }
}

function taskTo(
  path: string,
  { output, job: _, ...operation }: Operation,
): Omit<ProcessTask, 'inputs' | 'maxOutputBytes'> {
  return { ...operation, output: { ...output, path } };
}

function finishPlaced(
  { path, heads }: PlacedDownload,
  operation: Operation,
  engine: Engine,
  call: EngineCall,
): Promise<ProcessReport> {
  const bytes = heads.reduce((sum, { size }) => sum + size, 0);
  const maxOutputBytes = outputByteLimit(bytes, operation.operation.copyStreams);
  const describedHeads = heads.map((head, at) => {
    const language = operation.job.inputs[at]?.language;
    return language === undefined ? head : { ...head, language };
  });
  return engine.finish({ ...taskTo(path, operation), heads: describedHeads, maxOutputBytes }, call);
}

function inputNotes(
  inputs: readonly FetchedInput[],
  type: EngineOperation,
  report: ProcessReport,
): readonly OutputNote[] {
  return [
    ...clipNotes(inputs),
    ...gapNotes(inputs),
    ...renditionNotes(inputs, type),
    ...missingAudioNotes(inputs, report, type),
  ];
}

/** Returns the engine call of an operation, which reports its progress as a fraction of the whole stage. */
function operationCall({ signal, onProgress }: TrackedCall): TrackedCall {
  return { signal, onProgress: (fraction) => onProgress(fraction * OPERATION_SHARE) };
}

async function processInputs(
  { inputs, additions }: { readonly inputs: readonly FetchedInput[] } & Pick<FetchedMedia, 'additions'>,
  operation: Operation,
  engine: Engine,
  call: EngineCall,
): Promise<{ readonly path: string; readonly report: ProcessReport }> {
  const path = join(operation.directory, `result.${operation.output.ext}`);
  const files = inputs.map((input) => input.files);
  const { copyStreams } = operation.operation;
  const maxOutputBytes = outputByteLimit(totalFileBytes(files.flat()), copyStreams, operation.output.maxSize);
  const added = additions === undefined ? [] : addedInputs(additions);
  const taskInputs = [...engineInputs(operation.job, files), ...added];
  const task = { ...taskTo(path, operation), inputs: taskInputs, maxOutputBytes };
  return { path, report: await engine.process(task, call) };
}

/** The parameters of a job that its result is verified with. */
interface VerificationTarget extends Pick<Job, 'operation'> {
  readonly ext: string;
  readonly clip: Clip | undefined;
  /** Whether the audio of an input has a separate playlist. */
  readonly hasSeparateAudio: boolean;
}

/**
 * Reads a result again and compares it with the report of what was written: plain MP4 files in this process, all others
 * in a new child process (docs/decisions/0021).
 */
async function verifyProcessed(
  report: ProcessReport,
  path: string,
  { ext, clip, operation, hasSeparateAudio }: VerificationTarget,
  directory: string,
  engine: Engine,
  { signal, onProgress }: TrackedCall,
): Promise<VerifiedFile> {
  const plain = ext === 'mp4' || ext === 'm4a' ? await readResult(path).catch(ifReplaced) : undefined;
  const probe = plain ?? (await engine.probe({ directory, path, ext }, { signal }));
  verifyResult(report, probe, clip, operation.duration);
  onProgress(1);
  const notes = [...report.notes, ...durationNotes(operation, probe, hasSeparateAudio)];
  return { path, bytes: report.bytes, notes, proof: proofOf(probe, report.clip !== undefined) };
}

function ifReplaced(cause: unknown): never {
  if (!(cause instanceof UnsafeFileError)) throw cause;
  const message = 'The finished file was changed before it could be checked. Start the same job again.';
  throw new MillraceError('result_unproven', message, { cause });
}

/** Verifies the size of a file that is stored unchanged: it must match the size that the source announced and sent. */
async function verifyUnprocessed(media: FetchedMedia): Promise<VerifiedFile> {
  const input = media.kind === 'placed' ? undefined : media.inputs[0]?.files[0];
  if (input === undefined) throw new Error('a job without inputs passed validation');
  const [part] = input.parts;
  if (part === undefined || input.parts.length > 1) throw new Error('a playlist cannot be stored unchanged');
  const { path } = part;
  const { size } = await stat(path);
  if (size !== input.bytes) {
    throw new MillraceError(
      'result_unproven',
      `The file has ${size} bytes instead of ${input.bytes}. Start the same job again.`,
    );
  }
  return { path, bytes: size, notes: [], proof: unchangedProof };
}
