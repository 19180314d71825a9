import type { JobOperation } from '../../contract/job.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { replacesAudio } from '../../contract/processing-faults.ts';
import type { ProbeReport } from '../engine/tasks/report.ts';

/** Maximum difference without a note, in seconds. */
const maxUnnotedDifference = 0.5;

/**
 * Returns a note if the audio of a result ends earlier or later than its video, and the job did not request it. Only
 * audio from another input, or from a separate playlist of an HLS input, is compared.
 */
export function durationNotes(
  { type, duration }: JobOperation,
  { streams }: ProbeReport,
  hasSeparateAudio: boolean,
): OutputNote[] {
  const isReplaced = replacesAudio(type);
  if ((!isReplaced && !hasSeparateAudio) || duration === 'longest') return [];
  const endOf = (kind: 'video' | 'audio') =>
    Math.max(...streams.flatMap((stream) => (stream.kind === kind ? [endOfStream(stream)] : [])));
  const difference = endOf('audio') - endOf('video');
  if (!Number.isFinite(difference) || Math.abs(difference) <= maxUnnotedDifference) return [];
  const amount = `${Math.abs(difference).toFixed(1)} s`;
  const message = isReplaced
    ? messageOf(amount, difference > 0, duration === 'video')
    : `The audio ends ${amount} ${difference > 0 ? 'after' : 'before'} the video, because the playlists of both have different durations.`;
  return [{ code: 'durations_differ', message }];
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
