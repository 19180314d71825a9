import type { IncomingHttpHeaders } from 'node:http';

/** Ends every head, and every body in chunks (RFC 9112 §2.1, §7.1). */
const END = Buffer.from('\r\n\r\n');

/**
 * Splits the bytes of a connection so that a parser never gets the end of one request together with the beginning of
 * the next.
 */
export interface MessageSplitter {
  /** Whether the next bytes belong to a body of known length. */
  readonly isInBody: boolean;
  /**
   * Returns how many of the next bytes can be parsed in one step, at least one: those up to the end of the head or the
   * body. In a body in chunks, it may be less.
   *
   * @param bytes At least one byte.
   */
  next(bytes: Buffer): number;
  /** Called when the bytes of the last step have completed the head of a request. */
  beginBody(headers: IncomingHttpHeaders): void;
}

/** Creates the splitter of one connection. */
export function createMessageSplitter(): MessageSplitter {
  /** Missing bytes of a body of known length. */
  let bodyBytes = 0;
  /** How many bytes of `END` the former bytes end with. */
  let matched = 0;

  function untilEnd(bytes: Buffer): number {
    const missing = END.subarray(matched);
    const first = bytes.subarray(0, missing.length);
    // The end continues what the former bytes end with.
    if (matched > 0 && first.equals(missing.subarray(0, first.length))) {
      matched = (matched + first.length) % END.length;
      return first.length;
    }
    const at = bytes.indexOf(END);
    matched = at === -1 ? beginningAtEndOf(bytes) : 0;
    return at === -1 ? bytes.length : at + END.length;
  }

  return {
    get isInBody() {
      return bodyBytes > 0;
    },
    next(bytes) {
      if (bodyBytes === 0) return untilEnd(bytes);
      const length = Math.min(bodyBytes, bytes.length);
      bodyBytes -= length;
      return length;
    },
    beginBody({ 'transfer-encoding': coding, 'content-length': length = 0 }) {
      // The parser rejects any other length.
      bodyBytes = coding === undefined ? Number(length) || 0 : 0;
    },
  };
}

/** Returns how many bytes of `END` some bytes end with. */
function beginningAtEndOf(bytes: Buffer): number {
  for (const count of [3, 2, 1]) if (bytes.subarray(-count).equals(END.subarray(0, count))) return count;
  return 0;
}
