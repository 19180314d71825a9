import { decline, FastPathDeclined, withInputNumber } from '../binary/fast-path-declined.ts';
import { resultTooLargeError } from '../errors/limit-errors.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { TrackPlan } from '../track-plan/track.ts';
import { computeLayout } from './layout.ts';
import { type Movie, readMovie, SampleReader } from './movie-reader.ts';
import type { Mp4Container } from './movie-writer.ts';
import { type InputFile, openInputFile } from './open-files.ts';
import { buildReport, containerOf, planMp4Tracks } from './plan-tracks.ts';
import {
  declaredDurationsOf,
  refuseMissingFragments,
  refuseShortDuration,
  refuseTruncated,
} from './refuse-incomplete.ts';
import { placeTracks, type SourceTrack, type TrackTiming } from './track-timing.ts';
import { type Pacer, writeLayout } from './write-layout.ts';

/** Outcome of a remux: a result, or the reason why the engine must do it. */
export type RemuxOutcome = { readonly report: ProcessReport } | { readonly declined: string };

/**
 * Carries out an operation that copies streams from MP4 files into an MP4 file, in one pass. The sample tables are read
 * first, so that the index can be written before the media. Unusual inputs are declined before anything is written. The
 * report has the same meaning as the engine's.
 *
 * @throws MillraceError `input_incomplete` for an input that is certainly cut short, `processing_failed` for a result
 * that is too large or cannot be written.
 */
export async function remuxMp4(task: ProcessTask, pacer: Pacer): Promise<RemuxOutcome> {
  const files: InputFile[] = [];
  try {
    const container = containerOf(task);
    if (task.inputs.some(({ followedBy }) => followedBy !== undefined)) decline('an input consists of several files');
    if (task.inputs.some(({ segments }) => segments !== undefined)) decline('an input has segments to measure');
    for (const { path } of task.inputs) files.push(openInputFile(path));
    return { report: await remux(task, container, files, pacer) };
  } catch (error) {
    if (error instanceof FastPathDeclined) return { declined: error.message };
    throw error;
  } finally {
    for (const file of files) file.close();
  }
}

async function remux(
  task: ProcessTask,
  container: Mp4Container,
  files: readonly InputFile[],
  pacer: Pacer,
): Promise<ProcessReport> {
  const jobInputs = task.inputs.map(({ jobInput }, at) => jobInput ?? at);
  const movies = files.map((file, at) => openMovie(file, jobInputs[at] ?? at));
  const trackPlan = planMp4Tracks(movies, task.operation, container, jobInputs);
  const tracks = readTracks(trackPlan, movies, files, jobInputs);
  const timings = placeTracks(tracks);
  movies.forEach((movie, at) => {
    const own = timings.filter((_, index) => tracks[index]?.input === at);
    if (own.length > 0) refuseIncomplete(movie, own, task.inputs[at]?.duration, jobInputs[at] ?? at);
  });
  const layout = computeLayout(tracks, timings, container);
  if (layout.bytes > task.maxOutputBytes) {
    throw resultTooLargeError(task.maxOutputBytes);
  }
  await writeLayout(layout, files, task.output.path, pacer);
  return buildReport(tracks, timings, layout.bytes, trackPlan.notes, jobInputs);
}

function refuseIncomplete(
  movie: Movie,
  timings: readonly TrackTiming[],
  duration: number | undefined,
  input: number,
): void {
  const name = `Input ${input + 1}`;
  withInputNumber(input, () => {
    refuseShortDuration(
      name,
      timings,
      [{ seconds: duration ?? 0, why: 'its source declared a longer duration' }],
      false,
    );
    if (movie.fragments.length > 0)
      refuseShortDuration(name, timings, declaredDurationsOf(movie), timings.length < movie.tracks.length);
  });
}

function openMovie({ source }: InputFile, input: number): Movie {
  const name = `Input ${input + 1}`;
  return withInputNumber(input, () => {
    if (source.read(4, 4).toString('latin1') !== 'ftyp') decline('it does not begin like an MP4 file');
    refuseTruncated(source, name);
    const movie = readMovie(source);
    refuseMissingFragments(movie, source.size, name);
    return movie;
  });
}

function readTracks(
  trackPlan: TrackPlan,
  movies: readonly Movie[],
  files: readonly InputFile[],
  jobInputs: readonly number[],
): SourceTrack[] {
  const plannedSources = trackPlan.tracks.flatMap(({ sources }) => sources);
  const samples = movies.map((movie, at) => {
    const source = files[at]?.source;
    const usedTracks = movie.tracks.filter((_, index) =>
      plannedSources.some((one) => one.input === at && one.index === index),
    );
    return withInputNumber(jobInputs[at] ?? at, () => {
      if (source === undefined || usedTracks.length === 0) return new Map();
      const reader = new SampleReader(movie, usedTracks, source.size);
      const place = { positionShift: 0, from: 0, to: source.size };
      for (const box of movie.fragments) reader.addFragment(source, box, place);
      return new Map(usedTracks.map((track) => [track.id, reader.finish(track, source.size)]));
    });
  });
  return plannedSources.map(({ input, index }) => {
    const track = movies[input]?.tracks[index];
    const list = track === undefined ? undefined : samples[input]?.get(track.id);
    if (track === undefined || list === undefined) throw new Error(`track ${index} of input ${input} was not read`);
    return { input, track, samples: list };
  });
}
