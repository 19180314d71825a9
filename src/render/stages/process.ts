import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { FetchedInput } from '../download/download.ts';
import type { Engine, EngineCall, ProcessReport } from '../engine/engine.ts';
import { prove } from './prove.ts';

/** Part of the stage that the operation takes; the rest is the proof. */
const OPERATION_SHARE = 0.9;

/** Room for what containers and re-encoding add to the bytes of the inputs. */
const OUTPUT_ALLOWANCE = 2;
const OUTPUT_HEADROOM_BYTES = 256 * 1024 * 1024;

/** A finished file that has been proven. */
export interface ProvenFile {
  readonly path: string;
  readonly bytes: number;
  /** What was left out or changed on the way, in words for the log. */
  readonly notes: readonly string[];
}

/**
 * Makes the result of a job from its inputs, and proves it.
 *
 * @throws MillraceError of the engine, or `result_unproven`.
 */
export async function processInputs(
  job: Job,
  inputs: readonly FetchedInput[],
  directory: string,
  engine: Engine,
  { signal, onProgress }: Required<EngineCall>,
): Promise<ProvenFile> {
  const { type, copyStreams } = job.operation;
  if (type === 'no_process') return await provenAsIs(inputs);
  const path = join(directory, `result.${job.output.ext}`);
  const written = await engine.process(
    {
      directory,
      inputs: inputs.map((input) => ({
        path: input.path,
        ...(input.duration === undefined ? {} : { duration: input.duration }),
      })),
      output: { path, ext: job.output.ext },
      operation: { type, copyStreams },
      maxOutputBytes: OUTPUT_ALLOWANCE * inputs.reduce((sum, { bytes }) => sum + bytes, 0) + OUTPUT_HEADROOM_BYTES,
    },
    { signal, onProgress: (fraction) => onProgress(fraction * OPERATION_SHARE) },
  );
  await proveFile(written, directory, path, job.output.ext, engine, signal);
  onProgress(1);
  return { path, bytes: written.bytes, notes: written.notes };
}

async function proveFile(
  written: ProcessReport,
  directory: string,
  path: string,
  ext: string,
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  prove(written, await engine.probe({ directory, path, ext }, { signal }));
}

/** A file that is stored as it came is proven by its bytes: as many as the source announced and sent. */
async function provenAsIs([input]: readonly FetchedInput[]): Promise<ProvenFile> {
  if (input === undefined) throw new Error('a job without inputs passed its checks');
  const { size } = await stat(input.path);
  if (size !== input.bytes) {
    throw new MillraceError('result_unproven', `The file has ${size} bytes instead of ${input.bytes}. Start again.`);
  }
  return { path: input.path, bytes: size, notes: [] };
}
