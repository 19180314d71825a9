import { decline } from '../binary/fast-path-declined.ts';
import { freeBox } from '../mp4/box-writer.ts';
import { chunkTableOf } from '../mp4/chunk-table.ts';
import { fileTypeBox, type Mp4Container, maxUint32, mediaDataHeader, movieBox } from '../mp4/movie-writer.ts';
import { placeTracks, type SourceTrack, type TrackTiming } from '../mp4/track-timing.ts';
import type { MediaWriter } from './media-writer.ts';

/**
 * By how much the rest of a file may need more room in the index than its beginning: tables are short where times repeat,
 * and longest where every sample differs from the one before.
 */
const roomReserve = 2;
const spareBytes = 4096;
/** Bytes that may be reserved: the index of a film of ten hours has a third of that. */
const maxReserved = 64 * 1024 * 1024;
/** Bytes of the smallest box. */
const boxBytes = 8;

/** What stands before the media of a result. */
interface Head {
  readonly bytes: Buffer;
  readonly timings: readonly TrackTiming[];
}

/** A result whose media is written first, behind room for its index. */
export class Mp4Result {
  readonly #writer: MediaWriter;
  readonly #container: Mp4Container;
  /** Bytes before the media, once they are decided on. */
  #reserved = 0;

  constructor(writer: MediaWriter, container: Mp4Container) {
    this.#writer = writer;
    this.#container = container;
  }

  /**
   * Writes media if there is enough of it. The first is written once all tracks have started.
   *
   * @param fraction - part of the file that was read, 0 to 1.
   * @param allStarted - whether all tracks have started.
   * @param tracks - called before the first media is written: the result's tracks so far.
   */
  async advance(fraction: number, allStarted: boolean, tracks: () => readonly SourceTrack[]): Promise<void> {
    if (!this.#writer.hasFullBlock) return;
    if (!this.#writer.hasStarted) {
      if (!allStarted && !this.#writer.mustFlush) return;
      const headBytes = this.#head(tracks(), 0).bytes.length;
      this.#reserved = Math.ceil((headBytes / fraction) * roomReserve) + spareBytes;
      if (!(this.#reserved <= maxReserved)) decline('nobody knows how long it plays');
      await this.#writer.begin(this.#reserved);
    }
    await this.#writer.flush();
  }

  /**
   * Writes the rest.
   *
   * @param check - called with when the tracks play, before the result is complete.
   * @returns Bytes of the result, and when its tracks play.
   */
  async finish(tracks: readonly SourceTrack[], maxBytes: number, check: (timings: readonly TrackTiming[]) => void) {
    const { hasStarted } = this.#writer;
    // If all of the media is at hand, the room can be exact.
    if (!hasStarted) this.#reserved = this.#head(tracks, 0).bytes.length;
    const { bytes: head, timings } = this.#head(tracks, this.#reserved);
    check(timings);
    const bytes = this.#reserved + this.#writer.length;
    if (bytes > maxBytes) decline('its result would be too large');
    if (!hasStarted) await this.#writer.begin(this.#reserved);
    await this.#writer.finish(head);
    return { bytes, timings };
  }

  /** What stands before media that begins at `base`; as short as can be if that is 0. */
  #head(tracks: readonly SourceTrack[], base: number): Head {
    const timings = placeTracks(tracks);
    const results = tracks.flatMap((source, at) => {
      const timing = timings[at];
      return timing === undefined ? [] : [{ source, timing, chunks: chunkTableOf(source.samples, base) }];
    });
    const type = fileTypeBox(
      this.#container,
      tracks.map(({ track }) => track.codec),
    );
    const index = movieBox(results, base + this.#writer.length > maxUint32 - maxReserved);
    const media = mediaDataHeader(this.#writer.length, true);
    const spare = base === 0 ? 0 : base - type.length - index.length - media.length;
    if (spare < 0 || (spare > 0 && spare < boxBytes)) decline('its index needs more room than was reserved');
    return { bytes: Buffer.concat([type, index, ...(spare === 0 ? [] : [freeBox(spare)]), media]), timings };
  }
}
