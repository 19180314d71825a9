/** How long a visitor ID is used, in milliseconds. */
const LIFETIME_MS = 6 * 3_600_000;

/**
 * Visitor IDs by exit and InnerTube client, each of which is shared by many requests and by all profiles of the client.
 * The store is bounded by the number of exits and clients.
 */
export interface VisitorIds {
  /**
   * Returns the ID for a client's name and an exit, fetched by `request` unless an ID is known. Concurrent calls
   * share one request.
   *
   * @throws MillraceError the error of `request`.
   */
  get(exit: string, client: string, request: () => Promise<string>): Promise<string>;
  /** Drops an ID that YouTube no longer trusts. */
  drop(exit: string, client: string): void;
}

/** Creates an empty store of visitor IDs. */
export function createVisitorIds(now: () => number = Date.now): VisitorIds {
  const ids = new Map<string, { readonly id: string; readonly expiresAt: number }>();
  const inFlight = new Map<string, Promise<string>>();
  return {
    async get(exit, client, request) {
      const key = `${exit} ${client}`;
      const visitor = ids.get(key);
      if (visitor !== undefined && visitor.expiresAt > now()) return visitor.id;
      const inFlightRequest = inFlight.get(key);
      // A failure or cancellation of another request must not affect this one.
      const sharedId = inFlightRequest === undefined ? undefined : await inFlightRequest.catch(() => undefined);
      if (sharedId !== undefined) return sharedId;
      const pending = request();
      inFlight.set(key, pending);
      try {
        const id = await pending;
        ids.set(key, { id, expiresAt: now() + LIFETIME_MS });
        return id;
      } finally {
        if (inFlight.get(key) === pending) inFlight.delete(key);
      }
    },
    drop(exit, client) {
      ids.delete(`${exit} ${client}`);
    },
  };
}
