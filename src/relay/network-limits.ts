import { networksOfOwner } from '../accounts/owner.ts';
import { tierLimit } from '../http/connections/client-network.ts';
import type { ConnectionLimit } from './connection-limit.ts';

/**
 * Creates the limit of concurrent connections of each owner. Those of a visitor of the page also count for the wider
 * networks of the visitor, which have a higher limit.
 *
 * @param limitTo Creates a limit of connections for any owners. It is called once for each tier of networks.
 */
export function limitNetworks(limit: number, limitTo: (limit: number) => ConnectionLimit): ConnectionLimit {
  const tiers: ConnectionLimit[] = [];

  function limitOf(tier: number): ConnectionLimit {
    const existing = tiers[tier] ?? limitTo(tierLimit(limit, tier));
    tiers[tier] = existing;
    return existing;
  }

  return {
    async acquire(owner) {
      const releases: (() => void)[] = [];
      const release = () => {
        for (const releaseOne of releases.splice(0)) releaseOne();
      };
      try {
        for (const [tier, network] of networksOfOwner(owner).entries())
          releases.push(await limitOf(tier).acquire(network));
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
    async close() {
      await Promise.all(tiers.map((tier) => tier.close()));
    },
  };
}
