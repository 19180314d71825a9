import { MillraceError } from '../../../../contract/errors.ts';
import { isoFormat } from '../../formats/demuxer-names.ts';
import type { EngineInput } from '../../tasks/task.ts';
import type { LibraryLog } from '../library-log.ts';
import type { GrowingFile } from './growing-file.ts';
import { isUndescribed } from './late-streams.ts';
import type { MediaInput } from './media-input.ts';
import { openInput } from './open-input.ts';

/** Number of bytes for the first attempt to open a file. It doubles with each attempt that needs more. */
const initialBytes = 512 * 1024;

/** Demuxers that read a file sequentially and need neither its end nor its size to open it. */
const sequentialDemuxers = new Set(['mpegts', isoFormat]);

/**
 * Opens a media file as soon as enough of it has arrived. An attempt counts only if it read nothing beyond the arrived
 * bytes, because its outcome is then the same as with the whole file. Other attempts are repeated with more bytes.
 *
 * @throws MillraceError of {@link openInput}, once the file is complete.
 */
export async function openGrowingInput(
  input: EngineInput,
  inputIndex: number,
  name: string,
  libraryLog: LibraryLog,
  growingFile: GrowingFile,
): Promise<MediaInput> {
  for (let bytes = initialBytes; !growingFile.whole; bytes *= 2) {
    await growingFile.waitForBytes(bytes);
    if (growingFile.whole) break;
    const openInputSoFar = await tryOpen(input, inputIndex, name, libraryLog);
    if (openInputSoFar === undefined) continue;
    if (growingFile.covers(Number(openInputSoFar.context.pbBytes))) {
      if (!sequentialDemuxers.has(openInputSoFar.format) || mayHaveLateStreams(openInputSoFar))
        await growingFile.waitForBytes(Number.POSITIVE_INFINITY);
      else {
        if (!openInputSoFar.sources.some(({ kind }) => kind === 'video')) growingFile.setAudioOnly();
        return openInputSoFar;
      }
    }
    openInputSoFar.context.closeInputSync();
  }
  return await openInput(input, inputIndex, name, libraryLog);
}

/** Whether an MPEG-TS stream may begin so late that the whole file is needed to describe it. */
function mayHaveLateStreams({ format, streams }: MediaInput): boolean {
  return format === 'mpegts' && streams.some(isUndescribed);
}

/**
 * Opens the bytes that have arrived; returns undefined if they are not enough. If the file is unreadable, the error is
 * reported once it is complete.
 */
async function tryOpen(
  input: EngineInput,
  inputIndex: number,
  name: string,
  libraryLog: LibraryLog,
): Promise<MediaInput | undefined> {
  try {
    return await openInput(input, inputIndex, name, libraryLog, 'growing');
  } catch (error) {
    if (error instanceof MillraceError) return undefined;
    throw error;
  }
}
