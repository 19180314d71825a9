import { once } from 'node:events';
import type { Exchange } from '../http/exchange.ts';
import type { Content } from './content.ts';
import type { Faults } from './faults.ts';
import type { Gate } from './gates.ts';
import { choosePace } from './pace.ts';
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
  faults: Faults,
  { history, gate }: { readonly history: TokenHistory; readonly gate: Gate | undefined },
): Promise<void> {
  const { cut, cutOnce, stall, length } = faults;
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
  const pace = choosePace(faults, gate);

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
