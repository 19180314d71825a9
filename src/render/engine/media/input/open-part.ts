import { withInput } from '../../../../contract/errors.ts';
import type { InputPart } from '../../tasks/task.ts';
import type { TaskContext } from '../sink.ts';
import { openGrowingInput } from './open-growing-input.ts';
import { openInput } from './open-input.ts';
import type { OpenInput } from './opened-input.ts';

/** An input whose files are opened one after the other. */
export interface PartsOfInput {
  /** Its index among the task's inputs. */
  readonly at: number;
  readonly jobInput: number;
  readonly parts: readonly InputPart[];
  /** Number of its first file in the task (`input-files.ts`). */
  readonly file: number;
}

/**
 * Opens a part of an input, given by its index. Waits until enough of a file that is still arriving is there.
 *
 * @throws MillraceError of {@link openInput}.
 */
export async function openPart(
  { at, jobInput, parts, file }: PartsOfInput,
  part: number,
  { growingFiles, libraryLog }: TaskContext,
): Promise<OpenInput> {
  const openedPart = parts[part];
  if (openedPart === undefined) throw new Error(`input ${at} has no part ${part}`);
  const input = { ...openedPart, jobInput };
  const name = parts.length === 1 ? `Input ${jobInput + 1}` : `Part ${part + 1} of input ${jobInput + 1}`;
  const growing = growingFiles.get(file + part);
  try {
    return await (growing === undefined
      ? openInput(input, at, name, libraryLog)
      : openGrowingInput(input, at, name, libraryLog, growing));
  } catch (error) {
    throw withInput(error, jobInput);
  }
}
