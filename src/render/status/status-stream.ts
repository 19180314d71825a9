import type { StatusListener } from './status-hub.ts';

/** A connection for status events. */
interface StatusStream {
  /** Whether earlier data is still buffered here because the client reads too slowly. */
  isBackedUp(): boolean;
  send(text: string): void;
  /** Ends the connection after everything is sent. */
  end(): void;
  /** Closes the connection immediately. */
  terminate(): void;
}

/** Maximum number of events that a connection may miss in a row. One event is sent each second. */
const MAX_MISSED_EVENTS = 30;

/**
 * Creates a listener that sends events to a connection. A slow connection misses events, because a newer one follows
 * within a second. So at most one event and the final one are buffered. A connection that accepts nothing for long is
 * terminated; the client may reconnect.
 */
export function createStreamListener(stream: StatusStream): StatusListener {
  let missedEvents = 0;
  return {
    onEvent(text, final) {
      if (final) {
        stream.send(text);
        stream.end();
      } else if (!stream.isBackedUp()) {
        missedEvents = 0;
        stream.send(text);
      } else {
        missedEvents += 1;
        if (missedEvents > MAX_MISSED_EVENTS) stream.terminate();
      }
    },
  };
}

/** Returns an encoder that encodes a text once for all consecutive recipients of the same text. */
export function encodeOnce(encode: (text: string) => Buffer): (text: string) => Buffer {
  let last: { readonly text: string; readonly bytes: Buffer } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, bytes: encode(text) };
    return last.bytes;
  };
}
