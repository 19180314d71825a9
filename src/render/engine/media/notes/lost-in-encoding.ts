import { AV_PKT_DATA_DOVI_CONF, type AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, type Stream } from 'node-av/lib';
import type { OutputNote } from '../../../../contract/notes.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { OpenInput } from '../input/opened-input.ts';
import { nameOf, streamOf } from '../input/source-streams.ts';
import { isTransparent } from '../output/copy-stream.ts';
import type { TrackOutput } from '../output/track-output.ts';
import { lightLevels } from '../output/transcode-stream.ts';

/** Beginnings of the names of pixel formats with an alpha channel. */
const alphaFormats = ['yuva', 'gbrap', 'rgba', 'bgra', 'argb', 'abgr', 'ya8', 'ya16', 'ayuv', 'vuya'];

/** Notes for channels of audio, transparency and HDR metadata that encoders or the container cannot keep. */
export function lostInEncoding(
  outputs: readonly TrackOutput[],
  inputs: readonly OpenInput[],
  container: ContainerFormat,
): OutputNote[] {
  return outputs.flatMap(({ track: { kind, action, sources }, output }) => {
    return sources.flatMap((source): OutputNote[] => {
      if (source.cover || (kind !== 'video' && kind !== 'audio')) return [];
      const from = streamOf(source, inputs);
      const name = nameOf(source, inputs);
      const encoded = action !== 'copy';
      const lost = kind === 'audio' ? lostChannels(from, output.stream, name) : [];
      if (kind === 'video') lost.push(...lostPicture(from, source, encoded, container, name));
      return lost.map((note) => ({ ...note, input: source.jobInput }));
    });
  });
}

function lostChannels(from: Stream, to: Stream, name: string): OutputNote[] {
  const [before, after] = [from.codecpar.channels, to.codecpar.channels];
  if (after === 0 || before <= after) return [];
  return [{ code: 'audio_mixed_down', message: `${name} was mixed down from ${before} to ${after} channels.` }];
}

function lostPicture(
  from: Stream,
  { codec }: SourceStream,
  encoded: boolean,
  { title, losesDisplayMetadata, muxer }: ContainerFormat,
  name: string,
): OutputNote[] {
  const notes: OutputNote[] = [];
  // The format of a video is one of pixels.
  const pixels = avGetPixFmtName(from.codecpar.format as AVPixelFormat) ?? '';
  const alphaPixels = alphaFormats.some((format) => pixels.startsWith(format));
  // Encoded GIF is always decoded into pixels with alpha.
  if (encoded && (isTransparent(from) || (alphaPixels && codec !== 'gif'))) {
    notes.push({ code: 'transparency_lost', message: `${name} was encoded without its transparency.` });
  } else if (isTransparent(from) && muxer !== 'matroska' && muxer !== 'webm') {
    notes.push({
      code: 'transparency_lost',
      message: `${name} will play without transparency: ${title} cannot store it.`,
    });
  }
  const has = (type: Parameters<typeof from.codecpar.getCodedSideData>[0]) =>
    from.codecpar.getCodedSideData(type) !== null;
  if (encoded && has(AV_PKT_DATA_DOVI_CONF)) {
    notes.push({ code: 'hdr_metadata_lost', message: `${name} was encoded without its Dolby Vision metadata.` });
  } else if (losesDisplayMetadata === true && lightLevels.some(has)) {
    notes.push({
      code: 'hdr_metadata_lost',
      message: `${name} lost the HDR brightness levels of its container: ${title} cannot store them.`,
    });
  }
  return notes;
}
