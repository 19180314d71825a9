import { networkInterfaces } from 'node:os';

/** Returns the IP addresses of this machine that other machines see. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
  );
}
