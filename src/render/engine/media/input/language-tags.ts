import { isoFormat } from '../../formats/demuxer-names.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { declaredTracks } from './matroska-streams.ts';
import type { MediaInput } from './media-input.ts';

/**
 * Adds the language tags of a Matroska or MP4 file to its audio and subtitles. FFmpeg 8.1 reads only codes, which have no
 * region and no script.
 *
 * @param mp4Tags - tags by track ID.
 */
export function withLanguageTags(
  input: Pick<MediaInput, 'format' | 'path' | 'streams' | 'sources'>,
  mp4Tags: ReadonlyMap<number, string>,
): readonly SourceStream[] {
  const { format, streams, sources } = input;
  const matroskaTags = new Map(declaredTracks(input).map(({ index, languageTag }) => [index, languageTag]));
  return sources.map((source) => {
    const id = streams[source.index]?.id;
    const tag = format === isoFormat && id !== undefined ? mp4Tags.get(id) : matroskaTags.get(source.index);
    const hasLanguage = source.kind === 'audio' || source.kind === 'subtitle';
    return tag === undefined || !hasLanguage ? source : { ...source, languageTag: tag };
  });
}
