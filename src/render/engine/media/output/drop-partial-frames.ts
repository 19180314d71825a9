import { AV_CODEC_ID_AC3 } from 'node-av/constants';
import { MillraceError } from '../../../../contract/errors.ts';
import { isAc3Frame } from '../../formats/ac3-frame.ts';
import type { NamedStream, Sink } from '../sink.ts';

/** Number of frames that may be dropped: a second at 48 kHz, as when a stream is encoded. */
const MAX_DROPPED = 31;

/**
 * Returns a sink that drops the parts of frames with which a recording of AC-3 begins or ends, and those beside lost
 * bytes. Only some muxers would drop them, and no decoder can decode them.
 *
 * @param input - index of the job's input.
 * @returns The given sink itself for other codecs.
 * @throws MillraceError `input_unreadable` from its `push`, if more than a second would be lost.
 */
export function dropPartialFrames(sink: Sink, first: NamedStream, input: number): Sink {
  if (first.stream.codecpar.codecId !== AV_CODEC_ID_AC3) return sink;
  let { label } = first;
  let count = 0;
  return {
    ...sink,
    push: (packet) => {
      if (packet.data !== null && isAc3Frame(packet.data)) return sink.push(packet);
      count += 1;
      if (count > MAX_DROPPED) throw tooMuchLossError(label, input);
    },
    startPart: (next) => {
      if (next !== undefined) ({ label } = next);
      return sink.startPart(next);
    },
    droppedCount: () => count + (sink.droppedCount?.() ?? 0),
    describeLosses: () => {
      if (count === 0) return sink.describeLosses?.();
      return count === 1
        ? `${label} has a frame that is not complete, which is missing.`
        : `${label} has ${count} frames that are not complete, which are missing.`;
    },
  };
}

function tooMuchLossError(label: string, input: number): MillraceError {
  return new MillraceError(
    'input_unreadable',
    `${label} is damaged: more than a second of its frames is not complete. Use another source.`,
    { input },
  );
}
