import { AV_CODEC_ID_WEBVTT } from 'node-av/constants';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import { withFile } from '../../binary/byte-source.ts';
import { matchTracks, readMatroskaTracks } from '../../formats/matroska-tracks.ts';
import type { MediaInput } from './media-input.ts';

const matroska = 'matroska,webm';

/**
 * Sets the codec of WebVTT subtitles in Matroska (https://www.matroska.org/technical/codec_specs.html,
 * `S_TEXT/WEBVTT`). FFmpeg 8.1 knows only the WebM form, whose packets contain the same text.
 */
export function identifyWebVtt(input: MediaInput): MediaInput {
  const unknownSubtitles = input.sources.filter(({ kind, codec }) => kind === 'subtitle' && codec === 'unknown');
  if (input.format !== matroska || unknownSubtitles.length === 0) return input;
  const tracks = declaredTracks(input);
  const webVttIndexes = new Set(tracks.flatMap(({ codec, index }) => (codec === 'S_TEXT/WEBVTT' ? [index] : [])));
  const isWebVtt = (index: number) =>
    webVttIndexes.has(index) && unknownSubtitles.some((source) => source.index === index);
  for (const stream of input.streams) if (isWebVtt(stream.index)) stream.codecpar.codecId = AV_CODEC_ID_WEBVTT;
  return {
    ...input,
    sources: input.sources.map((source) => (isWebVtt(source.index) ? { ...source, codec: 'webvtt' } : source)),
  };
}

/** Returns notes about declared tracks that the media library does not deliver. */
export function hiddenTrackNotes(input: MediaInput): OutputNote[] {
  return declaredTracks(input).flatMap(({ codec, index, place }): OutputNote[] => {
    if (index !== undefined) return [];
    const what = codec === '' ? 'no codec' : `codec ${codec}`;
    const message = `Track ${place} of ${input.name.toLowerCase()} (${what}) was left out: the media library cannot read it.`;
    return [{ code: 'stream_left_out', message, input: input.jobInput }];
  });
}

/** Returns the declared tracks of a Matroska file, each with its stream index; track numbers count from 1. */
export function declaredTracks({ format, path, sources }: Pick<MediaInput, 'format' | 'path' | 'sources'>) {
  if (format !== matroska) return [];
  const tracks = withFile(path, readMatroskaTracks);
  const streams = sources.filter(({ kind, cover }) => kind !== 'attachment' && !cover);
  const places = matchTracks(tracks, streams);
  return tracks.map(({ codec, languageTag }, at) => {
    const place = places[at];
    return { codec, languageTag, place: at + 1, index: place === undefined ? undefined : streams[place]?.index };
  });
}
