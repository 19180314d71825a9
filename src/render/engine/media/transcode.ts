import { Frame, type Stream } from 'node-av/lib';
import type { EncoderChoice } from '../containers.ts';
import { Decoder } from './decoder.ts';
import { Encoder } from './encoder.ts';
import { FilterChain } from './filters.ts';
import type { Sink } from './sink.ts';
import type { OutputStream } from './writer.ts';

/** What an encoder needs to know beside its stream. */
export interface EncodeSetup {
  readonly choices: readonly EncoderChoice[];
  readonly threads: number;
  readonly globalHeader: boolean;
}

/** Decodes a stream and encodes it into the result; `what` names it in messages. */
export async function transcodeStream(
  from: Stream,
  kind: 'video' | 'audio',
  output: OutputStream,
  setup: EncodeSetup,
  what: string,
): Promise<Sink> {
  const decoder = await Decoder.open(from, setup.threads, what);
  const { sampleRate, channels } = from.codecpar;
  const encoder =
    kind === 'video'
      ? await Encoder.video(setup.choices, from, output, setup)
      : await Encoder.audio(setup.choices, { sampleRate, channels }, output, setup);
  // Gaps in the sound become silence, or it would run ahead of the picture after each.
  const before = kind === 'video' ? [] : ([['aresample', 'async=1']] as const);
  const filtered = new Frame();
  filtered.alloc();
  const chain = new FilterChain(kind, from.timeBase, () => [...before, ...encoder.steps], filtered);
  const encode: Encoder['push'] = (frame, base) => encoder.push(frame, base);
  const filter = (frame: Frame) => chain.push(frame, encode);
  return {
    push: (packet) => decoder.push(packet, filter),
    end: () => {
      decoder.end(filter);
      chain.end(encode);
      encoder.end();
    },
  };
}
