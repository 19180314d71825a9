import { streamUse } from './operation-streams.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';
import { streamList, unreadableInputError } from './stream-messages.ts';

/**
 * Refuses an input whose only video has packets but no frame that can be read, if the operation keeps its video.
 *
 * @param streams - all streams of an input.
 * @throws MillraceError `input_unreadable`.
 */
export function refuseUnreadableVideo(streams: readonly SourceStream[], operation: EngineOperation): void {
  const videos = streams.filter((stream) => stream.kind === 'video' && !stream.cover);
  const unreadable = videos.filter((stream) => stream.unreadable === true && streamUse(stream, operation) === 'kept');
  const [first] = unreadable;
  if (first === undefined || videos.some(({ empty }) => !empty)) return;
  throw unreadableInputError(
    `No frame of ${streamList(unreadable)} can be read: none states its size and format. ` +
      'Use another source or quality, or the operation extract_audio.',
    first.jobInput,
  );
}
