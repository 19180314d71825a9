import { openForReading } from '../../../files/open-file.ts';
import { nextSlice } from '../../../waiting/steps.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { decline, FastPathDeclined } from '../binary/fast-path-declined.ts';
import { normalizeChapters } from '../chapters/chapter.ts';
import { frameHeadBytes, isFirstFrame } from '../formats/first-frame.ts';
import type { StoredAdditions } from '../tags/stored-additions.ts';
import { digestAdditions } from '../tasks/digest-additions.ts';
import type { ProbeReport, StreamSummary } from '../tasks/report.ts';
import { readMp4Chapters } from './additions/chapter-reader.ts';
import { separateAdditions } from './additions/separate-additions.ts';
import { type TopBox, walkBoxes } from './box-reader.ts';
import { readMovie, SampleReader } from './movie-reader.ts';
import { readDecoderConfig } from './sample-entry.ts';
import type { SampleList } from './sample-list.ts';
import { sampleStats } from './sample-stats.ts';
import type { Track } from './track-reader.ts';

/**
 * Number of bytes from the beginning of the file that are read first. If they do not contain the index,
 * {@link longHeadBytes} are read, enough for several hours of video.
 */
export const headBytes = 256 * 1024;
export const longHeadBytes = 8 * 1024 * 1024;
/** Maximum number of samples of all tracks. Each pass over them takes about 15 ms. */
const maxResultSamples = 256 * 1024;
/** Maximum number of boxes in the file. Results have up to five. */
const maxResultBoxes = 16;

/** Reads bytes of the file. */
type ReadBytes = (offset: number, length: number) => Promise<Buffer>;

/**
 * Reads a finished MP4 file in this process: the offset, size and time of every packet. All packets must be inside the
 * file's media. The function relies on the file's own index, which is parsed within limits and without the media
 * library.
 *
 * @returns The report that a child would return. Undefined if the file is unusual or its index is large, so a child
 * must read it.
 * @throws UnsafeFileError; an error of the file system.
 */
export async function readResult(path: string): Promise<ProbeReport | undefined> {
  const file = await openForReading(path);
  try {
    const { size } = await file.stat();
    const read: ReadBytes = async (offset, length) => {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafeSlow(Math.min(size, length)),
        0,
        undefined,
        offset,
      );
      return buffer.subarray(0, bytesRead);
    };
    return (
      (await readResultHead(await read(0, headBytes), size, read)) ??
      (await readResultHead(await read(0, longHeadBytes), size, read))
    );
  } finally {
    await file.close();
  }
}

/** {@link readResult} for a file of `size` bytes that begins with `head`. `read` reads the first frames of its video. */
export async function readResultHead(head: Buffer, size: number, read: ReadBytes): Promise<ProbeReport | undefined> {
  try {
    return await parseResult(head, size, read);
  } catch (error) {
    if (error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}

async function parseResult(head: Buffer, size: number, read: ReadBytes): Promise<ProbeReport> {
  const source = headSource(head, size);
  const media = readMediaBoxes(source);
  let stored: StoredAdditions = { tags: {} };
  const movie = readMovie(source, (body) => {
    const { movie: plainMovie, ...additions } = separateAdditions(body);
    stored = additions;
    return plainMovie;
  });
  if (movie.defaults !== undefined) decline('it has fragments');
  const reader = new SampleReader(movie, movie.tracks, Math.min(size, maxResultSamples));
  const streams: StreamSummary[] = [];
  for (const track of movie.tracks) {
    // Yields to other work between the passes over the samples.
    await nextSlice();
    const samples = reader.finish(track, size);
    await nextSlice();
    requireSamplesInMedia(samples, media);
    await nextSlice();
    streams.push({ ...summaryOf(track, samples), ...(await readBeginning(track, samples, read)) });
  }
  const duration = Math.max(...streams.map((stream) => stream.duration ?? 0));
  const chapters = normalizeChapters(readMp4Chapters(source)).length;
  return { streams, duration, bytes: size, ...digestAdditions(stored, chapters) };
}

/**
 * Returns the media boxes of a file. Declines a file with many boxes, because each sample is compared with each media
 * box.
 */
function readMediaBoxes(source: ByteSource): TopBox[] {
  const boxes: TopBox[] = [];
  for (const box of walkBoxes(source)) {
    if (boxes.length === maxResultBoxes) decline('it has many boxes');
    boxes.push(box);
  }
  return boxes.filter(({ type }) => type === 'mdat');
}

function requireSamplesInMedia({ count, offsets, sizes }: SampleList, media: readonly TopBox[]): void {
  for (let at = 0; at < count; at += 1) {
    const [offset, bytes] = [offsets[at] ?? 0, sizes[at] ?? 0];
    const inMedia = media.some(({ offset: from, end, headerBytes }) => {
      return offset >= from + headerBytes && offset + bytes <= end;
    });
    if (!inMedia) decline('one of its samples is outside its media');
  }
}

function summaryOf(track: Track, samples: SampleList): StreamSummary {
  const stats = sampleStats(samples, track) ?? decline('one of its tracks has no samples');
  return { kind: track.kind, codec: track.codec, duration: stats.end - stats.first, stats };
}

/** Reads the first frame of a video track. */
async function readBeginning({ kind, codec, description }: Track, { offsets, sizes }: SampleList, read: ReadBytes) {
  const [offset, bytes] = [offsets[0], sizes[0]];
  if (kind !== 'video' || offset === undefined || bytes === undefined) return {};
  const frame = await read(offset, Math.min(bytes, frameHeadBytes));
  const beginsDecodable = isFirstFrame(codec, readDecoderConfig(description), frame);
  return beginsDecodable === undefined ? {} : { beginsDecodable };
}

/** Wraps the head of a file as a source. Declines reads beyond the head. */
function headSource(head: Buffer, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      if (offset + length > head.length && offset + length <= size) decline('its index is large, or after its media');
      return head.subarray(offset, offset + length);
    },
  };
}
