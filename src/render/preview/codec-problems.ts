import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { canHold, containerFormats, isOutputContainer } from '../engine/formats/container-formats.ts';
import type { ProbedInput } from './probe-input.ts';
import type { StreamActions } from './stream-actions.ts';

/** A problem that would prevent a successful start. */
export interface StartProblem {
  /** The error with which the job would fail or be rejected. */
  readonly error: MillraceError;
  /** Index of the affected input, from 0. */
  readonly input: number | null;
}

/** Finds streams that do not fit into the container, based on the codecs that the playlists of the inputs declare. */
export function findCodecProblems(
  { output: { ext }, operation: { type } }: Job,
  inputs: readonly ProbedInput[],
  actions: StreamActions,
): StartProblem[] {
  if (type === 'no_process' || type === 'slideshow' || !isOutputContainer(ext)) return [];
  const container = containerFormats[ext];
  return inputs.flatMap(({ codecs }, input) =>
    (['video', 'audio'] as const).flatMap((kind) => {
      const codec = codecs[kind];
      const isUsed = type !== 'replace_audio_in_video' || input === (kind === 'video' ? 0 : 1);
      if (codec === undefined || !isUsed) return [];
      const stream = `the ${codec} ${kind} of input ${input + 1}`;
      if (actions[kind] === 'refuse') return [{ error: audioOnlyError(ext, stream), input }];
      const isMismatch = actions[kind] === 'copy' && !canHold(container, kind, codec);
      return isMismatch ? [{ error: codecMismatchError(ext, stream), input }] : [];
    }),
  );
}

function audioOnlyError(ext: string, stream: string): MillraceError {
  const message = `${ext} files cannot contain ${stream}. Use the operation extract_audio or another output.ext.`;
  return new MillraceError('incompatible_codecs', message);
}

function codecMismatchError(ext: string, stream: string): MillraceError {
  const message = `${ext} files cannot contain ${stream}. Use another output.ext or set copyStreams to false.`;
  return new MillraceError('incompatible_codecs', message);
}
