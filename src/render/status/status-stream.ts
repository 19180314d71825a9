import type { StatusListener } from './status-hub.ts';

/** A connection that status events go out on. */
interface StatusStream {
  /** Whether something that was sent earlier still waits here: the other side takes in less than it is sent. */
  isBackedUp(): boolean;
  send(text: string): void;
  /** Ends it when all is sent. */
  end(): void;
  /** Breaks it off. */
  terminate(): void;
}

/** Events that a connection may miss in a row, as many seconds. */
const MAX_MISSED_EVENTS = 30;

/**
 * Hands events on to a connection. One that is behind misses events, since a newer one comes within a second; so no
 * more than one and the final one ever wait. One that takes in nothing for long is broken off; it may come back.
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

/** Makes a text into what is sent, once for all that are sent the same text one after the other. */
export function encodeOnce(encode: (text: string) => Buffer): (text: string) => Buffer {
  let last: { readonly text: string; readonly bytes: Buffer } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, bytes: encode(text) };
    return last.bytes;
  };
}
