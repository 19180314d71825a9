import { decline, FastPathDeclined, withInputNumber } from '../binary/fast-path-declined.ts';
import { resultTooLargeError } from '../errors/limit-errors.ts';
import { noAdditions, type RequestedAdditions } from '../tasks/additions.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { EngineInput, ProcessTask } from '../tasks/task.ts';
import { refuseShortExcerpt } from '../timing/clip-rules.ts';
import type { TrackPlan } from '../track-plan/track.ts';
import { additionsInIndex, type IndexAdditions } from './additions/additions-in-index.ts';
import { clipTracks } from './clip-tracks.ts';
import { computeLayout } from './layout.ts';
import { type Movie, readMovie, SampleReader } from './movie-reader.ts';
import type { Mp4Container } from './movie-writer.ts';
import { type InputFile, openInputFile } from './open-files.ts';
import { buildReport, containerOf, planMp4Tracks } from './plan-tracks.ts';
import { refuseDamagedSamples } from './refuse-damaged-samples.ts';
import {
  declaredDurationsOf,
  namedFile,
  refuseMissingFragments,
  refuseShortDuration,
  refuseTruncated,
} from './refuse-incomplete.ts';
import { requireKeyFrames } from './require-key-frames.ts';
import { withLanguage } from './track-language.ts';
import { placeTracks, presentationEnd, type SourceTrack, type TrackTiming } from './track-timing.ts';
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
export async function remuxMp4(
  task: ProcessTask,
  pacer: Pacer,
  additions: RequestedAdditions = noAdditions,
): Promise<RemuxOutcome> {
  const files: InputFile[] = [];
  try {
    const container = containerOf(task);
    if (task.inputs.some(({ followedBy }) => followedBy !== undefined)) decline('an input consists of several files');
    if (task.inputs.some(({ segments }) => segments !== undefined)) decline('an input has segments to measure');
    for (const { path } of task.inputs) files.push(openInputFile(path));
    return { report: await remux(task, container, files, pacer, additions) };
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
  requested: RequestedAdditions,
): Promise<ProcessReport> {
  const jobInputs = task.inputs.map(({ jobInput }, at) => jobInput ?? at);
  const movies = files.map((file, at) => openMovie(file, jobInputs[at] ?? at, task.inputs[at]?.hasStatedSize));
  const trackPlan = planMp4Tracks(movies, task.operation, container, jobInputs);
  const tracks = readTracks(trackPlan, movies, files, jobInputs).map((source): SourceTrack => {
    return { ...source, track: withLanguage(source.track, task.inputs[source.input]?.language) };
  });
  const timings = placeTracks(tracks, task.inputs);
  movies.forEach((movie, at) => {
    const own = timings.filter((_, index) => tracks[index]?.input === at);
    const input = task.inputs[at];
    if (own.length === 0 || input === undefined) return;
    const jobInput = jobInputs[at] ?? at;
    if (input.excerptStart === undefined) refuseIncomplete(movie, own, input, jobInput);
    else if (task.clip !== undefined) {
      const { clip } = task;
      const end = Math.max(...own.map(({ delay, length }) => delay + length));
      withInputNumber(jobInput, () => refuseShortExcerpt(`Input ${jobInput + 1}`, end, input.duration, clip));
    }
  });
  const write = (writtenTracks: readonly SourceTrack[], writtenTimings: readonly TrackTiming[]) =>
    writeTracks(writtenTracks, writtenTimings, container, requested, task, files, jobInputs, pacer);
  if (task.clip === undefined) {
    const { bytes, reported } = await write(tracks, timings);
    return { ...buildReport(tracks, timings, bytes, trackPlan.notes, jobInputs), ...reported };
  }
  const clipped = clipTracks(tracks, timings, task.clip, jobInputs);
  const clippedTracks = clipped.tracks.map(({ source }) => source);
  requireKeyFrames(clippedTracks, files);
  const clippedTimings = clipped.tracks.map(({ timing }) => timing);
  const { bytes, reported } = await write(clippedTracks, clippedTimings);
  const notes = [...trackPlan.notes, ...clipped.notes];
  const stats = clipped.tracks.map((track) => track.stats);
  const report = buildReport(clippedTracks, clippedTimings, bytes, notes, jobInputs, stats);
  return { ...report, ...reported, duration: presentationEnd(clippedTimings), clip: clipped.report };
}

/** Writes the result. Returns its size in bytes, and what its report states about the additions. */
async function writeTracks(
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  container: Mp4Container,
  requested: RequestedAdditions,
  { output, maxOutputBytes }: ProcessTask,
  files: readonly InputFile[],
  jobInputs: readonly number[],
  pacer: Pacer,
): Promise<{ readonly bytes: number } & Pick<IndexAdditions, 'reported'>> {
  const additions = additionsInIndex({ chapters: [], ...requested }, presentationEnd(timings));
  const layout = computeLayout(tracks, timings, container, additions);
  if (layout.bytes > maxOutputBytes) throw resultTooLargeError(maxOutputBytes);
  const inspect = refuseDamagedSamples(tracks, timings, layout.samples(), jobInputs);
  await writeLayout(layout, files, output.path, pacer, inspect);
  return { bytes: layout.bytes, reported: additions.reported };
}

function refuseIncomplete(
  movie: Movie,
  timings: readonly TrackTiming[],
  { duration, hasStatedSize }: EngineInput,
  input: number,
): void {
  const file = namedFile(input, hasStatedSize);
  withInputNumber(input, () => {
    refuseShortDuration(
      file,
      timings,
      [{ seconds: duration ?? 0, why: 'its source declared a longer duration' }],
      false,
    );
    if (movie.fragments.length > 0)
      refuseShortDuration(file, timings, declaredDurationsOf(movie), timings.length < movie.tracks.length);
  });
}

function openMovie({ source }: InputFile, input: number, hasStatedSize: boolean | undefined): Movie {
  const file = namedFile(input, hasStatedSize);
  return withInputNumber(input, () => {
    if (source.read(4, 4).toString('latin1') !== 'ftyp') decline('it does not begin like an MP4 file');
    refuseTruncated(source, file);
    const movie = readMovie(source);
    refuseMissingFragments(movie, source.size, file);
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
