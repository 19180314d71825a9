import type { OutputNote } from '../../contract/output-notes.ts';
import type { FetchedInput } from '../download/download-inputs.ts';
import { toPrintable } from '../engine/errors/to-printable.ts';

/** Maximum length of a reason, which may quote the file, in characters. */
const maxReasonLength = 200;

/** Returns a note for each input that was fetched whole although the job needs only a clip of it. */
export function clipNotes(inputs: readonly FetchedInput[]): OutputNote[] {
  return inputs.flatMap(({ wholeReason }, input): OutputNote[] => {
    if (wholeReason === undefined) return [];
    const reason = toPrintable(wholeReason).slice(0, maxReasonLength).toWellFormed();
    const message = `The whole of input ${input + 1} was downloaded for the clip: ${reason}.`;
    return [{ code: 'clip_without_index', message, input }];
  });
}
