import { AV_PKT_DATA_NEW_EXTRADATA } from 'node-av/constants';
import { avGetCodecName } from 'node-av/lib';
import { createPacketCheck, damagedPacketError } from '../../formats/packet-framing.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { startOfPacket } from '../timestamps.ts';

/**
 * Returns a sink that refuses a copied stream if a packet cannot be one of its codec: bytes were lost or replaced on
 * the way to the source or to us. A decoder would notice; a copy would carry the damage into the result.
 *
 * @param input - index of the job's input.
 * @returns The given sink itself for codecs whose packets cannot be checked.
 * @throws MillraceError `input_unreadable` from its `push`.
 */
export function refuseDamagedPackets(sink: Sink, first: NamedStream, input: number): Sink {
  const checkOf = ({ stream: { codecpar } }: NamedStream, extradata: Buffer | null) =>
    createPacketCheck(avGetCodecName(codecpar.codecId) ?? '', extradata ?? Buffer.alloc(0));
  let current = first;
  let check = checkOf(first, first.stream.codecpar.extradata);
  if (check === undefined) return sink;
  return {
    ...sink,
    push: (packet) => {
      const changed = packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA);
      if (changed !== null) check = checkOf(current, changed);
      const fault = check?.(packet.data ?? Buffer.alloc(0));
      if (fault !== undefined) {
        const seconds = startOfPacket(packet, current.stream.timeBase) ?? 0;
        throw damagedPacketError(current.label, seconds, fault, input);
      }
      sink.push(packet);
    },
    startPart: (next) => {
      if (next !== undefined) {
        current = next;
        check = checkOf(next, next.stream.codecpar.extradata);
      }
      return sink.startPart(next);
    },
  };
}
