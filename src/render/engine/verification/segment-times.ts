/** When the packets of one stream play that begin in one piece of a file, in seconds. */
interface Span {
  first: number;
  end: number;
  /** Seconds by which the stream's clock goes back in it, or to it from the piece before. */
  back: number;
}

/** What a stream holds in each piece of a file. */
export interface StreamTimes {
  readonly video: boolean;
  /** By piece; absent for pieces without packets. */
  readonly spans: readonly (Span | undefined)[];
  /** The longest time in seconds between two packets that follow each other in the same piece. */
  readonly longestPause: number;
  /** Seconds between two packets on average; 0 for a single one. */
  readonly averagePause: number;
}

interface StreamState {
  readonly video: boolean;
  readonly spans: (Span | undefined)[];
  piece: number;
  packets: number;
  firstDecoded: number;
  lastDecoded: number;
  longestPause: number;
}

/** A packet, by when it plays and is decoded in seconds. */
export interface SegmentPacket {
  /** Offset in the file; negative if unknown. */
  readonly position: number;
  readonly shown: number;
  readonly decoded: number;
  readonly duration: number;
}

/** Finds out when the packets play that each piece of a file holds, by their positions. */
export class SegmentTimes {
  readonly #ends: readonly number[];
  readonly #streams: readonly (StreamState | undefined)[];

  /**
   * @param ends - where the pieces end. It may grow, but never less than the file has arrived.
   * @param kinds - of each stream that counts.
   */
  constructor(ends: readonly number[], kinds: readonly (string | undefined)[]) {
    this.#ends = ends;
    this.#streams = kinds.map((kind) =>
      kind === undefined
        ? undefined
        : {
            video: kind === 'video',
            spans: [],
            piece: 0,
            packets: 0,
            firstDecoded: 0,
            lastDecoded: 0,
            longestPause: 0,
          },
    );
  }

  /** Whether packets of a stream count. */
  counts(stream: number): boolean {
    return this.#streams[stream] !== undefined;
  }

  /** Takes the next packet of a stream. */
  add(stream: number, { position, shown, decoded, duration }: SegmentPacket): void {
    const state = this.#streams[stream];
    if (state === undefined) return;
    const piece = position < 0 ? state.piece : this.#pieceAt(position, state.piece);
    if (state.packets === 0) state.firstDecoded = decoded;
    else if (piece === state.piece) state.longestPause = Math.max(state.longestPause, decoded - state.lastDecoded);
    const back = state.packets === 0 ? 0 : state.lastDecoded - decoded;
    state.piece = piece;
    state.packets += 1;
    state.lastDecoded = decoded;
    const end = shown + duration;
    const span = state.spans[piece] ?? { first: shown, end, back: 0 };
    state.spans[piece] = span;
    if (shown < span.first) span.first = shown;
    if (end > span.end) span.end = end;
    if (back > span.back) span.back = back;
  }

  /** What was found, of streams with packets. */
  streams(): StreamTimes[] {
    return this.#streams.flatMap((state) => {
      if (state === undefined || state.packets === 0) return [];
      const { video, spans, longestPause, packets, firstDecoded, lastDecoded } = state;
      const averagePause = packets < 2 ? 0 : (lastDecoded - firstDecoded) / (packets - 1);
      return [{ video, spans, longestPause, averagePause }];
    });
  }

  /** The piece that holds a position; packets mostly follow each other. */
  #pieceAt(position: number, from: number): number {
    let piece = from;
    while (piece > 0 && position < (this.#ends[piece - 1] ?? 0)) piece -= 1;
    while (piece < this.#ends.length && position >= (this.#ends[piece] ?? 0)) piece += 1;
    return piece;
  }
}
