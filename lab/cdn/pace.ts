import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from './faults.ts';
import type { Gate } from './gates.ts';

/** Behind a closed gate, a body continues with this number of bytes in each period. */
const GATED_BYTES = 1024;
const GATED_PERIOD_MS = 250;
/** Bytes sent at once while a gate lets everything pass. */
const FREE_BYTES = 16 * 1024;

/** Spreads bytes over time. */
interface Pace {
  /** Divides a chunk. */
  pieces(chunk: Buffer): Iterable<Buffer>;
  /** Waits until a piece may be sent. */
  wait(bytes: number, signal: AbortSignal): Promise<void>;
}

/** Returns the pace of a response with faults; undefined if its bytes are sent at once. */
export function choosePace({ trickle, throttle, slowAfter }: Faults, gate: Gate | undefined): Pace | undefined {
  if (trickle !== undefined) return createPace(1000 / trickle, 1);
  if (throttle !== undefined) return createPace(throttle);
  return slowAfter === undefined || gate === undefined ? undefined : createGatedPace(gate, slowAfter);
}

/** Sends bytes at once until those of all responses behind the gate exceed `free`, then slowly until it is open. */
function createGatedPace(gate: Gate, free: number): Pace {
  let pieceBytes = FREE_BYTES;
  return {
    *pieces(chunk) {
      for (let at = 0; at < chunk.length; ) {
        const piece = chunk.subarray(at, at + pieceBytes);
        at += piece.length;
        yield piece;
      }
    },
    async wait(bytes, signal) {
      const isSlow = gate.holdsBack(bytes, free);
      pieceBytes = isSlow ? GATED_BYTES : FREE_BYTES;
      if (isSlow) await delay(GATED_PERIOD_MS, undefined, { signal });
    },
  };
}

/** Spreads bytes over time: at most `rate` bytes per second on average, in chunks of `pieceBytes`. */
export function createPace(rate: number, pieceBytes = Math.max(1, Math.floor(rate / 20))): Pace {
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
