import type { OutputNote } from '../../../../contract/output-notes.ts';
import { isContinuous } from '../input/media-input.ts';
import type { InputClock } from './input-clock.ts';
import type { SequenceMember } from './sequence-member.ts';

/** A period on the result's clock without packets of a stream. Without an end, it lasts until the end of the result. */
interface Absence {
  readonly begin: number;
  readonly end?: number;
}

/** Detects where video or audio is missing in parts of an input. */
export class MissingStreams {
  readonly #jobInput: number;
  readonly #streams: readonly { readonly index: number; readonly kind: string; absences: Absence[] }[];

  constructor({ input, jobInput, sinks }: Pick<SequenceMember, 'input' | 'jobInput' | 'sinks'>) {
    this.#jobInput = jobInput;
    this.#streams = [...sinks.keys()]
      .filter((index) => isContinuous(input, index))
      .map((index) => ({ index, kind: input.sources[index]?.kind ?? '', absences: [] }));
  }

  /** Adds a part that was read. `pairs` are the indexes of its streams by those of the first part. */
  add(clock: InputClock, pairs: readonly (number | undefined)[]): void {
    for (const stream of this.#streams) {
      const own = pairs[stream.index];
      const absent = own === undefined || clock.extent(own) === undefined;
      const { absences } = stream;
      const last = absences.at(-1);
      const open = last !== undefined && last.end === undefined;
      if (absent && !open) absences.push({ begin: clock.begin });
      if (!absent && open) absences.splice(-1, 1, { ...last, end: clock.begin });
    }
  }

  /** Returns a note for each period in which a stream is missing. */
  notes(): OutputNote[] {
    return this.#streams.flatMap(({ kind, absences }) => {
      return absences.map(({ begin, end }): OutputNote => {
        const from = begin.toFixed(1);
        const period = end === undefined ? `after ${from} s` : `from ${from} s to ${end.toFixed(1)} s`;
        const message = `Input ${this.#jobInput + 1} has no ${kind} ${period}.`;
        return { code: 'stream_interrupted', message, input: this.#jobInput };
      });
    });
  }
}
