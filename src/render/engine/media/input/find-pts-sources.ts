import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { declaredTracks } from './matroska-streams.ts';
import { mayReorder, type PtsSource, ptsSourceOf } from './pts-source.ts';
import { readFirstPackets } from './read-first-packets.ts';

/** Demuxers of formats that store only a decoding timestamp with each packet. */
const dtsOnlyDemuxers: ReadonlySet<string> = new Set(['avi', 'asf']);

/** Number of bytes of an MPEG program stream that are searched for packets without a timestamp. */
const maxBytes = 20_000_000n;

/** An opened file with known streams. */
interface ProbedFile {
  readonly context: FormatContext;
  readonly format: string;
  readonly path: string;
  readonly sources: readonly SourceStream[];
}

/**
 * Determines which timestamps a file stores for the frames of each stream. AVI and ASF store decoding timestamps. So
 * does Matroska in its mode for Video for Windows codecs (https://www.matroska.org/technical/codec_specs.html,
 * `V_MS/VFW/FOURCC`). An MPEG program stream stores the timestamp of the first frame that begins in a pack, so small
 * frames may have no timestamp.
 *
 * @param reopen - opens the file again for the duration of a call.
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

/** Returns the indexes of a Matroska file's streams in Video for Windows mode. */
function findVideoForWindowsStreams(file: ProbedFile): number[] {
  return declaredTracks(file).flatMap(({ codec, index }) => (codec === 'V_MS/VFW/FOURCC' ? (index ?? []) : []));
}
