import { audioFrames, sampleRate } from '../media/make/task.ts';
import { segmentSeconds } from '../media/recipes.ts';
import { parseTrack } from '../media/titles.ts';
import { bytesContent, type Content, contentBytes } from './content.ts';
import { trackFile } from './hls-files.ts';
import { segmentName } from './playlist.ts';
import type { CdnTools } from './tools.ts';
import { clockHertz, moveClock } from './transport-clock.ts';
import { packAudio } from './transport-packets.ts';
import { numbers, title, type UnusualPlaylist } from './unusual-lines.ts';

/** 44.1 kHz: its index in the headers of AAC (ISO/IEC 14496-3 table 1.18). */
const low = { hertz: 44_100, index: 4 } as const;
/** The bits of the third byte of an ADTS header that hold the index of the sample rate. */
const rateBits = { mask: 0x3c, shift: 2 } as const;
/** How much longer frames last at the low rate. */
const stretch = sampleRate / low.hertz;
/** Number of the first segment with the low rate. */
const firstLow = 4;

/**
 * Declares 44.1 instead of 48 kHz in the headers of the ADTS frames after some seconds. Both rates share their tables, so
 * the frames can be decoded; they last longer, and their pitch is lower.
 */
export function lowerRate(frames: Buffer, afterSeconds: number): void {
  const kept = Math.round((afterSeconds * sampleRate) / audioFrames.aac);
  for (let at = 0, frame = 0; at + 7 <= frames.length; frame += 1) {
    if (frame >= kept) {
      frames.writeUInt8((frames.readUInt8(at + 2) & ~rateBits.mask) | (low.index << rateBits.shift), at + 2);
    }
    // The size of a frame has 13 bits.
    at += (frames.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  }
}

/** A playlist of packed audio in two sample rates. */
export const ratePlaylists: Readonly<Record<string, UnusualPlaylist>> = {
  'rates.m3u8': {
    about: 'packed AAC whose sample rate is 44.1 kHz from its fourth segment on, without a discontinuity',
    lines: [
      '#EXT-X-VERSION:8',
      `#EXT-X-TARGETDURATION:${Math.ceil(segmentSeconds * stretch)}`,
      ...numbers.flatMap((number) => {
        const seconds = number < firstLow ? segmentSeconds : segmentSeconds * stretch;
        return [`#EXTINF:${seconds.toFixed(3)},`, `rates-${number}.aac`];
      }),
      '#EXT-X-ENDLIST',
    ],
  },
};

/** Returns a segment of {@link ratePlaylists}, such as `rates-4.aac`. */
export async function rateSegment({ cache }: CdnTools, name: string): Promise<Content | undefined> {
  const [, digit] = /^rates-([1-6])\.aac$/.exec(name) ?? [];
  const track = parseTrack('audio');
  if (digit === undefined || track === undefined) return undefined;
  const number = Number(digit);
  const segment = await trackFile(cache, title, track, segmentName(number));
  if (segment === undefined) return undefined;
  const later = Math.max(0, number - firstLow) * segmentSeconds * (stretch - 1);
  const packed = packAudio(moveClock(await contentBytes(segment), Math.round(later * clockHertz)));
  // The frames follow an ID3 tag, whose header of ten bytes ends with its size.
  if (number >= firstLow) lowerRate(packed.subarray(10 + packed.readUInt8(9)), 0);
  return bytesContent(packed, 'audio/aac');
}
