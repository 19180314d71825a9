import { AV_CODEC_ID_HEVC, AV_DISPOSITION_ATTACHED_PIC } from 'node-av/constants';
import { Dictionary, type Stream, stringToFourCC } from 'node-av/lib';
import type { Sink } from './sink.ts';
import { printable } from './words.ts';
import type { OutputStream } from './writer.ts';

/** Copies a stream as it is into the result. */
export function copyStream(from: Stream, output: OutputStream, muxer: string): Sink {
  const { stream } = output;
  from.codecpar.copy(stream.codecpar);
  stream.codecpar.codecTag = tagFor(from, muxer);
  stream.timeBase = from.timeBase;
  stream.avgFrameRate = from.avgFrameRate;
  stream.sampleAspectRatio = from.sampleAspectRatio;
  copyDescription(from, stream);
  const base = from.timeBase;
  // A picture belongs to no time, and muxers want one.
  const cover = from.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  return {
    push: (packet) => {
      if (cover) packet.pts = packet.dts = 0n;
      output.write(packet, base);
    },
    end: () => undefined,
  };
}

/** Keeps what players show of a stream: its language and title, and whether it is the default one or a cover. */
export function copyDescription(from: Stream, to: Stream): void {
  to.disposition = from.disposition;
  const kept = ['language', 'title'].flatMap((key) => {
    const value = from.metadata?.get(key);
    return value === null || value === undefined ? [] : [[key, printable(value).slice(0, 200)] as const];
  });
  if (kept.length > 0) to.metadata = Dictionary.fromObject(Object.fromEntries(kept));
}

/**
 * The four letters that name the codec inside the container. The source's belong to its own container, so the muxer
 * chooses, but for HEVC in MP4: it would write `hev1`, which Apple's players refuse, even where the parameter sets
 * stand in the header as `hvc1` demands.
 */
function tagFor(from: Stream, muxer: string): number {
  const { codecId, codecTagString } = from.codecpar;
  return codecId === AV_CODEC_ID_HEVC && muxer === 'mp4' && codecTagString !== 'hev1' ? stringToFourCC('hvc1') : 0;
}
