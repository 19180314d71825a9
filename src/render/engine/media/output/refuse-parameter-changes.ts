import { AV_PKT_DATA_NEW_EXTRADATA } from 'node-av/constants';
import { avGetCodecName, type Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import { hasNalUnits, isAnnexB } from '../../formats/nal-units.ts';
import { parameterSets } from '../../formats/parameter-sets.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { startOfPacket } from '../timestamps.ts';

/**
 * Returns a sink that refuses a copied stream if its parameter sets change within a part of the input. Except in
 * MPEG-TS, players read only the parameter sets in the header. They change with the frame size, for example.
 *
 * @param input - index of the job's input.
 * @returns The given sink itself for streams whose parameter sets cannot change or are allowed to change.
 * @throws MillraceError `incompatible_codecs` from its `push`.
 */
export function refuseParameterChanges(
  sink: Sink,
  first: NamedStream,
  input: number,
  container: ContainerFormat,
): Sink {
  const { extradata, codecId } = first.stream.codecpar;
  const codec = avGetCodecName(codecId) ?? '';
  if (!hasNalUnits(codec) || extradata === null || container.muxer === 'mpegts') return sink;
  // Without start codes, the parameter sets of keyframes are in a header, and changed ones arrive as a new header.
  const inFrames = isAnnexB(extradata);
  const declaredSets = new Set(parameterSets(codec, extradata));
  let seenKeyFrame = false;
  let { stream, label } = first;
  const setsOf = (packet: Packet) => {
    const bytes = inFrames ? packet.data : packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA);
    return bytes === null ? [] : [...parameterSets(codec, bytes)];
  };
  return {
    ...sink,
    push: (packet) => {
      if (packet.isKeyframe) {
        const sets = setsOf(packet);
        if (seenKeyFrame && sets.some((set) => !declaredSets.has(set)))
          throw parameterChangeError(label, packet, stream.timeBase, input, container);
        for (const set of sets) declaredSets.add(set);
        seenKeyFrame = true;
      }
      sink.push(packet);
    },
    startPart: (next) => {
      if (next !== undefined) ({ stream, label } = next);
      return sink.startPart(next);
    },
  };
}

function parameterChangeError(
  label: string,
  packet: Packet,
  base: NamedStream['stream']['timeBase'],
  input: number,
  { title }: ContainerFormat,
): MillraceError {
  const seconds = startOfPacket(packet, base) ?? 0;
  return new MillraceError(
    'incompatible_codecs',
    `${label} changes its size or encoding at ${seconds.toFixed(1)} s of the result, so a copy in ${title} ` +
      'would not play beyond that point. Set copyStreams to false to re-encode it.',
    { input },
  );
}
