import { type Handler, sendText } from '../http/exchange.ts';

/** A gate that holds back responses until a test opens it. */
export interface Gate {
  /**
   * Waits until the gate is open.
   *
   * @throws The reason of the signal when it is aborted.
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Counts bytes sent. Returns whether the gate holds back more than the first `free` bytes of all responses. */
  holdsBack(bytes: number, free: number): boolean;
}

/** The gates of all tokens. */
export interface Gates {
  /** Returns the gate of a token. */
  of(token: string): Gate;
  /** Handles `POST /_lab/gate?token=…`, which opens the gate of a token for ever. */
  readonly control: Handler;
}

/** Creates gates, which are closed. Only the `capacity` newest ones are kept. */
export function createGates(capacity = 1_000): Gates {
  const gates = new Map<string, Gate & { open(): void }>();
  const gateOf = (token: string) => {
    const gate = gates.get(token) ?? createGate();
    gates.set(token, gate);
    const [oldest] = gates.keys();
    if (gates.size > capacity && oldest !== undefined) gates.delete(oldest);
    return gate;
  };
  return {
    of: gateOf,
    control(exchange) {
      const token = exchange.url.searchParams.get('token');
      if (exchange.request.method !== 'POST' || token === null) {
        return sendText(exchange, 400, 'Open a gate with POST /_lab/gate?token=….\n');
      }
      gateOf(token).open();
      return sendText(exchange, 200, 'The gate is open.\n');
    },
  };
}

function createGate(): Gate & { open(): void } {
  const opened = Promise.withResolvers<void>();
  let isOpen = false;
  let total = 0;
  return {
    async wait(signal) {
      signal.throwIfAborted();
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      await Promise.race([opened.promise, aborted]);
    },
    holdsBack(bytes, free) {
      total += bytes;
      return !isOpen && total > free;
    },
    open() {
      isOpen = true;
      opened.resolve();
    },
  };
}
