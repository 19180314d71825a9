import { aboutInput } from '../../../../contract/errors.ts';
import type { InputPart } from '../../tasks/task.ts';
import type { Workbench } from '../sink.ts';
import { openArriving } from './open-growing-input.ts';
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
  { arriving, words }: Workbench,
): Promise<OpenInput> {
  const found = parts[part];
  if (found === undefined) throw new Error(`input ${at} has no part ${part}`);
  const input = { ...found, jobInput };
  const name = parts.length === 1 ? `Input ${jobInput + 1}` : `Part ${part + 1} of input ${jobInput + 1}`;
  const growing = arriving.get(file + part);
  try {
    return await (growing === undefined
      ? openInput(input, at, name, words)
      : openArriving(input, at, name, words, growing));
  } catch (error) {
    throw aboutInput(error, jobInput);
  }
}
