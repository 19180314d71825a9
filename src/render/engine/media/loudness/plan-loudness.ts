import { MillraceError } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import { containerFormats } from '../../formats/container-formats.ts';
import type { Tags } from '../../tags/tags.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import type { Track, TrackPlan } from '../../track-plan/track.ts';
import type { MediaInput } from '../input/media-input.ts';
import { type AudioGain, peakCeiling } from '../output/audio-gain.ts';
import { shareOf } from '../progress-share.ts';
import type { TaskContext } from '../sink.ts';
import type { Loudness } from './loudness-meter.ts';
import { measureTracks } from './measure-tracks.ts';
import { replayGainTags } from './replay-gain.ts';

/** Maximum difference from the requested loudness that is not corrected, in LU. */
const tolerance = 0.5;

/** Maximum difference from the requested loudness without a note, in LU. */
const notedDifference = 1;

/** Maximum amount by which the limiter lowers peaks, in decibels. More is audible as distortion. */
const maxLimiting = 12;

/** Maximum number of additional measurements, with the limiter. */
const maxCorrections = 2;

/** Fractions of a task's progress up to which each measurement counts. */
const progressSteps = [0.3, 0.4, 0.5] as const;

/** How the audio of a result reaches a loudness. */
export interface LoudnessPlan {
  /** Changes of the volume of encoded tracks. */
  readonly gains: ReadonlyMap<Track, AudioGain>;
  /** Tags that tell players how to change the volume of copied audio. */
  readonly tags: Tags;
  readonly notes: readonly OutputNote[];
  /** Fraction of the task that is done. */
  readonly progress: number;
}

/**
 * Measures the audio of a task, and decides how encoded tracks reach a loudness without exceeding the maximum peak.
 *
 * @param open - opens the inputs.
 * @throws MillraceError as for the operation itself.
 */
export async function planLoudness(
  task: ProcessTask,
  trackPlan: TrackPlan,
  open: () => Promise<readonly MediaInput[]>,
  taskContext: TaskContext,
): Promise<LoudnessPlan> {
  const { loudness: target } = task.operation;
  const audio = trackPlan.tracks.filter(({ kind }) => kind === 'audio');
  const [first] = audio;
  const gains = new Map<Track, AudioGain>();
  if (target === undefined) return { gains, tags: {}, notes: [], progress: 0 };
  if (first === undefined) {
    const note = loudnessNote('The result has no audio whose loudness could be changed.');
    return { gains, tags: {}, notes: [note], progress: 0 };
  }
  const measured = audio.filter((track) => track === first || track.action !== 'copy');
  const notes: OutputNote[] = [];
  const measure = async (tracks: readonly Track[], pass: number) => {
    const pacer = shareOf(taskContext.pacer, progressSteps[pass - 1] ?? 0, progressSteps[pass] ?? 1);
    return await measureTracks(task, trackPlan, tracks, gains, await open(), { ...taskContext, pacer });
  };
  const loudness = await measure(measured, 0).catch((error: unknown) => {
    // A stream that is only copied need not be decodable.
    const isCopy = measured.every(({ action }) => action === 'copy');
    if (isCopy && error instanceof MillraceError && error.code === 'input_unreadable') return undefined;
    throw error;
  });
  if (loudness === undefined) {
    const note = loudnessNote(`${nameOf(first)} cannot be decoded, so its loudness is not known.`, first);
    return { gains, tags: {}, notes: [note], progress: progressSteps[0] };
  }
  for (const [track, { lufs, peak }] of loudness) {
    if (lufs === undefined) {
      const reason = 'is silent or shorter than 0.4 seconds, so its loudness was not changed';
      notes.push(loudnessNote(`${nameOf(track)} ${reason}.`, track));
    } else if (track.action !== 'copy') gains.set(track, gainFor(target - lufs, peak));
  }
  const { reached, passes } = await correctLimited(target, gains, loudness, measure);
  for (const [track, lufs] of reached) {
    if (Math.abs(lufs - target) <= notedDifference) continue;
    const difference = `has a loudness of ${lufs.toFixed(1)} LUFS instead of ${target} LUFS`;
    notes.push(loudnessNote(`${nameOf(track)} ${difference}, because its peaks allow no more.`, track));
  }
  const own = loudness.get(first);
  const container = containerFormats[trackPlan.container];
  const tags =
    first.action === 'copy' && own?.lufs !== undefined
      ? replayGainTags(
          { loudness: { ...own, lufs: own.lufs }, target, codec: first.sources[0]?.codec ?? '' },
          container,
        )
      : {};
  const storesTags = container.additions !== undefined;
  if (!storesTags && Object.keys(tags).length > 0) {
    const reason = `is copied, and ${container.title} cannot store ReplayGain tags. Set copyStreams to false`;
    notes.push(loudnessNote(`${nameOf(first)} ${reason}.`, first));
  }
  notes.push(...audio.filter((track) => !measured.includes(track)).map(untaggedNote));
  return { gains, tags: storesTags ? tags : {}, notes, progress: progressSteps[passes] ?? 1 };
}

/** Measures what the limiter does, and raises the volume by what is missing. Returns the loudness of limited tracks. */
async function correctLimited(
  target: number,
  gains: Map<Track, AudioGain>,
  loudness: ReadonlyMap<Track, Loudness>,
  measure: (tracks: readonly Track[], pass: number) => Promise<ReadonlyMap<Track, Loudness>>,
): Promise<{ readonly reached: ReadonlyMap<Track, number>; readonly passes: number }> {
  const reached = new Map<Track, number>();
  let passes = 0;
  let open = [...gains].filter(([, { limited }]) => limited).map(([track]) => track);
  while (open.length > 0 && passes < maxCorrections) {
    passes += 1;
    const results = await measure(open, passes);
    open = open.filter((track) => {
      const [lufs, gain] = [results.get(track)?.lufs, gains.get(track)];
      if (lufs === undefined || gain === undefined) return false;
      reached.set(track, lufs);
      const peak = loudness.get(track)?.peak ?? 0;
      const corrected = gainFor(gain.decibels + target - lufs, peak);
      if (target - lufs <= tolerance || corrected.decibels <= gain.decibels || passes === maxCorrections) return false;
      gains.set(track, corrected);
      return true;
    });
  }
  return { reached, passes };
}

/** Returns a gain that the peak of the audio allows, with a limiter if necessary. */
function gainFor(decibels: number, peak: number): AudioGain {
  const headroom = peakCeiling - peak;
  // Audio that is to become quieter, or keeps its volume, may keep its peaks.
  if (decibels <= Math.max(0, headroom)) return { decibels, limited: false };
  return { decibels: Math.min(decibels, Math.max(0, headroom) + maxLimiting), limited: true };
}

function untaggedNote(track: Track): OutputNote {
  return loudnessNote(`${nameOf(track)} has no ReplayGain tags: those of the file apply to its first audio.`, track);
}

function nameOf({ action, sources: [source] }: Track): string {
  if (action === 'mix' || source === undefined) return 'The mixed audio';
  return `The ${source.codec} audio of input ${source.jobInput + 1}`;
}

function loudnessNote(message: string, track?: Track): OutputNote {
  const input = track?.action === 'mix' ? undefined : track?.sources[0]?.jobInput;
  return { code: 'loudness_not_reached', message, ...(input === undefined ? {} : { input }) };
}
