import { AV_PKT_DATA_DOVI_CONF, type AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, type Stream } from 'node-av/lib';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { findStream, streamName } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import { isTransparent } from '../output/copy-stream.ts';
import type { TrackOutput } from '../output/track-output.ts';
import { lightLevelSideData } from '../output/transcode-video.ts';

/** Prefixes of the names of pixel formats with an alpha channel. */
const alphaFormats = ['yuva', 'gbrap', 'rgba', 'bgra', 'argb', 'abgr', 'ya8', 'ya16', 'ayuv', 'vuya'];

/**
 * Returns notes for encoded audio with another bit rate than requested.
 *
 * @param requested - in bit/s.
 */
export function bitRateNotes(
  outputs: readonly TrackOutput[],
  { encoders }: ContainerFormat,
  requested: number | undefined,
): OutputNote[] {
  const hasLoss = encoders.audio.some(({ bitRatePerChannel }) => bitRatePerChannel !== undefined);
  if (requested === undefined || !hasLoss) return [];
  return outputs.flatMap(({ track: { kind, action }, output: { stream } }): OutputNote[] => {
    const { bitRate, sampleRate, channels } = stream.codecpar;
    if (kind !== 'audio' || action === 'copy' || bitRate === BigInt(requested)) return [];
    const kilobits = (value: number) => `${Math.round(value / 1000)} kbit/s`;
    const format = `${sampleRate} Hz and ${channels} ${channels === 1 ? 'channel' : 'channels'}`;
    const message = `The audio has ${kilobits(Number(bitRate))} instead of ${kilobits(requested)}: its encoder does not support that with ${format}.`;
    return [{ code: 'audio_bitrate_limited', message }];
  });
}

/** Returns notes for audio channels, transparency and HDR metadata that encoders or the container cannot preserve. */
export function encodingLossNotes(
  outputs: readonly TrackOutput[],
  inputs: readonly MediaInput[],
  container: ContainerFormat,
): OutputNote[] {
  return outputs.flatMap(({ track: { kind, action, sources }, output }) => {
    return sources.flatMap((source): OutputNote[] => {
      if (source.cover || (kind !== 'video' && kind !== 'audio')) return [];
      const from = findStream(source, inputs);
      const name = streamName(source, inputs);
      const isEncoded = action !== 'copy';
      const notes = kind === 'audio' ? channelLossNotes(from, output.stream, name) : [];
      if (kind === 'video') notes.push(...videoLossNotes(from, source, isEncoded, container, name));
      return notes.map((note) => ({ ...note, input: source.jobInput }));
    });
  });
}

function channelLossNotes(from: Stream, to: Stream, name: string): OutputNote[] {
  const [sourceChannels, outputChannels] = [from.codecpar.channels, to.codecpar.channels];
  if (outputChannels === 0 || sourceChannels <= outputChannels) return [];
  return [
    {
      code: 'audio_mixed_down',
      message: `${name} was mixed down from ${sourceChannels} to ${outputChannels} channels.`,
    },
  ];
}

function videoLossNotes(
  from: Stream,
  { codec }: SourceStream,
  isEncoded: boolean,
  { title, losesDisplayMetadata, muxer }: ContainerFormat,
  name: string,
): OutputNote[] {
  const notes: OutputNote[] = [];
  // The format of a video stream is a pixel format.
  const pixels = avGetPixFmtName(from.codecpar.format as AVPixelFormat) ?? '';
  const alphaPixels = alphaFormats.some((format) => pixels.startsWith(format));
  // GIF is always decoded into pixels with alpha.
  if (isEncoded && (isTransparent(from) || (alphaPixels && codec !== 'gif'))) {
    notes.push({ code: 'transparency_lost', message: `${name} was encoded without its transparency.` });
  } else if (isTransparent(from) && muxer !== 'matroska' && muxer !== 'webm') {
    notes.push({
      code: 'transparency_lost',
      message: `${name} will play without transparency: ${title} cannot store it.`,
    });
  }
  const has = (type: Parameters<typeof from.codecpar.getCodedSideData>[0]) =>
    from.codecpar.getCodedSideData(type) !== null;
  if (has(AV_PKT_DATA_DOVI_CONF)) {
    // FFmpeg 8.1 as built for node-av 6.1 writes it in no container. Copies that need no FFmpeg, from MP4 to MP4, keep it.
    const message = isEncoded
      ? `${name} was encoded without its Dolby Vision metadata.`
      : `${name} was copied without its Dolby Vision configuration, which cannot be written to ${title}.`;
    notes.push({ code: 'hdr_metadata_lost', message });
  } else if (losesDisplayMetadata === true && lightLevelSideData.some(has)) {
    notes.push({
      code: 'hdr_metadata_lost',
      message: `${name} lost the HDR brightness levels of its container: ${title} cannot store them.`,
    });
  }
  return notes;
}
