import type { OutputNote } from '../../../../contract/output-notes.ts';
import { partsOf } from '../../tasks/input-files.ts';
import type { EngineInput, ProcessTask } from '../../tasks/task.ts';
import type { CueStats } from '../../timing/cue-stats.ts';
import type { TrackPlan } from '../../track-plan/track.ts';
import type { FileStreams } from '../../verification/concatenate-stats.ts';
import type { ClipCutter } from '../clip/clip-cutter.ts';
import { identifyWebVtt } from '../input/matroska-streams.ts';
import type { MediaInput } from '../input/media-input.ts';
import { type InputParts, openPart } from '../input/open-part.ts';
import { type CleanSubtitles, openSubtitles } from '../input/open-subtitles.ts';
import type { Writer } from '../output/result-writer.ts';
import type { Sink, TaskContext } from '../sink.ts';
import { createClocks } from './input-clock.ts';
import { describeFirstPart } from './match-part.ts';
import { PartSequence } from './part-sequence.ts';
import { pump } from './pump.ts';
import { seekToClip } from './seek-to-clip.ts';
import type { SequenceMember } from './sequence-member.ts';

/**
 * Opens the first file of each input of a task.
 *
 * @param subtitles The inputs that are subtitle files, by their index.
 * @throws MillraceError of {@link openPart} and {@link openSubtitles}.
 */
export async function openInputs(
  { inputs: taskInputs }: ProcessTask,
  taskContext: TaskContext,
  subtitles: ReadonlyMap<number, CleanSubtitles>,
): Promise<readonly MediaInput[]> {
  const inputs: MediaInput[] = [];
  for (const parts of partsOfInputs(taskInputs)) {
    const file = subtitles.get(parts.inputIndex);
    const input =
      file === undefined
        ? identifyWebVtt(await openPart(parts, 0, taskContext))
        : await openSubtitles(file, taskContext.libraryLog);
    inputs.push(input);
  }
  return inputs;
}

/**
 * Creates the members for the inputs of a task, on the result's clock and with the sinks of their streams.
 *
 * @param cutter - set if the result is a clip. Files are then read from a time before it, if they have an index.
 */
export function createMembers(
  task: ProcessTask,
  trackPlan: TrackPlan,
  inputs: readonly MediaInput[],
  sinks: readonly ReadonlyMap<number, Sink>[],
  cutter?: ClipCutter,
): SequenceMember[] {
  const parts = partsOfInputs(task.inputs);
  const clocks = createClocks(
    inputs,
    sinks.map((map) => new Set(map.keys())),
    task.clip?.start,
  );
  const { type: operation } = task.operation;
  return inputs.flatMap((input, at): SequenceMember[] => {
    const [inputParts, clock, map] = [parts[at], clocks[at], sinks[at]];
    if (inputParts === undefined || clock === undefined || map === undefined) return [];
    const describe = () => describeFirstPart(input, trackPlan.tracks, task);
    const isSeeked = cutter !== undefined && inputParts.parts.length === 1 && seekToClip(input, clock);
    return [{ ...inputParts, operation, describe, input, clock, sinks: map, cutter, isSeeked }];
  });
}

/** Statistics of the inputs once they are read. */
interface InputSummary {
  /** Timing of their packets, by index among the task's inputs. */
  readonly stats: ReadonlyMap<number, FileStreams>;
  /** Start times of the cues of their subtitle streams, by index among the task's inputs. */
  readonly cues: ReadonlyMap<number, readonly (CueStats | undefined)[]>;
  readonly notes: readonly OutputNote[];
}

/**
 * Reads all packets of the inputs into their sinks.
 *
 * @throws MillraceError of {@link PartSequence} and of the writer.
 */
export async function readInputs(
  members: readonly SequenceMember[],
  writer: Pick<Writer, 'failed' | 'check'>,
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

/** Creates the sequences that read the inputs: one for all files of a job's input. */
function createSequences(members: readonly SequenceMember[], taskContext: TaskContext): readonly PartSequence[] {
  const sequences: PartSequence[] = [];
  for (const group of Map.groupBy(members, ({ jobInput }) => jobInput).values()) {
    const sequence = new PartSequence(group, taskContext);
    for (const { inputIndex } of group) sequences[inputIndex] = sequence;
  }
  return sequences;
}
