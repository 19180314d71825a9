import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { OutputContainer } from '../../../../contract/containers.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { untimedError } from '../../track-plan/stream-messages.ts';
import type { PtsSource } from '../input/pts-source.ts';
import type { Sink } from '../sink.ts';

/**
 * Returns a sink that refuses frames without a presentation timestamp that were not detected when the file was opened.
 * Some muxers would refuse such frames; others would display them at their decoding time.
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
