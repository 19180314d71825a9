import type { OutputContainer } from '../../../contract/containers.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import { canHold, containerFormats } from '../formats/container-formats.ts';
import { isMedia } from './operation-streams.ts';
import type { SourceStream } from './source-stream.ts';
import { leftOutNote } from './stream-messages.ts';

/**
 * Codecs that are never decoded. The decoder of AC-4 ends the process with a failed assertion if audio is damaged or
 * immersive (FFmpeg 8.1 with the patches of node-av 6.1).
 */
const undecodableCodecs = ['unknown', 'ac4'];

/** Whether a stream cannot be re-encoded. */
export function isUndecodable({ codec, lacksDecoder }: Pick<SourceStream, 'codec' | 'lacksDecoder'>): boolean {
  return lacksDecoder === true || undecodableCodecs.includes(codec);
}

/**
 * Leaves out the video and audio of an input that can be neither copied nor re-encoded if the input has another stream
 * of that kind. Phones record spatial audio in a codec of their own beside AAC. The only audio or video of an input
 * stays, for the plan to refuse.
 *
 * @param streams - the streams of an input that the operation keeps.
 */
export function leaveOutUndecodable(
  streams: readonly SourceStream[],
  ext: OutputContainer,
  copyStreams: boolean,
  notes: OutputNote[],
): SourceStream[] {
  const isLost = (stream: SourceStream) => {
    if (!isMedia(stream) || stream.kind === 'chapters' || !isUndecodable(stream)) return false;
    return !copyStreams || !canHold(containerFormats[ext], stream.kind, stream.codec);
  };
  return streams.filter((stream) => {
    const isReplaced = (other: SourceStream) => other.kind === stream.kind && isMedia(other) && !isLost(other);
    if (!isLost(stream) || !streams.some(isReplaced)) return true;
    notes.push(leftOutNote(stream, 'it can be neither copied nor decoded'));
    return false;
  });
}
