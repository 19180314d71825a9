import { networksOfOwner } from '../../accounts/owner.ts';
import { createRequestRate, multiplyRate, type RequestRate } from '../../accounts/request-rate.ts';
import type { ClientNetworks } from '../../http/connections/client-network.ts';

/** How many times as much as one client all clients that use the execution URLs of one owner may send. */
const OWNER_FACTOR = 4;

/**
 * Rates of requests about jobs that cost no credits. They are counted in memory, before the database has any work. Their
 * functions throw a LimitError `rate_limited`.
 */
export interface JobRates {
  /** Counts the use of an execution URL for its client. Proxies that name no client are not counted. */
  countUse(client: ClientNetworks | undefined): void;
  /** Counts the use of an execution URL for its owner, because many clients can have it. */
  countUseOf(owner: string): void;
}

/** Creates the rates of a process. */
export function createJobRates(rate: RequestRate): JobRates {
  const ofClients = createRequestRate(rate);
  const ofOwners = createRequestRate(multiplyRate(rate, OWNER_FACTOR), [
    'The owner of this execution URL has',
    'The network of its owner has',
  ]);
  return {
    countUse(client) {
      if (client !== undefined) ofClients(client);
    },
    countUseOf: (owner) => ofOwners(networksOfOwner(owner)),
  };
}
