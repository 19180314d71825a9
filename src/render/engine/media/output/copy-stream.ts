import {
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_PNG,
  AV_DISPOSITION_ATTACHED_PIC,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Dictionary, type Packet, type Stream, stringToFourCC } from 'node-av/lib';
import { toPrintable } from '../../errors/to-printable.ts';
import {
  AudioEditListFilter,
  type EditListFilter,
  VideoEditListFilter,
  type WritePacket,
} from '../edit-list-filter.ts';
import type { Sink } from '../sink.ts';
import { OverlapDetector } from './overlap-detector.ts';
import { pixelAspectOf } from './pixel-aspect.ts';
import type { OutputStream } from './result-writer.ts';

/** Copies a stream as it is into the result. */
export function copyStream(from: Stream, output: OutputStream, muxer: string): Sink {
  const { stream } = output;
  from.codecpar.copy(stream.codecpar);
  stream.codecpar.codecTag = codecTagFor(from, muxer);
  stream.timeBase = from.timeBase;
  stream.avgFrameRate = from.avgFrameRate;
  // Muxers refuse two shapes of a pixel: the container's, which players go by, and the one inside the stream.
  stream.sampleAspectRatio = stream.codecpar.sampleAspectRatio = pixelAspectOf(from);
  copyDescription(from, stream);
  if (isTransparent(from)) stream.metadata = Dictionary.fromObject({ ...stream.metadata?.getAll(), alpha_mode: '1' });
  let base = from.timeBase;
  const overlap = new OverlapDetector();
  const dropsGaps = from.codecpar.codecId === AV_CODEC_ID_MOV_TEXT;
  const write = (packet: Packet) => {
    if (!(dropsGaps && isGap(packet)) && !overlap.overlaps(packet, base)) output.write(packet, base);
  };
  // A picture belongs to no time, and muxers want one.
  const cover = from.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  const { codecType, frameSize, sampleRate } = from.codecpar;
  const frameSeconds = sampleRate > 0 ? frameSize / sampleRate : 0;
  let editListFilter = cover ? undefined : createEditListFilter(codecType, write);
  return {
    push: (packet) => {
      if (cover) packet.pts = packet.dts = 0n;
      if (editListFilter === undefined) write(packet);
      else editListFilter.push(packet);
    },
    startPart: (next) => {
      editListFilter?.end();
      base = next?.stream.timeBase ?? base;
      if (codecType === AVMEDIA_TYPE_AUDIO) overlap.startPart(endOfAudio(output, frameSeconds));
      editListFilter = cover ? undefined : createEditListFilter(codecType, write);
    },
    end: () => editListFilter?.end(),
    overlapCount: () => overlap.count,
  };
}

/**
 * Seconds at which the audio so far ends if all of it is played, in frames of the given length: fragmented MP4 states a
 * shorter time for a last packet that the encoder filled up, but players that count samples would fall behind.
 */
function endOfAudio(output: OutputStream, frameSeconds: number): number | undefined {
  const stats = output.stats();
  return stats === undefined ? undefined : Math.max(stats.end, stats.last + frameSeconds);
}

/**
 * Whether a packet of timed text has no text: it fills the time between two cues (3GPP TS 26.245 §5.17). Muxers add such
 * packets by themselves, so copied ones would lie beside them, and move the cues after them.
 */
function isGap({ data }: Packet): boolean {
  return data === null || data.length < 2 || data.readUInt16BE(0) === 0;
}

/**
 * Whether a video of Matroska or WebM has its transparency beside its packets. The library knows it by these words, and
 * so does its muxer.
 */
export function isTransparent({ metadata }: Stream): boolean {
  return metadata?.get('alpha_mode') === '1';
}

/** Each part of an input has its own edit list. */
function createEditListFilter(codecType: number, write: WritePacket): EditListFilter | undefined {
  if (codecType === AVMEDIA_TYPE_VIDEO) return new VideoEditListFilter(write);
  return codecType === AVMEDIA_TYPE_AUDIO ? new AudioEditListFilter(write) : undefined;
}

/**
 * Puts a cover picture into a Matroska file the way the format asks for: as an attached file, whose name tells players
 * what it is (https://www.matroska.org/technical/attachments.html). As a stream it would pass for a film of one frame.
 */
export function attachCover(from: Stream, picture: Buffer, output: OutputStream): Sink {
  const { codecpar } = output.stream;
  const png = from.codecpar.codecId === AV_CODEC_ID_PNG;
  codecpar.codecType = AVMEDIA_TYPE_ATTACHMENT;
  codecpar.codecId = from.codecpar.codecId;
  codecpar.extradata = picture;
  output.stream.metadata = Dictionary.fromObject(
    png ? { filename: 'cover.png', mimetype: 'image/png' } : { filename: 'cover.jpg', mimetype: 'image/jpeg' },
  );
  return noopSink;
}

/** For streams that are written with the header of the result. */
const noopSink: Sink = { push: () => undefined, startPart: () => undefined, end: () => undefined };

/** Copies a file that is inside a Matroska file, which the demuxer has read already. */
export function attachFile(from: Stream, { stream }: OutputStream): Sink {
  from.codecpar.copy(stream.codecpar);
  stream.codecpar.codecTag = 0;
  const metadataOr = (key: string, fallback: string) => {
    return toPrintable(from.metadata?.get(key) ?? '').slice(0, 200) || fallback;
  };
  stream.metadata = Dictionary.fromObject({
    filename: metadataOr('filename', `attachment-${from.index}`),
    mimetype: metadataOr('mimetype', 'application/octet-stream'),
  });
  return noopSink;
}

/** Keeps what players show of a stream: its language and title, and whether it is the default one or a cover. */
export function copyDescription(from: Stream, to: Stream): void {
  to.disposition = from.disposition;
  // MP4 and QuickTime call a track's title its name; FFmpeg reads it as such, and writes it from the title.
  const sourceTags = {
    language: from.metadata?.get('language'),
    title: from.metadata?.get('title') ?? from.metadata?.get('name'),
  };
  const entries = Object.entries(sourceTags).flatMap(([key, value]) => {
    return value === null || value === undefined ? [] : [[key, toPrintable(value).slice(0, 200)] as const];
  });
  if (entries.length > 0) to.metadata = Dictionary.fromObject(Object.fromEntries(entries));
}

/**
 * The four letters that name the codec inside the container. The source's belong to its own container, so the muxer
 * chooses, but for HEVC in MP4 and QuickTime: it would write `hev1`, which Apple's players refuse, even where the
 * parameter sets stand in the header as `hvc1` demands.
 */
function codecTagFor(from: Stream, muxer: string): number {
  const { codecId, codecTag, codecTagString, codecType } = from.codecpar;
  const mp4 = muxer === 'mp4' || muxer === 'mov';
  // Of data, the letters are all that tells what it is.
  if (mp4 && codecType === AVMEDIA_TYPE_DATA) return codecTag;
  return codecId === AV_CODEC_ID_HEVC && mp4 && codecTagString !== 'hev1' ? stringToFourCC('hvc1') : 0;
}
