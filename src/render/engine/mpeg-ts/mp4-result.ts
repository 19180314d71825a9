import { decline } from '../binary/fast-path-declined.ts';
import { additionsInIndex, type IndexAdditions, maxAdditionBytes } from '../mp4/additions/additions-in-index.ts';
import { freeBox } from '../mp4/box-writer.ts';
import { chunkTableOf } from '../mp4/chunk-table.ts';
import { fileTypeBox, type Mp4Container, maxUint32, mediaDataHeader, movieBox } from '../mp4/movie-writer.ts';
import { placeTracks, presentationEnd, type SourceTrack, type TrackTiming } from '../mp4/track-timing.ts';
import type { Additions } from '../tasks/additions.ts';
import type { MediaWriter } from './media-writer.ts';

/**
 * Factor by which the rest of a file may need more space in the index than its beginning. Tables are short if times
 * repeat, and longest if every sample differs from the previous one.
 */
const roomReserve = 2;
const spareBytes = 4096;
/** Maximum number of reserved bytes. The index of a ten-hour film needs a third of this. */
const maxReserved = 64 * 1024 * 1024;
/** Size of the smallest box in bytes. */
const boxBytes = 8;

/** Everything before the media of a result. */
interface Head {
  readonly bytes: Buffer;
  readonly timings: readonly TrackTiming[];
  readonly reported: IndexAdditions['reported'];
}

const noAdditions: Additions = { tags: {}, chapters: [] };

/** A result whose media is written first, after space reserved for its index. */
export class Mp4Result {
  readonly #writer: MediaWriter;
  readonly #container: Mp4Container;
  readonly #additions: Additions;
  /** Number of bytes before the media, once it is determined. */
  #reserved = 0;

  constructor(writer: MediaWriter, container: Mp4Container, additions: Additions) {
    this.#writer = writer;
    this.#additions = additions;
    this.#container = container;
  }

  /**
   * Writes media if there is enough of it. The first media is written once all tracks have started.
   *
   * @param fraction - part of the file that was read, 0 to 1.
   * @param allStarted - whether all tracks have started.
   * @param tracks - called before the first media is written; returns the tracks of the result so far.
   */
  async advance(fraction: number, allStarted: boolean, tracks: () => readonly SourceTrack[]): Promise<void> {
    if (!this.#writer.hasFullBlock) return;
    if (!this.#writer.hasStarted) {
      if (!allStarted && !this.#writer.mustFlush) return;
      const current = tracks();
      const headBytes = this.#head(current, 0, noAdditions).bytes.length;
      const addedBytes = maxAdditionBytes(this.#additions, current.length);
      this.#reserved = Math.ceil((headBytes / fraction) * roomReserve) + addedBytes + spareBytes;
      if (!(this.#reserved <= maxReserved)) decline('its duration is unknown');
      await this.#writer.begin(this.#reserved);
    }
    await this.#writer.flush();
  }

  /**
   * Writes the remaining media and the index.
   *
   * @param check - called with the timing of the tracks, before the result is complete.
   * @returns Size of the result, the timing of its tracks, and what its report states about its additions.
   */
  async finish(tracks: readonly SourceTrack[], maxBytes: number, check: (timings: readonly TrackTiming[]) => void) {
    const { hasStarted } = this.#writer;
    // If no media has been written yet, the space can be exact.
    if (!hasStarted) this.#reserved = this.#head(tracks, 0, this.#additions).bytes.length;
    const { bytes: head, timings, reported } = this.#head(tracks, this.#reserved, this.#additions);
    check(timings);
    const bytes = this.#reserved + this.#writer.length;
    if (bytes > maxBytes) decline('its result would be too large');
    if (!hasStarted) await this.#writer.begin(this.#reserved);
    await this.#writer.finish(head);
    return { bytes, timings, reported };
  }

  /** Builds everything before media that begins at `base`. If `base` is 0, the head is as short as possible. */
  #head(tracks: readonly SourceTrack[], base: number, requested: Additions): Head {
    const timings = placeTracks(tracks);
    const results = tracks.flatMap((source, at) => {
      const timing = timings[at];
      return timing === undefined ? [] : [{ source, timing, chunks: chunkTableOf(source.samples, base) }];
    });
    const type = fileTypeBox(
      this.#container,
      tracks.map(({ track }) => track.codec),
    );
    const { addTo, titles, reported } = additionsInIndex(requested, presentationEnd(timings));
    const index = addTo(movieBox(results, base + this.#writer.length > maxUint32 - maxReserved), type.length);
    const media = mediaDataHeader(this.#writer.length, true);
    const spare = base === 0 ? 0 : base - type.length - index.length - titles.length - media.length;
    if (spare < 0 || (spare > 0 && spare < boxBytes)) decline('its index needs more space than was reserved');
    const padding = spare === 0 ? [] : [freeBox(spare)];
    return { bytes: Buffer.concat([type, index, titles, ...padding, media]), timings, reported };
  }
}
