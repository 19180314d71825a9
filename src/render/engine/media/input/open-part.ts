import { withInput } from '../../../../contract/errors.ts';
import type { InputPart } from '../../tasks/task.ts';
import type { TaskContext } from '../sink.ts';
import type { MediaInput } from './media-input.ts';
import { openGrowingInput } from './open-growing-input.ts';
import { openInput } from './open-input.ts';

/** An input whose files are opened one after another. */
export interface InputParts {
  /** Index among the task's inputs. */
  readonly inputIndex: number;
  readonly jobInput: number;
  readonly parts: readonly InputPart[];
  /** Number of its first file in the task (`input-files.ts`). */
  readonly file: number;
}

/**
 * Opens a part of an input, given by its index. Waits until enough of a growing file has arrived.
 *
 * @throws MillraceError of {@link openInput}.
 */
export async function openPart(
  { inputIndex, jobInput, parts, file }: InputParts,
  part: number,
  { growingFiles, libraryLog }: TaskContext,
): Promise<MediaInput> {
  const inputPart = parts[part];
  if (inputPart === undefined) throw new Error(`input ${inputIndex} has no part ${part}`);
  const input = { ...inputPart, jobInput };
  const name = parts.length === 1 ? `Input ${jobInput + 1}` : `Part ${part + 1} of input ${jobInput + 1}`;
  const growingFile = growingFiles.get(file + part);
  try {
    return await (growingFile === undefined
      ? openInput(input, inputIndex, name, libraryLog)
      : openGrowingInput(input, inputIndex, name, libraryLog, growingFile));
  } catch (error) {
    throw withInput(error, jobInput);
  }
}
