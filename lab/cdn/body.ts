import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from '../http/exchange.ts';
import type { Content } from './content.ts';
import type { Faults } from './faults.ts';
import type { ByteRange } from './range.ts';
import type { TokenHistory } from './tokens.ts';

/** Leaves the connection open without sending anything more, until the client disconnects. */
export async function hang({ disconnected }: Exchange): Promise<void> {
  if (!disconnected.aborted) await once(disconnected, 'abort');
}

/** Sends the bytes of a range, up to the offset at which a fault stops them. */
export async function sendBody(
  exchange: Exchange,
  content: Content,
  part: ByteRange,
  { cut, cutOnce, stall, throttle, trickle, length }: Faults,
  history: TokenHistory,
): Promise<void> {
  const { response, entry, link } = exchange;
  const end = part.last + 1;
  const isReached = (place: number | undefined): place is number =>
    place !== undefined && place >= part.first && place < end;
  const stops = [
    ...(isReached(cut) ? [cut] : []),
    ...(isReached(cutOnce) && history.first('cutOnce') ? [cutOnce] : []),
    ...(isReached(stall) ? [stall] : []),
  ];
  const stop = Math.min(end, ...stops);
  const pace =
    trickle !== undefined ? createPace(1000 / trickle, 1) : throttle === undefined ? undefined : createPace(throttle);

  let place = part.first;
  for await (const chunk of content.read(part.first, stop)) {
    for (const piece of pace === undefined ? [chunk] : pace.pieces(chunk)) {
      await pace?.wait(piece.length, exchange.disconnected);
      exchange.disconnected.throwIfAborted();
      const allowed = link?.allowed(place, piece.length) ?? piece.length;
      const sent = piece.subarray(0, allowed);
      link?.sent(sent.length);
      entry.bytesSent += sent.length;
      place += sent.length;
      if (!response.write(sent)) await once(response, 'drain', { signal: exchange.disconnected });
      if (sent.length < piece.length) return breakOff(exchange);
    }
  }
  // The headers may still be waiting for a first byte that a fault withholds.
  response.flushHeaders();
  if (stop < end && stop === stall) return hang(exchange);
  if (stop < end || (length ?? 0) !== 0) return breakOff(exchange);
  entry.complete = true;
  response.end();
}

/** Closes the connection in the middle of a response. Unlike destroy(), this flushes the written bytes first. */
function breakOff({ response }: Exchange): void {
  response.flushHeaders();
  response.socket?.destroySoon();
}

/** Spreads bytes over time: at most `rate` bytes per second on average, in chunks of `pieceBytes`. */
export function createPace(
  rate: number,
  pieceBytes = Math.max(1, Math.floor(rate / 20)),
): {
  pieces(chunk: Buffer): Iterable<Buffer>;
  wait(bytes: number, signal: AbortSignal): Promise<void>;
} {
  const start = performance.now();
  let due = 0;
  return {
    *pieces(chunk) {
      for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
    },
    async wait(bytes, signal) {
      due += (bytes / rate) * 1000;
      const rest = due - (performance.now() - start);
      if (rest > 1) await delay(rest, undefined, { signal });
    },
  };
}
