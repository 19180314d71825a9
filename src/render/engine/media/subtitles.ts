import { AV_CODEC_ID_MOV_TEXT, AV_CODEC_ID_SUBRIP, AV_CODEC_ID_WEBVTT, AVMEDIA_TYPE_SUBTITLE } from 'node-av/constants';
import { avGetCodecName, type Stream } from 'node-av/lib';
import { type CueLoss, convertCue, lossOf, type SubtitleText, subtitleHeader } from '../subtitle-text.ts';
import { copyDescription } from './copy.ts';
import type { Sink } from './sink.ts';
import type { OutputStream } from './writer.ts';

const codecs = { subrip: AV_CODEC_ID_SUBRIP, webvtt: AV_CODEC_ID_WEBVTT, mov_text: AV_CODEC_ID_MOV_TEXT } as const;

/** Converts text subtitles to another text format, cue by cue; `what` names them in messages. */
export function convertSubtitles(from: Stream, output: OutputStream, to: SubtitleText, what: string): Sink {
  const { stream } = output;
  let codec = codecOf(from);
  stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
  stream.codecpar.codecId = codecs[to];
  const header = subtitleHeader(to);
  if (header !== undefined) stream.codecpar.extradata = header;
  stream.timeBase = from.timeBase;
  copyDescription(from, stream);
  let base = from.timeBase;
  const losses = new Map<CueLoss, number>();
  let cues = 0;
  return {
    push: (packet) => {
      if (packet.data === null) return;
      const loss = lossOf(packet.data, codec);
      if (loss !== undefined) losses.set(loss, (losses.get(loss) ?? 0) + 1);
      const cue = convertCue(packet.data, codec, to);
      if (cue !== undefined || loss !== undefined) cues += 1;
      if (cue === undefined) return;
      const { pts, dts, duration, flags } = packet;
      packet.data = cue;
      // New data makes it a new packet.
      packet.pts = pts;
      packet.dts = dts;
      packet.duration = duration;
      packet.flags = flags;
      output.write(packet, base);
    },
    follow: (next) => {
      if (next === undefined) return;
      codec = codecOf(next.stream);
      base = next.stream.timeBase;
    },
    end: () => undefined,
    lost: () => (losses.size === 0 ? undefined : lossesInWords(losses, cues, what)),
  };
}

function codecOf({ codecpar }: Stream): string {
  return avGetCodecName(codecpar.codecId) ?? 'unknown';
}

const lossWords: Readonly<Record<CueLoss, string>> = {
  drawing: 'drawings without text',
  damaged: 'damaged',
  'too long': 'too long, shortened',
};

function lossesInWords(losses: ReadonlyMap<CueLoss, number>, cues: number, what: string): string {
  const parts = [...losses].map(([loss, count]) => `${count} of ${cues} (${lossWords[loss]})`);
  return `${what} lost cues in the conversion: ${parts.join(', ')}.`;
}
