import { type Handler, sendText } from '../http/exchange.ts';

/** Gates that hold back responses until a test opens them, one for each token. */
export interface Gates {
  /**
   * Waits until the gate of a token is open.
   *
   * @throws The reason of the signal when it is aborted.
   */
  wait(token: string, signal: AbortSignal): Promise<void>;
  /** Handles `POST /_lab/gate?token=…`, which opens the gate of a token for ever. */
  readonly control: Handler;
}

/** Creates gates, which are closed. Only the `capacity` newest ones are kept. */
export function createGates(capacity = 1_000): Gates {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gateOf = (token: string) => {
    const gate = gates.get(token) ?? Promise.withResolvers<void>();
    gates.set(token, gate);
    const [oldest] = gates.keys();
    if (gates.size > capacity && oldest !== undefined) gates.delete(oldest);
    return gate;
  };
  return {
    async wait(token, signal) {
      signal.throwIfAborted();
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      await Promise.race([gateOf(token).promise, aborted]);
    },
    control(exchange) {
      const token = exchange.url.searchParams.get('token');
      if (exchange.request.method !== 'POST' || token === null) {
        return sendText(exchange, 400, 'Open a gate with POST /_lab/gate?token=….\n');
      }
      gateOf(token).resolve();
      return sendText(exchange, 200, 'The gate is open.\n');
    },
  };
}
