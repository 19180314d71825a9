import { AV_CODEC_ID_MP3, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { parsePriming, primingTag } from '../../formats/itunes-priming.ts';
import { secondsToTicks, ticksToSeconds } from '../timestamps.ts';

/**
 * Finds the audio of MP4 files whose priming is stated by a tag of iTunes in place of an edit list. The library skips
 * the priming, but leaves the packets where they are: what is heard begins after the zero of the file. With an edit list,
 * it begins there.
 *
 * @returns The priming in seconds by stream index.
 */
export function findTaggedPriming({ iformat, metadata, streams }: FormatContext): ReadonlyMap<number, number> {
  const samples = parsePriming(metadata?.get(primingTag) ?? '');
  if (iformat?.name !== isoFormat || samples === 0) return new Map();
  return new Map(
    streams.flatMap(({ index, codecpar: { codecType, sampleRate }, startTime, timeBase }) => {
      if (codecType !== AVMEDIA_TYPE_AUDIO || sampleRate <= 0) return [];
      const seconds = samples / sampleRate;
      return startTime === secondsToTicks(seconds, timeBase) ? [[index, seconds]] : [];
    }),
  );
}

/**
 * Declares the priming of MP3 files, which the library knows only as a start time, so that muxers can store it:
 * Matroska, and the Xing header of MP3.
 */
export function declareMp3Priming({ codecpar, startTime, timeBase }: Stream): void {
  const seconds = ticksToSeconds(startTime, timeBase) ?? 0;
  if (codecpar.codecId === AV_CODEC_ID_MP3 && codecpar.initialPadding === 0)
    codecpar.initialPadding = Math.max(0, Math.round(seconds * codecpar.sampleRate));
}
