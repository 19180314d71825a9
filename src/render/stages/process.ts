import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { FetchedInput } from '../download/download.ts';
import type { Engine, EngineCall, ProcessReport } from '../engine/engine.ts';
import { prove } from '../engine/prove.ts';
import { assembleInputs, outputBound } from './assemble.ts';
import type { FetchedMedia } from './fetch.ts';
import { finishPlaced } from './place.ts';

/** Part of the stage that the operation takes; the rest is the proof. */
const OPERATION_SHARE = 0.9;

/** A finished file that has been proven. */
export interface ProvenFile {
  readonly path: string;
  readonly bytes: number;
  /** What was left out or changed on the way, in words for the log. */
  readonly notes: readonly string[];
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
  if ('inputs' in media) return processInputs(job, media.inputs, directory, engine, call);
  const result = await finishPlaced(media.placed, directory);
  if ('inputs' in result) return processInputs(job, result.inputs, directory, engine, call);
  call.onProgress(OPERATION_SHARE);
  return proven(result.report, result.path, job, directory, engine, call);
}

async function processInputs(
  job: Job,
  inputs: readonly FetchedInput[],
  directory: string,
  engine: Engine,
  call: Required<EngineCall>,
): Promise<ProvenFile> {
  const { signal, onProgress } = call;
  const { type, copyStreams } = job.operation;
  if (type === 'no_process') return await provenAsIs(inputs);
  const path = join(directory, `result.${job.output.ext}`);
  const written = await engine.process(
    {
      directory,
      inputs: await assembleInputs(type, inputs, { directory, engine, signal }),
      output: { path, ext: job.output.ext },
      operation: { type, copyStreams },
      maxOutputBytes: outputBound(
        inputs.flatMap(({ files }) => files),
        copyStreams,
      ),
    },
    { signal, onProgress: (fraction) => onProgress(fraction * OPERATION_SHARE) },
  );
  return proven(written, path, job, directory, engine, call);
}

/** Has a fresh process read a result, and holds what it finds against what was written. */
async function proven(
  written: ProcessReport,
  path: string,
  { output }: Job,
  directory: string,
  engine: Engine,
  { signal, onProgress }: Required<EngineCall>,
): Promise<ProvenFile> {
  prove(written, await engine.probe({ directory, path, ext: output.ext }, { signal }));
  onProgress(1);
  return { path, bytes: written.bytes, notes: written.notes };
}

/** A file that is stored as it came is proven by its bytes: as many as the source announced and sent. */
async function provenAsIs([first]: readonly FetchedInput[]): Promise<ProvenFile> {
  const input = first?.files[0];
  if (input === undefined) throw new Error('a job without inputs passed its checks');
  const [path] = input.parts;
  if (path === undefined || input.parts.length > 1) throw new Error('a playlist is to be stored as it is');
  const { size } = await stat(path);
  if (size !== input.bytes) {
    throw new MillraceError('result_unproven', `The file has ${size} bytes instead of ${input.bytes}. Start again.`);
  }
  return { path, bytes: size, notes: [] };
}
