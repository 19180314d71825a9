import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { openToRead, openToWrite } from '../../files/open-file.ts';
import { removeFile } from '../../files/remove.ts';
import type { FetchedFile, FetchedInput } from '../download/download.ts';
import type { Engine, EngineInput } from '../engine/engine.ts';

/** How many times the bytes of its inputs a result may have: copied, and encoded anew (AAC into WAV makes ten of one). */
const COPY_ALLOWANCE = 2;
const ENCODE_ALLOWANCE = 16;
const HEADROOM_BYTES = 256 * 1024 * 1024;

/** Bytes that a result of so many bytes may have at most. */
export function outputBound(bytes: number, copyStreams: boolean): number {
  return (copyStreams ? COPY_ALLOWANCE : ENCODE_ALLOWANCE) * bytes + HEADROOM_BYTES;
}

/** Bytes of several files together. */
export function bytesOf(files: readonly FetchedFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

interface Assembly {
  readonly directory: string;
  readonly engine: Engine;
  readonly signal: AbortSignal;
}

/** Operations that take whatever streams there are, in one file or in several. */
export const takesAllStreams = new Set(['join_streams', 'convert_format']);

/**
 * The files that the engine works on: one for each input. What came in parts is put one behind the other; sound that came
 * apart is joined with its picture, where the operation counts its inputs.
 *
 * @throws MillraceError of the engine, or `source_unsupported` for parts that do not go together.
 */
export async function assembleInputs(
  type: Job['operation']['type'],
  inputs: readonly FetchedInput[],
  assembly: Assembly,
): Promise<EngineInput[]> {
  const assembled: EngineInput[] = [];
  for (const [index, { files }] of inputs.entries()) {
    const whole: EngineInput[] = [];
    for (const file of files) {
      whole.push({ ...(await inOnePiece(file, index, whole.length, assembly)), jobInput: index });
    }
    if (whole.length === 1 || takesAllStreams.has(type)) assembled.push(...whole);
    else assembled.push(await joined(whole, files, index, assembly));
  }
  return assembled;
}

async function joined(
  whole: readonly EngineInput[],
  files: readonly FetchedFile[],
  index: number,
  { directory, engine, signal }: Assembly,
): Promise<EngineInput> {
  const path = join(directory, `joined-${index + 1}.mkv`);
  const operation = { type: 'join_streams', copyStreams: true } as const;
  const output = { path, ext: 'mkv' };
  await engine.process(
    { directory, inputs: whole, output, operation, maxOutputBytes: outputBound(bytesOf(files), true) },
    { signal },
  );
  return { path, jobInput: index };
}

/** Each part is turned into MPEG-TS, which may be put one behind the other, its clock starting anew. */
async function inOnePiece(file: FetchedFile, index: number, order: number, assembly: Assembly): Promise<EngineInput> {
  const { parts, duration } = file;
  const [first] = parts;
  const promised = duration === undefined ? {} : { duration };
  if (first === undefined) throw new Error('an input came without a file');
  if (parts.length === 1) return { path: first, ...promised };
  const path = join(assembly.directory, `parts-${index + 1}-${order + 1}.ts`);
  const whole = await openToWrite(path, { keep: false, append: true });
  try {
    for (const part of parts) {
      const piece = `${part}.ts`;
      const bytes = await toTransportStream(part, piece, outputBound(file.bytes, true), index, assembly);
      await append(whole, piece, bytes, assembly.signal);
      await Promise.all([removeFile(part), removeFile(piece)]);
    }
  } finally {
    await whole.close();
  }
  return { path, ...promised };
}

/** Returns the size of the transport stream in bytes. */
async function toTransportStream(
  part: string,
  piece: string,
  maxOutputBytes: number,
  index: number,
  { directory, engine, signal }: Assembly,
): Promise<number> {
  const operation = { type: 'convert_format', copyStreams: true } as const;
  const task = { directory, inputs: [{ path: part }], output: { path: piece, ext: 'ts' }, operation };
  try {
    const { bytes } = await engine.process({ ...task, maxOutputBytes }, { signal });
    return bytes;
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'incompatible_codecs') throw error;
    const message = `Input ${index + 1} is a playlist whose parts have incompatible formats and cannot be joined.`;
    throw new MillraceError('source_unsupported', message, { cause: error });
  }
}

/** Appends the engine's output, after checking that it is a regular file of the reported size. */
async function append(whole: FileHandle, piece: string, size: number, signal: AbortSignal): Promise<void> {
  const file = await openToRead(piece, { size });
  try {
    await whole.writeFile(file.createReadStream({ start: 0, autoClose: false, signal }), { signal });
  } finally {
    await file.close();
  }
}
