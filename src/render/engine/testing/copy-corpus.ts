import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputContainer, outputContainers } from '../../../contract/containers.ts';
import { MillraceError } from '../../../contract/errors.ts';
import { canHold, containerFormats, isAudioOnly } from '../formats/container-formats.ts';
import { LibraryLog } from '../media/library-log.ts';
import { probeFile } from '../media/probe-file.ts';
import { processWithLibrary } from '../media/process-with-library.ts';
import { tryFastPath } from '../media/try-fast-path.ts';
import { noAdditions } from '../tasks/additions.ts';
import { ProgressPacer } from '../tasks/progress-pacer.ts';
import { verifyResult } from '../verification/verify-result.ts';
import { isHindered } from './corpus/allowances.ts';
import { findClip } from './corpus/clips.ts';
import { differencesOf } from './corpus/compare-copies.ts';
import { timingDifferences } from './corpus/compare-timing.ts';
import { makeMember } from './corpus/make-member.ts';
import type { MediaDescription, StreamDescription } from './corpus/media-description.ts';
import { type Member, members } from './corpus/members.ts';
import type { Outcome } from './corpus/outcome.ts';
import { readMediaDescription } from './corpus/read-media-description.ts';
import { selectMembers } from './corpus/select-members.ts';
import { thirdPartyFiles, thirdPartyPath } from './corpus/third-party-files.ts';

/**
 * Creates files of the corpus, copies each into every container with the engine, and encodes those that test timing.
 * Prints one {@link Outcome} per line. Runs in a separate process, because it loads the media library.
 *
 * Usage: copy-corpus.ts directory whole|part shard shards
 */
const [directory = '.', extent = 'part', shard = '0', shards = '1'] = process.argv.slice(2);

const pacer = new ProgressPacer(() => undefined, process.ppid);
const isMine = (_: unknown, at: number) => at % Number(shards) === Number(shard);
const sourcePath = join(directory, `source-${shard}`);
for (const member of (extent === 'whole' ? members : selectMembers()).filter(isMine)) {
  await makeMember(member, sourcePath, new LibraryLog(directory));
  await attemptAll(member.name, sourcePath, (ext) => isEncoded(member, ext));
}
for (const name of thirdPartyFiles.filter(isMine)) await attemptAll(name, thirdPartyPath(name), (ext) => ext === 'mp4');
process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));

/** Copies a file into every container, and encodes it into some. */
async function attemptAll(
  member: string,
  path: string,
  shouldEncode: (ext: OutputContainer) => boolean,
): Promise<void> {
  const source = { member, path, description: readMediaDescription(path) };
  for (const ext of Object.keys(outputContainers) as OutputContainer[]) {
    printOutcome(await attempt(source, ext, true));
    if (shouldEncode(ext)) printOutcome(await attempt(source, ext, false));
  }
}

function printOutcome(outcome: Outcome): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}

/**
 * Returns whether a file is also encoded. This applies to files that test timing (those with several streams), into
 * containers with exact timestamps, and to files with packets that are empty (FLV) or have no timestamps (raw streams).
 */
function isEncoded({ source, streams }: Member, ext: OutputContainer): boolean {
  if (streams.length > 1) return ext === 'mp4' || ext === 'mkv';
  return (source === 'flv' || source === 'h264' || source === 'hevc') && ext === (hasVideo(streams) ? 'mp4' : 'm4a');
}

function hasVideo(streams: Member['streams']): boolean {
  return streams.some(({ clip }) => findClip(clip).kind === 'video');
}

/** A file of the corpus. */
interface Source {
  readonly member: string;
  readonly path: string;
  readonly description: MediaDescription;
}

async function attempt(
  { member, path, description }: Source,
  ext: OutputContainer,
  copyStreams: boolean,
): Promise<Outcome> {
  const to = join(directory, `result-${shard}.${ext}`);
  rmSync(to, { force: true });
  const taskContext = { libraryLog: new LibraryLog(directory), pacer, threads: 1, growingFiles: new Map() };
  const [output, operation] = [{ path: to, ext }, { type: 'convert_format', copyStreams } as const];
  try {
    const task = { directory, inputs: [{ path }], output, operation, maxOutputBytes: 1e9 };
    const report = await tryFastPath(
      task,
      noAdditions,
      taskContext,
      () => undefined,
      () => processWithLibrary(task, noAdditions, taskContext),
    );
    verifyResult(report, await probeFile({ directory, path: to, ext }, taskContext));
  } catch (error) {
    return {
      member,
      ext,
      ending: copyStreams ? 'refused' : 'encoded',
      faults: refusalFaults(error, description, ext, copyStreams),
    };
  }
  const result = readMediaDescription(to);
  if (!copyStreams) return { member, ext, ending: 'encoded', faults: timingDifferences(description, result) };
  const faults = differencesOf(description, result, ext);
  return {
    member,
    ext,
    ending: 'copied',
    faults: mayCopy(description, ext) ? faults : ['it was not refused', ...faults],
  };
}

/**
 * Returns the faults of a refusal. A refusal is only correct if the table of containers requires it and its error has
 * the matching code.
 */
function refusalFaults(error: unknown, source: MediaDescription, ext: OutputContainer, copyStreams: boolean): string[] {
  if (!(error instanceof MillraceError))
    return [`an error of no type: ${error instanceof Error ? error.stack : error}`];
  const right = error.code === 'incompatible_codecs' && copyStreams && !mayCopy(source, ext);
  return right ? [] : [`${error.code}: ${error.message}`];
}

/** Returns whether the table of containers allows copying all video and audio of a file. */
function mayCopy({ format, streams }: MediaDescription, ext: OutputContainer): boolean {
  const container = containerFormats[ext];
  const media = streams.filter(({ kind, flags }) => (kind === 'video' || kind === 'audio') && !flags.includes('cover'));
  const sounds = media.filter(({ kind }) => kind === 'audio').length;
  return (
    media.every((stream) => canHold(container, stream.kind, stream.codec) && !isHindered(stream, ext)) &&
    !(isAudioOnly(container) && media.length > sounds) &&
    (sounds <= 1 || !outputContainers[ext].oneStream) &&
    // Raw streams have no timestamps to copy, and other formats may not declare when their frames are presented.
    format !== 'h264' &&
    format !== 'hevc' &&
    !media.some(isUntimed)
  );
}

/**
 * Returns whether the file does not declare the presentation time of some frames, although it may differ from the
 * decoding time.
 */
function isUntimed({ packets, delay }: StreamDescription): boolean {
  const untimedCount = packets.filter(({ pts }) => pts === null).length;
  return untimedCount > 0 && (delay > 0 || untimedCount === packets.length);
}
