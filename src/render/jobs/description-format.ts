import type { OutputContainer } from '../../contract/containers.ts';
import type { Job, JobInput, JobOperation, JobOutput, OperationType } from '../../contract/job.ts';

/*
 * During the rollout of a new version, workers of the previous version still claim jobs. They ignore members that they
 * do not know, so they would run a job with a new member incorrectly. Each member, operation and container therefore
 * has the number of the format that introduced it. A job's format is the highest number of those that it uses, and
 * workers claim jobs up to the highest format that they know. Format 1 is everything in version 0.1.0. Format 2 added
 * clips, additions to the result, encoding options and slideshows. Format 3 added deliveries, jobs of test keys,
 * volumes, durations, and more inputs.
 *
 * To add a member, operation or container, assign the next number that no release uses. A nested member, such as one of
 * `request`, needs its own table here.
 */

const jobMembers: Record<keyof Job, number> = {
  id: 1,
  inputs: 1,
  exit: 1,
  // Version 0.1.0 ignores it and runs the job correctly, but does not replace links that have died.
  origin: 1,
  // Version 0.1.0 ignores it and runs the job correctly.
  item: 1,
  output: 1,
  operation: 1,
  ttl: 1,
  brackets: 1,
  inputSize: 1,
  webhook: 1,
  clip: 2,
};

const inputMembers: Record<keyof JobInput, number> = {
  url: 1,
  ext: 1,
  request: 1,
  chunks: 1,
  hlsConcurrency: 1,
  timeout: 1,
  language: 2,
};

const outputMembers: Record<keyof JobOutput, number> = {
  ext: 1,
  downloadName: 1,
  metadata: 2,
  cover: 2,
  chapters: 2,
  subtitles: 2,
  maxSize: 2,
  delivery: 3,
};

const operationMembers: Record<keyof JobOperation, number> = {
  type: 1,
  copyStreams: 1,
  audioBitrate: 2,
  loudness: 2,
  video: 2,
  secondsPerImage: 2,
  duration: 3,
  volumes: 3,
};

const operationTypes: Record<OperationType, number> = {
  join_streams: 1,
  convert_format: 1,
  replace_audio_in_video: 1,
  extract_audio: 1,
  extract_video: 1,
  mix_audio_and_video: 1,
  no_process: 1,
  slideshow: 2,
};

const containers: Record<OutputContainer, number> = {
  mp4: 1,
  mov: 1,
  mkv: 1,
  webm: 1,
  ts: 1,
  m4a: 1,
  mp3: 1,
  ogg: 1,
  opus: 1,
  wav: 1,
  flac: 1,
  aac: 1,
};

/** The format of the jobs of test keys. An earlier version would download their inputs from the internet. */
const testFormat = 3;

/** The highest number of inputs of format 2. Its workers refuse reports about further inputs. */
const maxInputsOfFormat2 = 41;

/** The highest format that this version reads. */
export const readableFormat = Math.max(
  testFormat,
  ...[jobMembers, inputMembers, outputMembers, operationMembers, operationTypes, containers].flatMap((formats) =>
    Object.values(formats),
  ),
);

/**
 * Returns the lowest format that contains everything a job uses. A worker must read that format to run the job.
 *
 * @param isTest Whether a test key starts the job.
 */
export function requiredFormat(job: Job, isTest = false): number {
  return Math.max(
    isTest ? testFormat : 1,
    highest(jobMembers, membersOf(job)),
    job.inputs.length > maxInputsOfFormat2 ? 3 : 1,
    ...job.inputs.map((input) => highest(inputMembers, membersOf(input))),
    highest(outputMembers, membersOf(job.output)),
    highest(operationMembers, membersOf(job.operation)),
    highest(operationTypes, [job.operation.type]),
    highest(containers, [job.output.ext]),
  );
}

function membersOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [name]));
}

/**
 * Returns the highest format number among the names. Names without a number are values that callers choose, such as the
 * extension of a file that is not processed.
 */
function highest(formats: Readonly<Record<string, number>>, names: readonly string[]): number {
  return Math.max(1, ...names.map((name) => (Object.hasOwn(formats, name) ? (formats[name] ?? 1) : 1)));
}
