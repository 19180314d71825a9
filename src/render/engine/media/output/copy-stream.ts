import {
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_PNG,
  AV_DISPOSITION_ATTACHED_PIC,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, Dictionary, type Packet, type Stream, stringToFourCC } from 'node-av/lib';
import { toPrintable } from '../../errors/to-printable.ts';
import { KeyFrameReader } from '../../formats/key-frames.ts';
import { type CoverType, coverFileName } from '../../tags/cover.ts';
import {
  AudioEditListFilter,
  type EditListFilter,
  VideoEditListFilter,
  type WritePacket,
} from '../edit-list-filter.ts';
import type { HiddenLead } from '../input/hidden-lead.ts';
import type { Sink } from '../sink.ts';
import { ticksToSeconds } from '../timestamps.ts';
import { OverlapDetector } from './overlap-detector.ts';
import { pixelAspectOf } from './pixel-aspect.ts';
import type { OutputStream } from './result-writer.ts';

/**
 * Copies a stream unchanged into the result.
 *
 * @param lead - what of the stream is left out at its beginning.
 */
export function copyStream(from: Stream, output: OutputStream, muxer: string, lead?: HiddenLead): Sink {
  const { stream } = output;
  from.codecpar.copy(stream.codecpar);
  if (lead !== undefined) stream.codecpar.initialPadding -= lead.samples;
  stream.codecpar.codecTag = codecTagFor(from, muxer);
  stream.timeBase = from.timeBase;
  stream.avgFrameRate = from.avgFrameRate;
  // Muxers refuse two different pixel aspect ratios: that of the container, which players use, and that inside the
  // stream.
  stream.sampleAspectRatio = stream.codecpar.sampleAspectRatio = pixelAspectOf(from);
  copyDescription(from, stream);
  if (isTransparent(from)) stream.metadata = Dictionary.fromObject({ ...stream.metadata?.getAll(), alpha_mode: '1' });
  let base = from.timeBase;
  const overlap = new OverlapDetector();
  const dropsGaps = from.codecpar.codecId === AV_CODEC_ID_MOV_TEXT;
  const write = (packet: Packet) => {
    if (!(dropsGaps && isGap(packet)) && !overlap.overlaps(packet, base)) output.write(packet, base);
  };
  // A cover image has no timestamp, but muxers require one.
  const cover = from.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  const { codecType, frameSize, sampleRate } = from.codecpar;
  const frameSeconds = sampleRate > 0 ? frameSize / sampleRate : 0;
  const leadOf = (filter: EditListFilter | undefined) => {
    return filter instanceof VideoEditListFilter ? ticksToSeconds(filter.lead, from.timeBase) : undefined;
  };
  let editListFilter = cover ? undefined : createEditListFilter(from, write, lead?.packets);
  const firstFilter = editListFilter;
  return {
    leadSeconds: () => leadOf(firstFilter) ?? 0,
    push: (packet) => {
      if (cover) packet.pts = packet.dts = 0n;
      if (editListFilter === undefined) write(packet);
      else editListFilter.push(packet);
    },
    startPart: (next) => {
      editListFilter?.end();
      base = next?.stream.timeBase ?? base;
      if (codecType === AVMEDIA_TYPE_AUDIO) overlap.startPart(endOfAudio(output, frameSeconds));
      editListFilter = cover ? undefined : createEditListFilter(next?.stream ?? from, write);
    },
    end: () => editListFilter?.end(),
    droppedCount: () => overlap.count,
  };
}

/**
 * Returns the end of the audio so far in seconds if every packet plays in full, given the duration of a frame.
 * Fragmented MP4 states a shorter duration for a last packet that the encoder padded, but players that count samples
 * would fall behind.
 */
function endOfAudio(output: OutputStream, frameSeconds: number): number | undefined {
  const stats = output.stats();
  return stats === undefined ? undefined : Math.max(stats.end, stats.last + frameSeconds);
}

/**
 * Whether a timed text packet has no text: it fills the time between two cues (3GPP TS 26.245 §5.17). Muxers add such
 * packets by themselves. Copied ones would appear twice and shift the cues after them.
 */
function isGap({ data }: Packet): boolean {
  return data === null || data.length < 2 || data.readUInt16BE(0) === 0;
}

/**
 * Whether a Matroska or WebM video stores its transparency beside its packets. The library and its muxer recognise this
 * by the metadata tag.
 */
export function isTransparent({ metadata }: Stream): boolean {
  return metadata?.get('alpha_mode') === '1';
}

/** Creates the edit list filter of a part. Each part of an input has its own edit list. */
function createEditListFilter(
  { codecpar: { codecId, codecType, extradata } }: Stream,
  write: WritePacket,
  unneeded?: number,
): EditListFilter | undefined {
  if (codecType === AVMEDIA_TYPE_VIDEO) {
    const keyFrames = new KeyFrameReader(avGetCodecName(codecId) ?? 'unknown', extradata ?? Buffer.alloc(0));
    return new VideoEditListFilter(write, keyFrames);
  }
  return codecType === AVMEDIA_TYPE_AUDIO ? new AudioEditListFilter(write, unneeded) : undefined;
}

/**
 * Adds a cover image to a Matroska file in the form that the format requires: as an attached file, whose name tells
 * players what it is (https://www.matroska.org/technical/attachments.html). A stream would look like a film with one
 * frame.
 */
export function attachCover(picture: Buffer, type: CoverType, { stream }: OutputStream): Sink {
  const { codecpar } = stream;
  codecpar.codecType = AVMEDIA_TYPE_ATTACHMENT;
  codecpar.codecId = type === 'image/png' ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG;
  codecpar.extradata = picture;
  stream.metadata = Dictionary.fromObject({ filename: coverFileName(type), mimetype: type });
  return noopSink;
}

/** Sink for streams that are written with the header of the result. */
const noopSink: Sink = { push: () => undefined, startPart: () => undefined, end: () => undefined };

/** Copies a file attached to a Matroska file, which the demuxer has already read. */
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

/**
 * Copies the stream metadata that players display: language, title, and whether the stream is the default one or a
 * cover.
 */
export function copyDescription(from: Stream, to: Stream): void {
  to.disposition = from.disposition;
  // MP4 and QuickTime store a track's title as its name. FFmpeg reads it as `name`, but writes it from `title`.
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
 * Returns the four-letter codec tag for the container. The source's tag belongs to its own container, so the muxer
 * chooses one, except for HEVC in MP4 and QuickTime. There it would write `hev1`, which Apple's players refuse, even if
 * the header contains the parameter sets as `hvc1` requires.
 */
export function codecTagFor(from: Stream, muxer: string): number {
  const { codecId, codecTag, codecTagString, codecType } = from.codecpar;
  const mp4 = muxer === 'mp4' || muxer === 'mov';
  // For data, the tag is the only identification of the contents.
  if (mp4 && codecType === AVMEDIA_TYPE_DATA) return codecTag;
  return codecId === AV_CODEC_ID_HEVC && mp4 && codecTagString !== 'hev1' ? stringToFourCC('hvc1') : 0;
}
