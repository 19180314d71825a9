import { AV_CODEC_ID_MOV_TEXT, AV_CODEC_ID_SUBRIP, AV_CODEC_ID_WEBVTT, AVMEDIA_TYPE_SUBTITLE } from 'node-av/constants';
import { avGetCodecName, type Stream } from 'node-av/lib';
import {
  convertCue,
  findCueLoss,
  isPause,
  subtitleHeader,
  type TextSubtitleCodec,
} from '../../subtitles/subtitle-text.ts';
import type { Sink } from '../sink.ts';
import { copyDescription } from './copy-stream.ts';
import type { OutputStream } from './result-writer.ts';

const codecs = { subrip: AV_CODEC_ID_SUBRIP, webvtt: AV_CODEC_ID_WEBVTT, mov_text: AV_CODEC_ID_MOV_TEXT } as const;

/** Converts text subtitles to another text format, cue by cue. */
export function convertSubtitles(from: Stream, output: OutputStream, to: TextSubtitleCodec): Sink {
  const { stream, cues } = output;
  let codec = codecOf(from);
  stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
  stream.codecpar.codecId = codecs[to];
  const header = subtitleHeader(to);
  if (header !== undefined) stream.codecpar.extradata = header;
  stream.timeBase = from.timeBase;
  copyDescription(from, stream);
  let base = from.timeBase;
  return {
    push: (packet) => {
      const { data } = packet;
      if (data === null || (codec === 'mov_text' && isPause(data))) return;
      const loss = findCueLoss(data, codec);
      const cue = convertCue(data, codec, to);
      if (cue === undefined) {
        cues.addMissing(loss);
        return;
      }
      if (loss !== undefined) cues.addLoss(loss);
      const { pts, dts, duration, flags } = packet;
      packet.data = cue;
      // Assigning new data resets the packet, so its other fields are set again.
      packet.pts = pts;
      packet.dts = dts;
      packet.duration = duration;
      packet.flags = flags;
      output.write(packet, base);
    },
    startPart: (next) => {
      if (next === undefined) return;
      codec = codecOf(next.stream);
      base = next.stream.timeBase;
    },
    end: () => undefined,
  };
}

function codecOf({ codecpar }: Stream): string {
  return avGetCodecName(codecpar.codecId) ?? 'unknown';
}
