import { AV_CODEC_ID_AC3 } from 'node-av/constants';
import { isAc3Frame } from '../../formats/ac3-frame.ts';
import type { NamedStream, Sink } from '../sink.ts';

/**
 * Returns a sink that drops the parts of frames with which a recording of AC-3 begins or ends, and those beside lost
 * bytes. Only some muxers would drop them, and no decoder can decode them.
 *
 * @returns The given sink itself for other codecs.
 */
export function dropPartialFrames(sink: Sink, first: NamedStream): Sink {
  if (first.stream.codecpar.codecId !== AV_CODEC_ID_AC3) return sink;
  let { label } = first;
  let count = 0;
  return {
    ...sink,
    push: (packet) => {
      if (packet.data !== null && isAc3Frame(packet.data)) sink.push(packet);
      else count += 1;
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
