import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { FetchedFile, FetchedInput } from '../download/download.ts';
import type { Engine, EngineCall, EngineInput, ProcessReport } from '../engine/engine.ts';
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
      inputs: await engineInputs(type, inputs, directory, engine, signal),
      output: { path, ext: job.output.ext },
      operation: { type, copyStreams },
      maxOutputBytes: outputBound(inputs.flatMap(({ files }) => files)),
    },
    { signal, onProgress: (fraction) => onProgress(fraction * OPERATION_SHARE) },
  );
  await proveFile(written, directory, path, job.output.ext, engine, signal);
  onProgress(1);
  return { path, bytes: written.bytes, notes: written.notes };
}

function outputBound(files: readonly FetchedFile[]): number {
  return OUTPUT_ALLOWANCE * files.reduce((sum, { bytes }) => sum + bytes, 0) + OUTPUT_HEADROOM_BYTES;
}

/** Operations that take whatever streams there are, in one file or in several. */
const takesAllStreams = new Set(['join_streams', 'convert_format']);

/**
 * The files that the engine works on. An input whose sound came apart is first joined into one file, where the operation
 * counts its inputs.
 */
async function engineInputs(
  type: Job['operation']['type'],
  inputs: readonly FetchedInput[],
  directory: string,
  engine: Engine,
  signal: AbortSignal,
): Promise<EngineInput[]> {
  const joined: EngineInput[] = [];
  for (const [index, { files }] of inputs.entries()) {
    const given = files.map(({ path, duration }) => ({ path, ...(duration === undefined ? {} : { duration }) }));
    if (given.length === 1 || takesAllStreams.has(type)) {
      joined.push(...given);
      continue;
    }
    const path = join(directory, `joined-${index + 1}.mkv`);
    const operation = { type: 'join_streams', copyStreams: true } as const;
    const output = { path, ext: 'mkv' };
    await engine.process(
      { directory, inputs: given, output, operation, maxOutputBytes: outputBound(files) },
      { signal },
    );
    joined.push({ path });
  }
  return joined;
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
async function provenAsIs([first]: readonly FetchedInput[]): Promise<ProvenFile> {
  const input = first?.files[0];
  if (input === undefined) throw new Error('a job without inputs passed its checks');
  const { size } = await stat(input.path);
  if (size !== input.bytes) {
    throw new MillraceError('result_unproven', `The file has ${size} bytes instead of ${input.bytes}. Start again.`);
  }
  return { path: input.path, bytes: size, notes: [] };
}
