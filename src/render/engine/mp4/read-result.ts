import { openToRead } from '../../../files/open-file.ts';
import type { ByteSource } from '../claims/byte-source.ts';
import type { ProbeReport, StreamSummary } from '../engine.ts';
import { topBoxes } from './boxes.ts';
import { Declined, decline } from './declined.ts';
import { readMovie, SampleReader } from './movie.ts';
import { sampleFigures } from './sample-figures.ts';
import type { SampleList } from './samples.ts';
import type { Track } from './tracks.ts';

/** Bytes in front of the media that are read, which hold the index of several minutes of video. */
export const headBytes = 256 * 1024;
/** Samples of all tracks that are read. Reading them blocks the process for about 15 ms. */
const mostSamples = 64 * 1024;

/**
 * Reads a small finished MP4 file in this process: the place, size and time of every packet, all of which must lie in the
 * file's media. What decides is the file's own index, which is parsed within bounds and without the media library.
 *
 * @returns What a child would report; undefined if the file is not plain or not small, so a child must read it.
 * @throws UnsafeFileError; an error of the file system.
 */
export async function readResult(path: string): Promise<ProbeReport | undefined> {
  const file = await openToRead(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, headBytes)), 0, undefined, 0);
    return readHead(buffer.subarray(0, bytesRead), size);
  } finally {
    await file.close();
  }
}

/** {@link readResult} of a file of `size` bytes that begins with `head`. */
export function readHead(head: Buffer, size: number): ProbeReport | undefined {
  try {
    return read(head, size);
  } catch (error) {
    if (error instanceof Declined) return undefined;
    throw error;
  }
}

function read(head: Buffer, size: number): ProbeReport {
  const source = headSource(head, size);
  const movie = readMovie(source);
  if (movie.defaults !== undefined) decline('it has fragments');
  const reader = new SampleReader(movie, movie.tracks, Math.min(size, mostSamples));
  const media = topBoxes(source).filter(({ type }) => type === 'mdat');
  const streams = movie.tracks.map((track): StreamSummary => {
    const samples = reader.finish(track, size);
    for (let at = 0; at < samples.count; at += 1) {
      const [offset, bytes] = [samples.offsets[at] ?? 0, samples.sizes[at] ?? 0];
      const inMedia = media.some(({ offset: from, end, headerBytes }) => {
        return offset >= from + headerBytes && offset + bytes <= end;
      });
      if (!inMedia) decline('one of its samples lies outside its media');
    }
    return summaryOf(track, samples);
  });
  const duration = Math.max(...streams.map((stream) => stream.duration ?? 0));
  // Files with chapters are declined.
  return { streams, duration, bytes: size, chapters: 0 };
}

function summaryOf(track: Track, samples: SampleList): StreamSummary {
  const figures = sampleFigures(samples, track) ?? decline('one of its tracks has no samples');
  return { kind: track.kind, codec: track.codec, duration: figures.end - figures.first, figures };
}

/** The head of a file as a source. Declines reads behind it. */
function headSource(head: Buffer, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      if (offset + length > head.length && offset + length <= size) decline('its index is large, or behind its media');
      return head.subarray(offset, offset + length);
    },
  };
}
