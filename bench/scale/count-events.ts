/** Counts the events that end in the next bytes of a stream, reading as few of the bytes as possible. */
type EventCounter = (bytes: Buffer) => number;

const NEWLINE = 0x0a;
const TEXT_FRAME = 0x81;
const CLOSE_FRAME = 0x88;

/** Counts SSE events: each ends with an empty line, which the chunked encoding around them does not contain. */
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

/**
 * Counts the text frames of a WebSocket. Servers send frames unmasked, and this service does not fragment them (RFC
 * 6455, section 5.2).
 */
export function countFrames(onClose: () => void): EventCounter {
  /** The beginning of an incomplete frame header. */
  let partialHead: Buffer = Buffer.alloc(0);
  /** Missing bytes of the last frame. */
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

/** Returns the frame header at an offset, if it is complete. */
function headAt(bytes: Buffer, at: number): { readonly bytes: number; readonly payload: number } | undefined {
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  const long = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (at + 2 + long > bytes.length) return undefined;
  const payload = long === 0 ? short : bytes.readUIntBE(at + 2 + Math.max(0, long - 6), Math.min(long, 6));
  return { bytes: 2 + long, payload };
}
