/** When the packets of one stream play that begin in one chunk of a file, in seconds. */
interface TimeRange {
  first: number;
  end: number;
  /** Seconds by which the stream's clock goes back in it, or to it from the chunk before. */
  back: number;
}

/** What a stream holds in each chunk of a file. */
export interface StreamChunkTimes {
  readonly video: boolean;
  /** By chunk; absent for chunks without packets. */
  readonly timeRanges: readonly (TimeRange | undefined)[];
  /** The longest time in seconds between two packets that follow each other in the same chunk. */
  readonly longestPause: number;
  /** Seconds between two packets on average; 0 for a single one. */
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

/** A packet, by when it plays and is decoded in seconds. */
export interface TimedPacket {
  /** Offset in the file; negative if unknown. */
  readonly position: number;
  readonly presentationTime: number;
  readonly decodingTime: number;
  readonly duration: number;
}

/** Finds out when the packets play that each chunk of a file holds, by their positions. */
export class ChunkTimes {
  readonly #ends: readonly number[];
  readonly #streams: readonly (StreamState | undefined)[];

  /**
   * @param ends - where the chunks end. It may grow, but never less than the file has arrived.
   * @param kinds - of each stream that counts.
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

  /** Whether packets of a stream count. */
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

  /** What was found, of streams with packets. */
  streams(): StreamChunkTimes[] {
    return this.#streams.flatMap((state) => {
      if (state === undefined || state.packets === 0) return [];
      const { video, timeRanges, longestPause, packets, firstDecodingTime, lastDecodingTime } = state;
      const averagePause = packets < 2 ? 0 : (lastDecodingTime - firstDecodingTime) / (packets - 1);
      return [{ video, timeRanges, longestPause, averagePause }];
    });
  }

  /** The chunk that holds a position; packets mostly follow each other. */
  #chunkAt(position: number, from: number): number {
    let chunk = from;
    while (chunk > 0 && position < (this.#ends[chunk - 1] ?? 0)) chunk -= 1;
    while (chunk < this.#ends.length && position >= (this.#ends[chunk] ?? 0)) chunk += 1;
    return chunk;
  }
}
