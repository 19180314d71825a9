import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { declaredTracks } from './matroska-streams.ts';
import { mayReorder, type PtsSource, ptsSourceOf } from './pts-source.ts';
import { readFirstPackets } from './read-first-packets.ts';

/** Demuxers of formats with one time for each packet: that of decoding. */
const dtsOnlyDemuxers: ReadonlySet<string> = new Set(['avi', 'asf']);

/** Bytes of an MPEG program stream in which packets without a time are looked for. */
const maxBytes = 20_000_000n;

/** A file whose streams are known. */
interface ProbedFile {
  readonly context: FormatContext;
  readonly format: string;
  readonly path: string;
  readonly sources: readonly SourceStream[];
}

/**
 * Finds out what a file says about when the frames of each stream are shown. AVI and ASF, and Matroska in its mode for
 * codecs of Video for Windows (https://www.matroska.org/technical/codec_specs.html, `V_MS/VFW/FOURCC`), store times of
 * decoding. An MPEG program stream stores times of the first frame that begins in a pack, and so not of small frames.
 *
 * @param reopen - opens the file again for the time of a call.
 */
export function findPtsSources(
  file: ProbedFile,
  reopen: (use: (reader: FormatContext) => void) => void,
): readonly PtsSource[] {
  const { context, format } = file;
  const { streams } = context;
  const reorderedIndexes = streams.filter(mayReorder).map(({ index }) => index);
  const storedIndexes = new Set(reorderedIndexes);
  if (dtsOnlyDemuxers.has(format)) storedIndexes.clear();
  if (reorderedIndexes.length > 0) {
    for (const index of findVideoForWindowsStreams(file)) storedIndexes.delete(index);
    if (format === 'mpeg') {
      reopen((reader) => {
        readFirstPackets(reader, maxBytes, reorderedIndexes, ({ pts, streamIndex }) => {
          return pts === AV_NOPTS_VALUE && storedIndexes.delete(streamIndex);
        });
      });
    }
  }
  return streams.map((stream) => ptsSourceOf(stream, storedIndexes.has(stream.index)));
}

/** Indexes of the streams of a Matroska file in the mode for Video for Windows. */
function findVideoForWindowsStreams(file: ProbedFile): number[] {
  return declaredTracks(file).flatMap(({ codec, index }) => (codec === 'V_MS/VFW/FOURCC' ? (index ?? []) : []));
}
