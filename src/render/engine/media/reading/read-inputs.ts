import type { OutputNote } from '../../../../contract/notes.ts';
import { partsOf } from '../../tasks/input-files.ts';
import type { EngineInput, ProcessTask } from '../../tasks/task.ts';
import type { CueFigures } from '../../timing/cue-stats.ts';
import type { Plan } from '../../track-plan/track-plan.ts';
import type { FileStreams } from '../../verification/concatenate-stats.ts';
import { nameWebVtt } from '../input/matroska-streams.ts';
import { openPart, type PartsOfInput } from '../input/open-part.ts';
import type { OpenInput } from '../input/opened-input.ts';
import type { Writer } from '../output/writer.ts';
import type { Sink, Workbench } from '../sink.ts';
import { createClocks } from './input-clock.ts';
import { describeFirst } from './match-part.ts';
import { Sequence } from './part-sequence.ts';
import { pump } from './pump.ts';
import type { Member } from './sequence-member.ts';

/**
 * Opens the first file of each input of a task.
 *
 * @throws MillraceError of {@link openPart}.
 */
export async function openAll(task: ProcessTask, bench: Workbench): Promise<readonly OpenInput[]> {
  const inputs: OpenInput[] = [];
  for (const parts of partsOfInputs(task.inputs)) inputs.push(nameWebVtt(await openPart(parts, 0, bench)));
  return inputs;
}

/** The inputs of a task, on the result's clock, with where the packets of their streams go. */
export function membersOf(
  task: ProcessTask,
  plan: Plan,
  inputs: readonly OpenInput[],
  sinks: readonly ReadonlyMap<number, Sink>[],
): Member[] {
  const parts = partsOfInputs(task.inputs);
  const clocks = createClocks(
    inputs,
    sinks.map((map) => new Set(map.keys())),
  );
  const { type: operation } = task.operation;
  return inputs.flatMap((input, at): Member[] => {
    const [own, clock, map] = [parts[at], clocks[at], sinks[at]];
    if (own === undefined || clock === undefined || map === undefined) return [];
    const describe = () => describeFirst(input, plan.tracks, task);
    return [{ ...own, operation, describe, input, clock, sinks: map }];
  });
}

/** What is known about the inputs once they are read. */
interface InputsRead {
  /** Timing of their packets, by index among the task's inputs. */
  readonly figures: ReadonlyMap<number, FileStreams>;
  /** Starts of the cues of their subtitle streams, by index among the task's inputs. */
  readonly cues: ReadonlyMap<number, readonly (CueFigures | undefined)[]>;
  readonly notes: readonly OutputNote[];
}

/**
 * Moves all packets of the inputs to where they go.
 *
 * @throws MillraceError of {@link Sequence} and of the writer.
 */
export async function readInputs(members: readonly Member[], writer: Writer, bench: Workbench): Promise<InputsRead> {
  const sequences = sequencesOf(members, bench);
  await pump(
    members.flatMap(({ at }) => sequences[at]?.readers.filter(({ input }) => input.at === at) ?? []),
    async (ended) => (await sequences[ended.input.at]?.follow(ended)) ?? [],
    writer,
    bench,
  );
  return {
    figures: new Map(sequences.flatMap((sequence) => [...sequence.figures()])),
    cues: new Map(sequences.flatMap((sequence) => [...sequence.cues()])),
    notes: [...new Set(sequences)].flatMap(({ notes }) => notes),
  };
}

function partsOfInputs(inputs: readonly EngineInput[]): PartsOfInput[] {
  let file = 0;
  return inputs.map((input, at) => {
    const parts = partsOf(input);
    const own = { at, jobInput: input.jobInput ?? at, parts, file };
    file += parts.length;
    return own;
  });
}

/** The sequence that reads each input: one for all files of a job's input. */
function sequencesOf(members: readonly Member[], bench: Workbench): readonly Sequence[] {
  const sequences: Sequence[] = [];
  for (const group of Map.groupBy(members, ({ jobInput }) => jobInput).values()) {
    const sequence = new Sequence(group, bench);
    for (const { at } of group) sequences[at] = sequence;
  }
  return sequences;
}
