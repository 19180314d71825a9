import { containerFormats, isOutputContainer } from '../../formats/container-formats.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import type { MediaEnds } from '../../timing/duration-rules.ts';
import { planTracks } from '../../track-plan/track-plan.ts';
import { ClipCutter } from '../clip/clip-cutter.ts';
import { ignoredPackets, noWriter, type TaskContext } from '../sink.ts';
import { createMembers, openInputs, readInputs } from './read-inputs.ts';

/**
 * Reads the inputs of a task that takes audio from input 2, and measures when their media ends. What containers declare
 * may be wrong.
 *
 * @throws MillraceError as for the operation itself.
 */
export async function measureEnds(givenTask: ProcessTask, taskContext: TaskContext): Promise<MediaEnds> {
  const { ext } = givenTask.output;
  if (!isOutputContainer(ext)) throw new Error(`unknown container ${ext}`);
  const media = givenTask.inputs.filter(({ subtitles }) => subtitles === undefined);
  const task = { ...givenTask, inputs: media, clip: givenTask.clip ?? { start: 0 } };
  const inputs = await openInputs(task, taskContext, new Map());
  const sources = inputs.map((input) => input.sources);
  const trackPlan = planTracks(sources, task.operation, ext);
  const sinks = inputs.map(({ streams }) => new Map(streams.map(({ index }) => [index, ignoredPackets])));
  const cutter = new ClipCutter(task.clip, containerFormats[ext]);
  const cuts = cutter.cutAll(trackPlan.tracks, inputs, sinks);
  await readInputs(createMembers(task, trackPlan, inputs, cuts, cutter), noWriter, taskContext);
  return { video: cutter.endOf('video', 0), audio: cutter.endOf('audio', 1) };
}
