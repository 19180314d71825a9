import type { Packet } from 'node-av/lib';
import { parseFlacFrame } from '../../formats/flac-frame.ts';
import { flacFrameNumber, renumberFlacFrame } from '../../formats/flac-renumber.ts';
import { replaceData } from '../replace-data.ts';
import type { Sink } from '../sink.ts';

/** A sink that numbers the frames of a FLAC stream from 0, because a clip of it begins with a later frame. */
export interface FlacRenumbering extends Sink {
  /** Number of samples so far. */
  readonly samples: number;
}

/** Creates a {@link FlacRenumbering} in front of a sink. Packets that are not frames pass unchanged. */
export function renumberFlac(sink: Sink): FlacRenumbering {
  let samples = 0;
  let first: number | undefined;
  const renumber = (packet: Packet) => {
    const { data } = packet;
    if (data === null) return;
    samples += parseFlacFrame(data)?.samples ?? 0;
    first ??= flacFrameNumber(data);
    const frame = first === undefined || first === 0 ? undefined : renumberFlacFrame(data, first);
    if (frame !== undefined) replaceData(packet, frame);
  };
  return {
    ...sink,
    get samples() {
      return samples;
    },
    push: (packet) => {
      renumber(packet);
      sink.push(packet);
    },
  };
}
