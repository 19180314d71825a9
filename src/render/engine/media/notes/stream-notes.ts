import type { OutputNote } from '../../../../contract/output-notes.ts';
import { type ContainerFormat, hasEditLists } from '../../formats/container-formats.ts';
import { maxUnnotedLead } from '../../timing/clip-rules.ts';
import { streamUse } from '../../track-plan/operation-streams.ts';
import type { EngineOperation } from '../../track-plan/source-stream.ts';
import { leftOutNote } from '../../track-plan/stream-messages.ts';
import { describeStream } from '../input/describe-stream.ts';
import { hiddenTrackNotes } from '../input/matroska-streams.ts';
import type { MediaInput } from '../input/media-input.ts';
import { isDropped, type TrackOutput } from '../output/track-output.ts';

/**
 * Returns notes that are known once all packets are read: streams of the result without packets, lost cues and lost
 * frames.
 */
export function outputNotes(outputs: readonly TrackOutput[], container: ContainerFormat): OutputNote[] {
  const droppedOutputs = outputs.filter((each) => isDropped(each, container));
  return [
    ...droppedOutputs.flatMap(({ track }) =>
      track.sources.map((source) => leftOutNote(source, 'its input has no packets for it')),
    ),
    ...outputs.flatMap(cueLossNotes),
    ...outputs.flatMap(frameLossNotes),
  ];
}

/**
 * Returns notes that are known once a file is read: streams that begin late, and streams that the media library does
 * not deliver.
 */
export function inputNotes(input: MediaInput, operation: EngineOperation): OutputNote[] {
  return [...hiddenTrackNotes(input), ...lateStreamNotes(input, operation)];
}

/** Returns notes for copied video that begins at a key frame before its edit list does, in results that are not clips. */
export function earlyVideoNotes(outputs: readonly TrackOutput[], container: ContainerFormat): OutputNote[] {
  if (hasEditLists(container)) return [];
  return outputs.flatMap(({ track: { action, sources }, sinks }): OutputNote[] => {
    const [lead, source] = [sinks[0]?.leadSeconds?.() ?? 0, sources[0]];
    if (action !== 'copy' || source === undefined || lead <= maxUnnotedLead) return [];
    const input = source.jobInput;
    const message = `The video of input ${input + 1} begins ${lead.toFixed(1)} s earlier than in its source, at a key frame, because ${container.title} cannot hide what precedes the start.`;
    return [{ code: 'starts_at_key_frame', message, input }];
  });
}

function cueLossNotes({ track, output }: TrackOutput): OutputNote[] {
  return track.sources.flatMap(({ codec, kind, jobInput, subtitleFile }): OutputNote[] => {
    const addition = subtitleFile?.addition;
    const label =
      addition === undefined ? `The ${codec} ${kind} of input ${jobInput + 1}` : `Subtitles ${addition + 1}`;
    const message = output.cues.describeLosses(label);
    if (message === undefined) return [];
    return [{ code: 'subtitle_cues_left_out', message, ...(addition === undefined ? { input: jobInput } : {}) }];
  });
}

function frameLossNotes({ track, sinks }: TrackOutput): OutputNote[] {
  return sinks.flatMap((sink, at): OutputNote[] => {
    const [message, input] = [sink.describeLosses?.(), track.sources[at]?.jobInput];
    return message === undefined || input === undefined ? [] : [{ code: 'frames_left_out', message, input }];
  });
}

/**
 * Returns notes for late streams. MPEG-TS, MPEG-PS and FLV can begin a stream anywhere, but the result's streams are
 * fixed before its first packet.
 */
function lateStreamNotes(
  { context, streams, inputIndex, jobInput }: MediaInput,
  operation: EngineOperation,
): OutputNote[] {
  return context.streams
    .slice(streams.length)
    .map((stream) => describeStream(stream, inputIndex, jobInput))
    .filter((source) => streamUse(source, operation) !== 'excluded')
    .map((source) => leftOutNote(source, 'it begins too late in the file to be found when the file is opened'));
}
