import { type ClientNetworks, tierLimit } from './client-network.ts';

/** What the clients use of something, counted for each of their networks. */
export interface NetworkTally {
  /** Number of networks that use something. */
  readonly size: number;
  /** Adds to what a client uses, or removes from it if negative. */
  add(client: ClientNetworks, amount: number): void;
  /**
   * Returns how much more a client can use until one of its networks has used a portion of its limit; negative beyond
   * that. Default: the whole limit.
   */
  spare(client: ClientNetworks, portion?: number): number;
}

/** Creates a tally with the limits of {@link tierLimit}. */
export function createNetworkTally(limit: number, most?: number): NetworkTally {
  const amounts = new Map<string, number>();
  return {
    get size() {
      return amounts.size;
    },
    add(client, amount) {
      for (const network of client) {
        const total = (amounts.get(network) ?? 0) + amount;
        if (total === 0) amounts.delete(network);
        else amounts.set(network, total);
      }
    },
    spare(client, portion = 1) {
      const spares = client.map(
        (network, tier) => tierLimit(limit, tier, most) * portion - (amounts.get(network) ?? 0),
      );
      return Math.min(...spares);
    },
  };
}
