import { createHmac } from 'node:crypto';

const SEPARATOR = '.';

/**
 * Returns the ID of a visitor of the page: a pseudonym of each of its networks, the widest first, so that the ID of a
 * network begins with that of the network that contains it. It is the same on all nodes. Without the secret, the few
 * possible IPv4 addresses could be tried.
 *
 * @param networks The networks of the visitor, smallest first, as limits count them.
 */
export function visitorIdOf(networks: readonly string[], secret: string): string {
  const pseudonymOf = (network: string) =>
    createHmac('sha256', secret).update(network).digest('base64url').slice(0, 16);
  return networks.toReversed().map(pseudonymOf).join(SEPARATOR);
}

/**
 * Returns the IDs of the networks of a visitor, smallest first, for which the visitor counts. The first one is the
 * visitor's ID. IDs of version 0.2.0 and earlier, and those of accounts, have one network.
 */
export function networksOfVisitor(id: string): readonly string[] {
  const pseudonyms = id.split(SEPARATOR);
  return pseudonyms.map((_, wider) => pseudonyms.slice(0, pseudonyms.length - wider).join(SEPARATOR));
}
