import type { ClientName } from '../site.ts';

/** A visitor's id is used for this long. */
const LIFETIME_MS = 6 * 3_600_000;

/** Visitors' ids by exit and client, so that one serves many requests. There are as many as exits and clients. */
export interface VisitorIds {
  /**
   * Returns the id for a client and an exit, fetched by `request` where there is none; concurrent calls share one
   * request.
   *
   * @throws MillraceError whatever `request` throws.
   */
  get(exit: string, client: ClientName, request: () => Promise<string>): Promise<string>;
  /** Drops an id that YouTube no longer trusts. */
  drop(exit: string, client: ClientName): void;
}

/** Opens an empty store of visitors' ids. */
export function createVisitorIds(now: () => number = Date.now): VisitorIds {
  const ids = new Map<string, { readonly id: string; readonly expiresAt: number }>();
  const inFlight = new Map<string, Promise<string>>();
  return {
    async get(exit, client, request) {
      const key = `${exit} ${client}`;
      const visitor = ids.get(key);
      if (visitor !== undefined && visitor.expiresAt > now()) return visitor.id;
      const inFlightRequest = inFlight.get(key);
      // Another request's failure, or its end, is not this one's.
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
