import { AV_CODEC_ID_AAC } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { type AdtsFrame, parseAdtsFrame } from '../../formats/adts-frame.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { startOfPacket } from '../timestamps.ts';

/** Muxers that store the header of each ADTS frame. All others store its contents once, in the header of the track. */
const keepsFrameHeaders: ReadonlySet<string> = new Set(['mpegts', 'adts']);

/**
 * Returns a sink that refuses copied AAC if the sample rate, channels or object type of its ADTS frames change within a
 * part of the input. Players would use those of the first frame for all, and play the rest at a wrong pitch.
 *
 * @param input - index of the job's input.
 * @returns The given sink itself for other audio, and for containers that store the change.
 * @throws MillraceError `incompatible_codecs` from its `push`.
 */
export function refuseAdtsChanges(sink: Sink, first: NamedStream, input: number, container: ContainerFormat): Sink {
  const { codecId, extradata } = first.stream.codecpar;
  const hasHeaders = codecId === AV_CODEC_ID_AAC && (extradata === null || extradata.length === 0);
  if (!hasHeaders || keepsFrameHeaders.has(container.muxer)) return sink;
  let { stream, label } = first;
  let declared: AdtsFrame | undefined;
  const refuse = (what: string, packet: Packet) => {
    const seconds = startOfPacket(packet, stream.timeBase) ?? 0;
    throw new MillraceError(
      'incompatible_codecs',
      `${label} changes ${what} at ${seconds.toFixed(1)} s of the result, so a copy in ${container.title} ` +
        'would not play correctly beyond that point. Set copyStreams to false to re-encode it.',
      { input },
    );
  };
  return {
    ...sink,
    push: (packet) => {
      const frame = packet.data === null ? undefined : parseAdtsFrame(packet.data);
      if (frame !== undefined) {
        const change = declared === undefined ? differenceFrom(stream, frame) : changeBetween(declared, frame);
        if (change !== undefined) refuse(change, packet);
        declared ??= frame;
      }
      sink.push(packet);
    },
    startPart: (next) => {
      if (next !== undefined) ({ stream, label } = next);
      return sink.startPart(next);
    },
  };
}

/** Returns what changes from one frame to another, for a message; undefined if nothing does. */
function changeBetween(before: AdtsFrame, after: AdtsFrame): string | undefined {
  if (before.sampleRate !== after.sampleRate) return rateChange(before.sampleRate, after.sampleRate);
  if (before.channels !== after.channels) return 'its channels';
  return before.objectType === after.objectType ? undefined : 'its encoding';
}

/**
 * Returns what changes from the beginning of a file to the first frame that is kept of it. The sample rate of HE-AAC is
 * twice that of its frames.
 */
function differenceFrom({ codecpar: { sampleRate } }: NamedStream['stream'], frame: AdtsFrame): string | undefined {
  const isSame = sampleRate === frame.sampleRate || sampleRate === 2 * frame.sampleRate || sampleRate === 0;
  return isSame ? undefined : rateChange(sampleRate, frame.sampleRate);
}

function rateChange(before: number, after: number): string {
  return `its sample rate from ${before} to ${after} Hz`;
}
