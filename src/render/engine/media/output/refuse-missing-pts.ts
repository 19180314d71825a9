import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { OutputContainer } from '../../../../contract/containers.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { untimedError } from '../../track-plan/stream-messages.ts';
import type { PtsSource } from '../input/pts-source.ts';
import type { Sink } from '../sink.ts';

/**
 * A sink that refuses frames of which the file does not say when they are shown, where that was not found when the file
 * was opened. Some muxers would refuse them, others show them when they are decoded.
 *
 * @throws MillraceError `incompatible_codecs`, from its `push`.
 */
export function refuseMissingPts(sink: Sink, source: SourceStream, ptsSource: PtsSource, ext: OutputContainer): Sink {
  return {
    ...sink,
    push: (packet) => {
      if (packet.pts === AV_NOPTS_VALUE) {
        if (ptsSource !== 'dts') throw untimedError([source], ext);
        packet.pts = packet.dts;
      }
      sink.push(packet);
    },
  };
}
