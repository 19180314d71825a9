import { networksOfOwner } from '../../accounts/owner.ts';
import { createRequestRate, multiplyRate, type RequestRate } from '../../accounts/request-rate.ts';
import type { ClientNetworks } from '../../http/connections/client-network.ts';

/** How many times as much as one client all clients that use the execution URLs of one owner may send. */
const OWNER_FACTOR = 4;
/** How many times as many reads of a status as uses of execution URLs a client may send. */
const READ_FACTOR = 4;

/**
 * Rates of the requests about jobs, none of which costs credits. They are counted in memory, before the database has any
 * work. Their functions throw a LimitError `rate_limited`.
 */
export interface JobRates {
  /** Counts the use of an execution URL for its client. Proxies that name no client are not counted. */
  countUse(client: ClientNetworks | undefined): void;
  /** Counts the use of an execution URL for its owner, because many clients can have it. */
  countUseOf(owner: string): void;
  /** Counts a client that reads the status of a job, which needs no key. */
  countRead(client: ClientNetworks | undefined): void;
  /**
   * Counts a request with which an account manages its jobs and webhooks.
   *
   * @param requests What it counts as, if it takes as long as several. Default: 1.
   */
  countCall(account: string, requests?: number): void;
}

/** Creates the rates of a process. */
export function createJobRates(rate: RequestRate): JobRates {
  const ofClients = createRequestRate(rate);
  const ofOwners = createRequestRate(multiplyRate(rate, OWNER_FACTOR), [
    'The owner of this execution URL has',
    'The network of its owner has',
  ]);
  const ofReads = createRequestRate(multiplyRate(rate, READ_FACTOR));
  const ofAccounts = createRequestRate(rate, ['Your account has', '']);
  return {
    countUse(client) {
      if (client !== undefined) ofClients(client);
    },
    countUseOf: (owner) => ofOwners(networksOfOwner(owner)),
    countRead(client) {
      if (client !== undefined) ofReads(client);
    },
    countCall: (account, requests) => ofAccounts([account], requests),
  };
}
