import { AV_DISPOSITION_DEFAULT } from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { withFile } from '../../binary/byte-source.ts';
import type { SubtitleFileFormat } from '../../subtitles/files/write-subtitles.ts';
import type { SubtitleInput } from '../../tasks/task.ts';
import type { SubtitleFile } from '../../track-plan/source-stream.ts';
import type { LibraryLog } from '../library-log.ts';
import { describeStream } from './describe-stream.ts';
import type { MediaInput } from './media-input.ts';
import { createPacketReader } from './packet-reader.ts';

/** A subtitle file that was parsed and written again. */
export interface CleanSubtitles extends Pick<MediaInput, 'inputIndex' | 'jobInput' | 'name' | 'path'> {
  readonly format: SubtitleFileFormat;
  readonly file: SubtitleFile;
  /** How its track is described. */
  readonly subtitles: SubtitleInput;
}

/**
 * Opens a subtitle file that this process has written. Other text never reaches the library's readers of subtitles.
 *
 * @throws MillraceError `input_unreadable`
 */
export async function openSubtitles(subtitles: CleanSubtitles, libraryLog: LibraryLog): Promise<MediaInput> {
  const { inputIndex, jobInput, name, path, format, file } = subtitles;
  const context = new FormatContext();
  const demuxer = format === 'vtt' ? 'webvtt' : 'srt';
  const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: demuxer });
  const result = context.openInputSync(`file:${path}`, InputFormat.findInputFormat(demuxer), options);
  if (result < 0) {
    throw await libraryLog.createError('input_unreadable', `${name} cannot be opened`, result, 'Use another file.');
  }
  const [stream] = context.streams;
  if (stream === undefined) throw new MillraceError('input_unreadable', `${name} has no subtitles. Use another file.`);
  describeTrack(stream, subtitles);
  return {
    inputIndex,
    jobInput,
    name,
    path,
    context,
    readPacket: createPacketReader(context, [undefined], []),
    streams: [stream],
    sources: [{ ...describeStream(stream, inputIndex, jobInput), subtitleFile: file }],
    format: demuxer,
    sourceClock: 'none',
    mayJump: false,
    untimed: false,
    ptsSources: ['stored'],
    starts: [undefined],
    completeness: 'whole',
    bytes: withFile(path, ({ size }) => size),
    hasStatedSize: false,
    excerptStart: undefined,
    expectedDuration: undefined,
    duration: undefined,
    streamDurations: [undefined],
    pausedTrackIds: new Set(),
  };
}

/** Describes a stream as tracks of the result take it over. */
function describeTrack(stream: MediaInput['streams'][number], { subtitles }: CleanSubtitles): void {
  const { title, default: isDefault } = subtitles;
  if (isDefault) stream.disposition = AV_DISPOSITION_DEFAULT;
  if (title !== undefined) stream.metadata = Dictionary.fromObject({ title });
}
