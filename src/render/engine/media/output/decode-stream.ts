import type { NamedStream, Sink } from '../sink.ts';
import type { ClipWindow } from './clip-window.ts';
import type { TakeFrame } from './filter-chain.ts';
import { StreamDecoder } from './stream-decoder.ts';
import { trimFrames } from './trim-frames.ts';

/** The processing steps between a stream's frames and their destination. */
export interface Chain {
  push: TakeFrame;
  /** Called when all frames of a part have been pushed. The frames of `next` follow. */
  startPart(next: NamedStream | undefined): void;
  end(): void;
}

/** How a stream is decoded. */
export interface DecodeSetup {
  readonly threads: number;
  /** The part that is kept, if the result is a clip. */
  readonly clip: ClipWindow | undefined;
}

/** Remedy for a stream with too much damage. */
const remedy = 'Use another source, or set copyStreams to true to copy the stream with its damage.';

/** Returns a sink that decodes a stream into a chain. */
export async function decodeStream(
  from: NamedStream,
  kind: 'video' | 'audio',
  chain: Chain,
  { threads, clip }: DecodeSetup,
): Promise<Sink> {
  const trimmer = trimFrames(kind, clip, (frame, base) => chain.push(frame, base));
  const decoder = await StreamDecoder.open(from, { threads, remedy, mayBeEmpty: clip !== undefined }, trimmer.push);
  return {
    push: (packet) => decoder.push(packet),
    startPart: async (next) => {
      await decoder.startPart(next);
      chain.startPart(next);
    },
    end: () => {
      decoder.end();
      trimmer.end();
      chain.end();
    },
    describeLosses: () => decoder.describeLosses(),
    undecodedPackets: () => decoder.undecodedPackets,
  };
}
