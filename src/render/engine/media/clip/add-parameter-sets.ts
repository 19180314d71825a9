import type { Packet, Stream } from 'node-av/lib';
import { isAnnexB } from '../../formats/nal-units.ts';
import { parameterSets } from '../../formats/parameter-sets.ts';
import type { Sink } from '../sink.ts';
import { replaceData } from './replace-data.ts';

/**
 * Returns a sink that puts the parameter sets of an H.264 stream before its first frame. In MPEG-TS, the muxer does so
 * only before frames that no later frame may refer across (IDR), but a clip may begin with another kind of key frame.
 *
 * @param stream - the source, whose header contains the parameter sets. Others contain them between their frames.
 */
export function addParameterSets(sink: Sink, { codecpar: { extradata } }: Stream): Sink {
  if (extradata === null || extradata.length < 7 || isAnnexB(extradata)) return sink;
  const lengthBytes = ((extradata[4] ?? 0) & 3) + 1;
  const sets = [...parameterSets('h264', extradata)].flatMap((set) => {
    const length = Buffer.alloc(lengthBytes);
    length.writeUIntBE(set.length, 0, lengthBytes);
    return [length, Buffer.from(set, 'latin1')];
  });
  let isFirst = true;
  return {
    ...sink,
    push: (packet: Packet) => {
      if (isFirst && packet.data !== null) replaceData(packet, Buffer.concat([...sets, packet.data]));
      isFirst = false;
      sink.push(packet);
    },
  };
}
