import { join } from 'node:path';
import type { Clip } from '../../contract/clip.ts';
import { MillraceError } from '../../contract/errors.ts';
import { imageExtensions, type Job } from '../../contract/job.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { removeFile } from '../../files/remove-tree.ts';
import type { FetchedAdditions } from '../download/additions/fetch-additions.ts';
import type { FetchedInput } from '../download/download-inputs.ts';
import type { Engine, TrackedCall } from '../engine/engine.ts';
import { maxSlideshowSeconds } from '../engine/slideshow/schedule.ts';
import type { ProbeReport, ProcessReport } from '../engine/tasks/report.ts';
import type { EngineInput, ProcessTask, TaskOperation } from '../engine/tasks/task.ts';
import { verifyResult } from '../engine/verification/verify-result.ts';
import { clipNotes } from './clip-notes.ts';
import { addedInputs, engineInputs, outputByteLimit, totalFileBytes } from './engine-inputs.ts';
import { gapNotes, renditionNotes } from './rendition-notes.ts';
import { type TaskParameters, taskParametersOf } from './task-parameters.ts';

/** How long each image is shown by default, in seconds. */
const defaultSecondsPerImage = 3;

/** Maximum difference between the durations of a video as written and as read, in seconds. */
const durationTolerance = 0.1;

/** A file that has not been verified. */
interface UnverifiedFile {
  readonly path: string;
  readonly report: ProcessReport;
  readonly notes: readonly OutputNote[];
}

/** A slideshow that has not been verified. */
interface UnverifiedSlideshow extends UnverifiedFile {
  /** The clip that remains to be verified: with sound, the clip was cut from the sound and verified there. */
  readonly clip: Clip | undefined;
}

/**
 * Makes a video from the images of a job and its sound: extracts the sound, which determines the duration, makes a
 * video from the images, and joins both. Both are verified before they are joined.
 *
 * @throws MillraceError of the engine, or `source_unsupported` if the sound is too long.
 */
export async function makeSlideshow(
  job: Job,
  inputs: readonly FetchedInput[],
  additions: FetchedAdditions | undefined,
  directory: string,
  engine: Engine,
  { signal, onProgress }: TrackedCall,
): Promise<UnverifiedSlideshow> {
  const slideshow = new Slideshow(job, inputs, additions, directory, engine, signal);
  const sound = await slideshow.extractSound((fraction) => onProgress(0.1 * fraction));
  const images = await slideshow.showImages(sound?.report.duration ?? 0, (fraction) => {
    onProgress(0.1 + 0.5 * fraction);
  });
  const result = await slideshow.join(images, sound, (fraction) => onProgress(0.6 + 0.4 * fraction));
  for (const { path } of [images, ...(sound === undefined ? [] : [sound])]) await removeFile(path);
  const clip = sound === undefined ? job.clip : undefined;
  return { ...result, notes: [...(sound?.notes ?? []), ...(sound?.report.notes ?? []), ...images.notes], clip };
}

type ReportProgress = (fraction: number) => void;

/** The sound of a slideshow, in a separate file. */
interface Sound extends UnverifiedFile {
  /** Whether its streams were copied. */
  readonly copied: boolean;
}

/** The steps of making a slideshow. */
class Slideshow {
  readonly #job: Job;
  readonly #inputs: readonly FetchedInput[];
  readonly #additions: FetchedAdditions | undefined;
  readonly #directory: string;
  readonly #engine: Engine;
  readonly #signal: AbortSignal;
  readonly #parameters: TaskParameters;
  /** Container of the intermediate files. Matroska can hold any sound until it is encoded to fit a size. */
  readonly #intermediateExt: string;
  readonly #maxOutputBytes: number;

  constructor(
    job: Job,
    inputs: readonly FetchedInput[],
    additions: FetchedAdditions | undefined,
    directory: string,
    engine: Engine,
    signal: AbortSignal,
  ) {
    this.#job = job;
    this.#inputs = inputs;
    this.#additions = additions;
    this.#directory = directory;
    this.#engine = engine;
    this.#signal = signal;
    this.#parameters = taskParametersOf(job, 'join_streams', additions?.cover);
    this.#intermediateExt = this.#isEncodedToSize ? 'mkv' : job.output.ext;
    const inputBytes = totalFileBytes(inputs.flatMap(({ files }) => files));
    this.#maxOutputBytes = outputByteLimit(inputBytes, false, job.output.maxSize);
  }

  get #isEncodedToSize(): boolean {
    return this.#job.output.maxSize !== undefined;
  }

  /** Index of the job's input that is its sound; -1 without sound. */
  get #soundIndex(): number {
    return this.#job.inputs.findIndex(({ ext }) => !isImage(ext));
  }

  /** Extracts the sound, or the requested part of it. Encodes it if the container cannot store it otherwise. */
  async extractSound(onProgress: ReportProgress): Promise<Sound | undefined> {
    const at = this.#soundIndex;
    if (at < 0) return undefined;
    const subtitles = this.#addedInputs('sound').map((input, index) => ({ ...input, jobInput: at + 1 + index }));
    const inputs = [...this.#engineInputs().filter(({ jobInput }) => jobInput === at), ...subtitles];
    const fetchNotes = [
      ...clipNotes(this.#inputs),
      ...gapNotes(this.#inputs),
      ...renditionNotes(this.#inputs, 'extract_audio'),
    ];
    const notes = fetchNotes.filter(({ input }) => input === at);
    if (!this.#isEncodedToSize && !this.#job.operation.copyStreams) {
      return { ...(await this.#encodeSound(inputs, onProgress)), notes, copied: false };
    }
    try {
      const operation = { type: 'extract_audio', copyStreams: true } as const;
      return { ...(await this.#processSound(inputs, operation, onProgress)), notes, copied: true };
    } catch (error) {
      if (!(error instanceof MillraceError) || error.code !== 'incompatible_codecs') throw error;
      return { ...(await this.#encodeSound(inputs, onProgress)), notes, copied: false };
    }
  }

  #encodeSound(inputs: readonly EngineInput[], onProgress: ReportProgress) {
    const { audioBitrate, loudness } = this.#job.operation;
    const operation = {
      type: 'extract_audio',
      copyStreams: false,
      ...(audioBitrate === undefined ? {} : { audioBitrate }),
      ...(loudness === undefined ? {} : { loudness }),
    } as const;
    return this.#processSound(inputs, operation, onProgress);
  }

  async #processSound(inputs: readonly EngineInput[], operation: TaskOperation, onProgress: ReportProgress) {
    const { clip, output } = this.#parameters;
    const { chapters } = output;
    const task = {
      ...this.#taskTo('sound', inputs, operation),
      ...(clip === undefined ? {} : { clip }),
    };
    const withChapters = { ...task, output: { ...task.output, ...(chapters === undefined ? {} : { chapters }) } };
    const report = await this.#engine.process(withChapters, { signal: this.#signal, onProgress });
    await this.#verify(task.output.path, report, clip);
    return { path: task.output.path, report };
  }

  /** Makes the video from the images, which repeat until the sound ends. */
  async showImages(soundSeconds: number, onProgress: ReportProgress): Promise<UnverifiedFile> {
    if (soundSeconds > maxSlideshowSeconds) {
      const hours = maxSlideshowSeconds / 3600;
      throw new MillraceError(
        'source_unsupported',
        `The audio lasts ${Math.round(soundSeconds)} s, but a slideshow lasts at most ${hours} hours. Set clip to a part of it.`,
      );
    }
    const { secondsPerImage = defaultSecondsPerImage, video } = this.#job.operation;
    const path = this.#pathOf('images');
    const images = this.#engineInputs().flatMap(({ path, jobInput = 0 }) => {
      return isImage(this.#job.inputs[jobInput]?.ext ?? '') ? [{ path, jobInput }] : [];
    });
    const task = {
      directory: this.#directory,
      images,
      output: { path, ext: this.#intermediateExt },
      secondsPerImage,
      soundSeconds,
      ...(video === undefined || this.#isEncodedToSize ? {} : { video }),
      maxOutputBytes: this.#maxOutputBytes,
    };
    const report = await this.#engine.makeSlideshow(task, { signal: this.#signal, onProgress });
    const probe = await this.#verify(path, report);
    if (Math.abs(probe.duration - report.duration) > durationTolerance) {
      const message = `The video lasts ${probe.duration.toFixed(1)} s instead of ${report.duration.toFixed(1)} s.`;
      throw new MillraceError('result_unproven', `${message} Start the same job again.`);
    }
    return { path, report, notes: report.notes };
  }

  /** Joins the video and the sound. They are encoded only to fit a size. */
  async join(
    images: UnverifiedFile,
    sound: Sound | undefined,
    onProgress: ReportProgress,
  ): Promise<Omit<UnverifiedFile, 'notes'>> {
    const { operation, output, clip } = this.#parameters;
    const { chapters, ...outputOfSound } = output;
    const { loudness } = operation;
    const copying = {
      type: 'join_streams',
      copyStreams: true,
      // Copied sound is not adjusted; tags tell players how to.
      ...(loudness === undefined || sound?.copied !== true ? {} : { loudness }),
    } as const;
    const path = join(this.#directory, `result.${output.ext}`);
    const firstImage = this.#job.inputs.findIndex(({ ext }) => isImage(ext));
    const inputs = [
      { path: images.path, jobInput: firstImage },
      ...(sound === undefined ? [] : [{ path: sound.path, jobInput: this.#soundIndex }]),
      ...this.#addedInputs('result'),
    ];
    const task = {
      ...this.#taskTo('result', inputs, this.#isEncodedToSize ? { ...operation, copyStreams: false } : copying),
      output: { ...(sound === undefined ? output : outputOfSound), path },
      ...(clip === undefined || sound !== undefined ? {} : { clip }),
    };
    return { path, report: await this.#engine.process(task, { signal: this.#signal, onProgress }) };
  }

  /** Returns the subtitles that the job adds to the sound, because they are cut with it, or else to the result. */
  #addedInputs(to: 'sound' | 'result'): EngineInput[] {
    const isCut = this.#job.clip !== undefined && this.#soundIndex >= 0;
    return this.#additions === undefined || isCut !== (to === 'sound') ? [] : addedInputs(this.#additions);
  }

  #engineInputs(): EngineInput[] {
    return engineInputs(
      this.#job,
      this.#inputs.map(({ files }) => files),
    );
  }

  #pathOf(name: string): string {
    return join(this.#directory, `slideshow-${name}.${this.#intermediateExt}`);
  }

  #taskTo(name: string, inputs: readonly EngineInput[], operation: TaskOperation): ProcessTask {
    return {
      directory: this.#directory,
      inputs,
      output: { path: this.#pathOf(name), ext: this.#intermediateExt },
      operation,
      maxOutputBytes: this.#maxOutputBytes,
    };
  }

  async #verify(path: string, report: ProcessReport, clip?: Clip): Promise<ProbeReport> {
    const task = { directory: this.#directory, path, ext: this.#intermediateExt };
    const probe = await this.#engine.probe(task, { signal: this.#signal });
    verifyResult(report, probe, clip);
    return probe;
  }
}

function isImage(ext: string): boolean {
  return imageExtensions.some((image) => image === ext);
}
