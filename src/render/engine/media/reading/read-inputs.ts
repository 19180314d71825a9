import type { OutputNote } from '../../../../contract/output-notes.ts';
import { partsOf } from '../../tasks/input-files.ts';
import type { EngineInput, ProcessTask } from '../../tasks/task.ts';
import type { CueStats } from '../../timing/cue-stats.ts';
import type { TrackPlan } from '../../track-plan/track.ts';
import type { FileStreams } from '../../verification/concatenate-stats.ts';
import { identifyWebVtt } from '../input/matroska-streams.ts';
import type { MediaInput } from '../input/media-input.ts';
import { type InputParts, openPart } from '../input/open-part.ts';
import type { Writer } from '../output/result-writer.ts';
import type { Sink, TaskContext } from '../sink.ts';
import { createClocks } from './input-clock.ts';
import { describeFirstPart } from './match-part.ts';
import { PartSequence } from './part-sequence.ts';
import { pump } from './pump.ts';
import type { SequenceMember } from './sequence-member.ts';

/**
 * Opens the first file of each input of a task.
 *
 * @throws MillraceError of {@link openPart}.
 */
export async function openInputs(task: ProcessTask, taskContext: TaskContext): Promise<readonly MediaInput[]> {
  const inputs: MediaInput[] = [];
  for (const parts of partsOfInputs(task.inputs)) inputs.push(identifyWebVtt(await openPart(parts, 0, taskContext)));
  return inputs;
}

/** The inputs of a task, on the result's clock, with where the packets of their streams go. */
export function createMembers(
  task: ProcessTask,
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  sinks: readonly ReadonlyMap<number, Sink>[],
): SequenceMember[] {
  const parts = partsOfInputs(task.inputs);
  const clocks = createClocks(
    inputs,
    sinks.map((map) => new Set(map.keys())),
  );
  const { type: operation } = task.operation;
  return inputs.flatMap((input, at): SequenceMember[] => {
    const [inputParts, clock, map] = [parts[at], clocks[at], sinks[at]];
    if (inputParts === undefined || clock === undefined || map === undefined) return [];
    const describe = () => describeFirstPart(input, trackPlan.tracks, task);
    return [{ ...inputParts, operation, describe, input, clock, sinks: map }];
  });
}

/** What is known about the inputs once they are read. */
interface InputSummary {
  /** Timing of their packets, by index among the task's inputs. */
  readonly stats: ReadonlyMap<number, FileStreams>;
  /** Starts of the cues of their subtitle streams, by index among the task's inputs. */
  readonly cues: ReadonlyMap<number, readonly (CueStats | undefined)[]>;
  readonly notes: readonly OutputNote[];
}

/**
 * Moves all packets of the inputs to where they go.
 *
 * @throws MillraceError of {@link PartSequence} and of the writer.
 */
export async function readInputs(
  members: readonly SequenceMember[],
  writer: Writer,
  taskContext: TaskContext,
): Promise<InputSummary> {
  const sequences = createSequences(members, taskContext);
  await pump(
    members.flatMap(
      ({ inputIndex }) => sequences[inputIndex]?.readers.filter(({ input }) => input.inputIndex === inputIndex) ?? [],
    ),
    async (reader) => (await sequences[reader.input.inputIndex]?.advance(reader)) ?? [],
    writer,
    taskContext,
  );
  return {
    stats: new Map(sequences.flatMap((sequence) => [...sequence.stats()])),
    cues: new Map(sequences.flatMap((sequence) => [...sequence.cues()])),
    notes: [...new Set(sequences)].flatMap(({ notes }) => notes),
  };
}

function partsOfInputs(inputs: readonly EngineInput[]): InputParts[] {
  let file = 0;
  return inputs.map((input, at) => {
    const parts = partsOf(input);
    const inputParts = { inputIndex: at, jobInput: input.jobInput ?? at, parts, file };
    file += parts.length;
    return inputParts;
  });
}

/** The sequence that reads each input: one for all files of a job's input. */
function createSequences(members: readonly SequenceMember[], taskContext: TaskContext): readonly PartSequence[] {
  const sequences: PartSequence[] = [];
  for (const group of Map.groupBy(members, ({ jobInput }) => jobInput).values()) {
    const sequence = new PartSequence(group, taskContext);
    for (const { inputIndex } of group) sequences[inputIndex] = sequence;
  }
  return sequences;
}
