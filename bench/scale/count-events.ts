/** Counts the events that a stream's bytes complete; reads no more of them than that takes. */
type EventCounter = (bytes: Buffer) => number;

const NEWLINE = 0x0a;
const TEXT_FRAME = 0x81;
const CLOSE_FRAME = 0x88;

/** Events of SSE: each ends with an empty line, and what the stream is wrapped in (chunks) has none of this kind. */
export function countSse(): EventCounter {
  let previous = 0;
  return (bytes) => {
    let events = 0;
    for (const byte of bytes) {
      if (byte === NEWLINE && previous === NEWLINE) events += 1;
      previous = byte;
    }
    return events;
  };
}

/** Text frames of a WebSocket: a server sends them unmasked, ours in one piece (RFC 6455, section 5.2). */
export function countFrames(onClose: () => void): EventCounter {
  /** The beginning of a head that is not whole yet. */
  let partialHead: Buffer = Buffer.alloc(0);
  /** Bytes of the last frame that are still to come. */
  let bytesLeft = 0;
  return (bytes) => {
    const all = partialHead.length === 0 ? bytes : Buffer.concat([partialHead, bytes]);
    let events = 0;
    let at = bytesLeft;
    for (let head = headAt(all, at); head !== undefined; head = headAt(all, at)) {
      if (all[at] === TEXT_FRAME) events += 1;
      if (all[at] === CLOSE_FRAME) onClose();
      at += head.bytes + head.payload;
    }
    bytesLeft = Math.max(0, at - all.length);
    partialHead = Buffer.from(all.subarray(at));
    return events;
  };
}

/** The head of the frame at a place, if it is all there. */
function headAt(bytes: Buffer, at: number): { readonly bytes: number; readonly payload: number } | undefined {
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  const long = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (at + 2 + long > bytes.length) return undefined;
  const payload = long === 0 ? short : bytes.readUIntBE(at + 2 + Math.max(0, long - 6), Math.min(long, 6));
  return { bytes: 2 + long, payload };
}
