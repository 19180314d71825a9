import { AV_NOPTS_VALUE, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { KeyFrameReader } from '../../formats/key-frames.ts';
import type { MediaInput } from '../input/media-input.ts';
import { ticksToSeconds } from '../timestamps.ts';
import type { InputClock } from './input-clock.ts';

/** Demuxers that find any time by an index, so that skipping a part of the file loses nothing. */
const indexedDemuxers = new Set([isoFormat, 'matroska,webm']);
/** Seconds before the start of a clip from which a file is read: cues may still be displayed at the start. */
const leadSeconds = 10;
/** Number of frames of which one tells if a file calls all frames key frames. */
const testedFrames = 2;

/**
 * Skips the part of a whole file that is long before a clip. Returns whether it was skipped.
 *
 * @param clock - the clock of the file, on which the clip begins at 0.
 */
export function seekToClip(input: MediaInput, clock: InputClock): boolean {
  const { context, format, completeness, excerptStart, name } = input;
  const isWhole = completeness === 'whole' && excerptStart === undefined;
  if (!isWhole || !indexedDemuxers.has(format) || clock.begin > -2 * leadSeconds) return false;
  const seek = (seconds: number) => {
    return context.seekFrameSync(-1, BigInt(Math.floor(seconds * 1_000_000)), AVSEEK_FLAG_BACKWARD) >= 0;
  };
  const clipStart = -clock.origin;
  const target = clipStart - leadSeconds;
  if (!seek(target)) return false;
  const isMisled = lacksKeyFrame(input, clipStart);
  // The packets that were read must be read again.
  if (!seek(isMisled ? clipStart + clock.begin : target)) throw new Error(`${name} could not be rewound`);
  return !isMisled;
}

/** A video, and its packets as far as they were read. */
interface Video {
  readonly keyFrames: KeyFrameReader;
  /** Number of packets that were read, and of those that the file calls key frames. */
  packets: number;
  claims: number;
}

/**
 * Returns whether a video has packets from the current position to the clip, but no key frame among them, because the
 * index of its file marks other frames as key frames. Reads until this is known.
 *
 * @param clipStart - on the clock of the file, in seconds.
 */
function lacksKeyFrame({ context, streams, sources }: MediaInput, clipStart: number): boolean {
  const videos = new Map<number, Video>();
  for (const { index, kind, cover, codec } of sources) {
    const keyFrames = new KeyFrameReader(codec, streams[index]?.codecpar.extradata ?? Buffer.alloc(0));
    if (kind === 'video' && !cover) videos.set(index, { keyFrames, packets: 0, claims: 0 });
  }
  const packet = new Packet();
  packet.alloc();
  try {
    for (; videos.size > 0 && context.readFrameSync(packet) >= 0; packet.unref()) {
      const { streamIndex, pts, dts, data, isKeyframe } = packet;
      const [stream, video] = [streams[streamIndex], videos.get(streamIndex)];
      if (stream === undefined) continue;
      const time = ticksToSeconds(pts === AV_NOPTS_VALUE ? dts : pts, stream.timeBase);
      if (time !== undefined && time > clipStart) break;
      if (video === undefined) continue;
      video.packets += 1;
      if (!isKeyframe) continue;
      video.claims += 1;
      const tells = video.keyFrames.tells(data ?? Buffer.alloc(0));
      if (tells === false) video.keyFrames.isMisled = true;
      const isProven = tells === true || (video.claims === testedFrames && !video.keyFrames.isMisled);
      if (isProven) videos.delete(streamIndex);
    }
  } finally {
    packet.free();
  }
  return [...videos.values()].some(
    ({ packets, claims, keyFrames }) => packets > 0 && (claims === 0 || keyFrames.isMisled),
  );
}
