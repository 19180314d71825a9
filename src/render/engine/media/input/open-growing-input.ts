import { MillraceError } from '../../../../contract/errors.ts';
import { isoFormat } from '../../formats/demuxer-names.ts';
import type { EngineInput } from '../../tasks/task.ts';
import type { LibraryLog } from '../library-log.ts';
import type { GrowingFile } from './growing-file.ts';
import { isUndescribed } from './late-streams.ts';
import { openInput } from './open-input.ts';
import type { OpenInput } from './opened-input.ts';

/** Bytes with which opening is tried first; each try that wants more doubles them. */
const firstBytes = 512 * 1024;

/** Demuxers that read a file from its beginning to its end, and need neither its end nor its size to open it. */
const sequential = new Set(['mpegts', isoFormat]);

/**
 * Opens a media file as soon as enough of it has arrived. A try counts when it has seen nothing but what was there, so
 * that it learned what it would learn from the whole file; others are made again with more.
 *
 * @throws MillraceError of {@link openInput}, once the file is whole.
 */
export async function openGrowingInput(
  input: EngineInput,
  at: number,
  name: string,
  libraryLog: LibraryLog,
  growing: GrowingFile,
): Promise<OpenInput> {
  for (let bytes = firstBytes; !growing.whole; bytes *= 2) {
    await growing.reach(bytes);
    if (growing.whole) break;
    const opened = await tryOpening(input, at, name, libraryLog);
    if (opened === undefined) continue;
    if (growing.holds(Number(opened.context.pbBytes))) {
      if (!sequential.has(opened.format) || mayHaveLateStreams(opened)) await growing.reach(Number.POSITIVE_INFINITY);
      else {
        if (!opened.sources.some(({ kind }) => kind === 'video')) growing.setAudioOnly();
        return opened;
      }
    }
    opened.context.closeInputSync();
  }
  return await openInput(input, at, name, libraryLog);
}

/** Whether a stream of MPEG-TS may begin so late that the whole file is needed to describe it. */
function mayHaveLateStreams({ format, streams }: OpenInput): boolean {
  return format === 'mpegts' && streams.some(isUndescribed);
}

/** Opens what is there; nothing when that is no use yet. Why the whole file is none will be told when it is there. */
async function tryOpening(
  input: EngineInput,
  at: number,
  name: string,
  libraryLog: LibraryLog,
): Promise<OpenInput | undefined> {
  try {
    return await openInput(input, at, name, libraryLog, 'growing');
  } catch (error) {
    if (error instanceof MillraceError) return undefined;
    throw error;
  }
}
