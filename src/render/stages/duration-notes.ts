import type { JobOperation } from '../../contract/job.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { replacesAudio } from '../../contract/processing-faults.ts';
import type { ProbeReport } from '../engine/tasks/report.ts';

/** Maximum difference without a note, in seconds. */
const maxUnnotedDifference = 0.5;

/**
 * Returns a note if the audio of a result, which came from another input, ends earlier or later than its video, and the
 * job did not request it.
 */
export function durationNotes({ type, duration }: JobOperation, { streams }: ProbeReport): OutputNote[] {
  if (!replacesAudio(type) || duration === 'longest') return [];
  const endOf = (kind: 'video' | 'audio') =>
    Math.max(...streams.flatMap((stream) => (stream.kind === kind ? [endOfStream(stream)] : [])));
  const difference = endOf('audio') - endOf('video');
  if (!Number.isFinite(difference) || Math.abs(difference) <= maxUnnotedDifference) return [];
  const amount = `${Math.abs(difference).toFixed(1)} s`;
  return [{ code: 'durations_differ', message: messageOf(amount, difference > 0, duration === 'video') }];
}

function messageOf(amount: string, isLonger: boolean, isForVideo: boolean): string {
  if (isLonger) {
    return `The audio ends ${amount} after the video and was kept. Set operation.duration to video to end it there.`;
  }
  if (isForVideo)
    return `The audio ends ${amount} before the video. To fill it with silence, set copyStreams to false.`;
  return `The audio ends ${amount} before the video, whose rest is silent. Set operation.duration to shortest to end both.`;
}

function endOfStream({ stats, duration = Number.NaN }: ProbeReport['streams'][number]): number {
  return stats === undefined ? duration : (stats.plays ?? stats).end;
}
