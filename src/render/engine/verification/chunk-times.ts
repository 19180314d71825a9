/** Time range of the packets of one stream that begin in one chunk of a file, in seconds. */
interface TimeRange {
  first: number;
  end: number;
  /** Seconds by which the stream's clock goes back within the chunk, or from the previous chunk to this one. */
  back: number;
}

/** Times of a stream in each chunk of a file. */
export interface StreamChunkTimes {
  readonly video: boolean;
  /** By chunk; absent for chunks without packets. */
  readonly timeRanges: readonly (TimeRange | undefined)[];
  /** The longest time between two consecutive packets in the same chunk, in seconds. */
  readonly longestPause: number;
  /** Average time between two packets, in seconds; 0 for a single one. */
  readonly averagePause: number;
}

interface StreamState {
  readonly video: boolean;
  readonly timeRanges: (TimeRange | undefined)[];
  chunk: number;
  packets: number;
  firstDecodingTime: number;
  lastDecodingTime: number;
  longestPause: number;
}

/** A packet with its presentation and decoding times in seconds. */
export interface TimedPacket {
  /** Offset in the file; negative if unknown. */
  readonly position: number;
  readonly presentationTime: number;
  readonly decodingTime: number;
  readonly duration: number;
}

/** Determines the time range of the packets in each chunk of a file, by their offsets. */
export class ChunkTimes {
  readonly #ends: readonly number[];
  readonly #streams: readonly (StreamState | undefined)[];

  /**
   * @param ends - ends of the chunks. The list may grow, but must always cover the arrived part of the file.
   * @param kinds - kind of each stream that counts.
   */
  constructor(ends: readonly number[], kinds: readonly (string | undefined)[]) {
    this.#ends = ends;
    this.#streams = kinds.map((kind) =>
      kind === undefined
        ? undefined
        : {
            video: kind === 'video',
            timeRanges: [],
            chunk: 0,
            packets: 0,
            firstDecodingTime: 0,
            lastDecodingTime: 0,
            longestPause: 0,
          },
    );
  }

  /** Returns whether packets of a stream count. */
  includes(stream: number): boolean {
    return this.#streams[stream] !== undefined;
  }

  /** Takes the next packet of a stream. */
  add(stream: number, { position, presentationTime, decodingTime, duration }: TimedPacket): void {
    const state = this.#streams[stream];
    if (state === undefined) return;
    const chunk = position < 0 ? state.chunk : this.#chunkAt(position, state.chunk);
    if (state.packets === 0) state.firstDecodingTime = decodingTime;
    else if (chunk === state.chunk)
      state.longestPause = Math.max(state.longestPause, decodingTime - state.lastDecodingTime);
    const back = state.packets === 0 ? 0 : state.lastDecodingTime - decodingTime;
    state.chunk = chunk;
    state.packets += 1;
    state.lastDecodingTime = decodingTime;
    const end = presentationTime + duration;
    const timeRange = state.timeRanges[chunk] ?? { first: presentationTime, end, back: 0 };
    state.timeRanges[chunk] = timeRange;
    if (presentationTime < timeRange.first) timeRange.first = presentationTime;
    if (end > timeRange.end) timeRange.end = end;
    if (back > timeRange.back) timeRange.back = back;
  }

  /** Returns the times of each stream with packets. */
  streams(): StreamChunkTimes[] {
    return this.#streams.flatMap((state) => {
      if (state === undefined || state.packets === 0) return [];
      const { video, timeRanges, longestPause, packets, firstDecodingTime, lastDecodingTime } = state;
      const averagePause = packets < 2 ? 0 : (lastDecodingTime - firstDecodingTime) / (packets - 1);
      return [{ video, timeRanges, longestPause, averagePause }];
    });
  }

  /** Returns the chunk that contains an offset. Packets are mostly in order. */
  #chunkAt(position: number, from: number): number {
    let chunk = from;
    while (chunk > 0 && position < (this.#ends[chunk - 1] ?? 0)) chunk -= 1;
    while (chunk < this.#ends.length && position >= (this.#ends[chunk] ?? 0)) chunk += 1;
    return chunk;
  }
}
