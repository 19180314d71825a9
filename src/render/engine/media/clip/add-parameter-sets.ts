import type { Packet, Stream } from 'node-av/lib';
import { isAnnexB, lengthSizeOf, type NalCodec, nalTypeOf, nalUnitsOf } from '../../formats/nal-units.ts';
import { isParameterSet, parameterSets } from '../../formats/parameter-sets.ts';
import { replaceData } from '../replace-data.ts';
import type { Sink } from '../sink.ts';

/** Types of the NAL units that may only be the first of a picture (ITU-T H.264 §7.4.1.2.3, H.265 §7.4.2.4.4). */
const delimiters: Readonly<Record<NalCodec, number>> = { h264: 9, hevc: 35 };
const startCode = Buffer.from([0, 0, 0, 1]);

/**
 * Returns a sink that puts the parameter sets of a stream before its first frame, unless they are there. In MPEG-TS, the
 * muxer does so only before frames that no later frame may refer across (IDR), and some broadcasters do so only at the
 * beginning. But a clip may begin with another kind of key frame.
 *
 * @param stream - the source, whose header contains the parameter sets.
 */
export function addParameterSets(sink: Sink, codec: NalCodec, { codecpar: { extradata } }: Stream): Sink {
  if (extradata === null || extradata.length < 7) return sink;
  const frame = isAnnexB(extradata)
    ? (unit: Buffer) => [startCode, unit]
    : (unit: Buffer) => [lengthOf(unit, lengthSizeOf(codec, extradata)), unit];
  const sets = [...parameterSets(codec, extradata)].map((set) => Buffer.from(set, 'latin1'));
  let isFirst = true;
  return {
    ...sink,
    push: (packet: Packet) => {
      const units = isFirst && packet.data !== null ? nalUnitsOf(codec, extradata, packet.data) : [];
      isFirst = false;
      if (units.length > 0 && !units.some((unit) => isParameterSet(codec, unit))) {
        const [first = startCode] = units;
        const place = nalTypeOf(codec, first) === delimiters[codec] ? 1 : 0;
        replaceData(packet, Buffer.concat([...units.slice(0, place), ...sets, ...units.slice(place)].flatMap(frame)));
      }
      sink.push(packet);
    },
  };
}

function lengthOf(unit: Buffer, lengthSize: number): Buffer {
  const length = Buffer.alloc(lengthSize);
  length.writeUIntBE(unit.length, 0, lengthSize);
  return length;
}
