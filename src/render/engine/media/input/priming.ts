import { AV_CODEC_ID_MP3, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { secondsToTicks, ticksToSeconds } from '../timestamps.ts';

/**
 * The tag in which iTunes states priming, padding and length of audio as hexadecimal numbers of samples, after a zero
 * (Apple TN2258).
 */
const primingTag = 'iTunSMPB';
const primingPattern = /^ ?[\da-f]{8} ([\da-f]{8}) /i;

/**
 * Finds the audio of MP4 files whose priming is stated by a tag of iTunes in place of an edit list. The library skips
 * the priming, but leaves the packets where they are: what is heard begins after the zero of the file. With an edit list,
 * it begins there.
 *
 * @returns The priming in seconds by stream index.
 */
export function findTaggedPriming({ iformat, metadata, streams }: FormatContext): ReadonlyMap<number, number> {
  const digits = primingPattern.exec(metadata?.get(primingTag) ?? '')?.[1];
  if (iformat?.name !== isoFormat || digits === undefined) return new Map();
  const samples = Number.parseInt(digits, 16);
  return new Map(
    streams.flatMap(({ index, codecpar: { codecType, sampleRate }, startTime, timeBase }) => {
      if (codecType !== AVMEDIA_TYPE_AUDIO || sampleRate <= 0 || samples === 0) return [];
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
