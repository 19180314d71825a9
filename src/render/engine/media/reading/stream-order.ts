import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { MillraceError } from '../../../../contract/errors.ts';
import type { MediaInput } from '../input/media-input.ts';
import type { InputClock } from './input-clock.ts';

/** Minimum number of packets of a stream that counts: about half a second. */
const minPackets = 20;

/** Number of packets of a stream that the demuxer may deliver only at the end of the file. */
const maxHeldPackets = 4;

/** Where the packets of a stream are among all packets of a file. */
interface Place {
  readonly first: number;
  /** The last packets, each at its number modulo {@link maxHeldPackets}. */
  readonly last: number[];
  packets: number;
}

/** Records the order of the streams of a file, to detect one that continues under another identifier. */
export class StreamOrder {
  readonly #places: (Place | undefined)[] = [];
  #packets = 0;

  /** Records a packet. The stream may have appeared while the file was read. */
  add(stream: number): void {
    const at = this.#packets;
    this.#packets += 1;
    const place = this.#places[stream] ?? { first: at, last: [], packets: 0 };
    this.#places[stream] = place;
    place.last[place.packets % maxHeldPackets] = at;
    place.packets += 1;
  }

  /**
   * Refuses an MPEG-TS file whose video or audio ends before another stream of its kind begins. Its identifier (PID) has
   * changed, and each stream lacks the part that the other one has.
   *
   * @throws MillraceError `source_unsupported` with the time of the change on the result's clock.
   */
  refuseChanges({ format, context, name, jobInput, streams }: MediaInput, clock: InputClock): void {
    if (format !== 'mpegts') return;
    for (const [kind, type] of [
      ['video', AVMEDIA_TYPE_VIDEO],
      ['audio', AVMEDIA_TYPE_AUDIO],
    ] as const) {
      const places = context.streams.flatMap(({ index, codecpar }) => {
        const place = codecpar.codecType === type ? this.#places[index] : undefined;
        return place === undefined || place.packets < minPackets ? [] : [{ ...place, index }];
      });
      const ended = places.find(({ index, last }) => {
        return index < streams.length && places.some(({ first }) => first > Math.min(...last));
      });
      if (ended === undefined) continue;
      const seconds = clock.extent(ended.index)?.end ?? 0;
      throw new MillraceError(
        'source_unsupported',
        `The ${kind} of ${name.toLowerCase()} continues in another stream at ${seconds.toFixed(1)} s of the result, because its identifier (PID) changes. Use another source, or join its parts as separate inputs.`,
        { input: jobInput },
      );
    }
  }
}
