import { type Handler, sendText } from './exchange.ts';

/** Host of the simulated internet: its exact name, or `*.` and the end of its name. */
export interface Host {
  readonly name: string;
  readonly handle: Handler;
}

/**
 * Combines many hosts into one handler. An exact name takes precedence over a pattern, and the first matching pattern
 * over later ones.
 */
export function handleHosts(hosts: readonly Host[]): Handler {
  const exact = new Map(hosts.filter(({ name }) => !name.startsWith('*.')).map(({ name, handle }) => [name, handle]));
  const patterns = hosts.filter(({ name }) => name.startsWith('*.'));
  return (exchange) => {
    const handle =
      exact.get(exchange.host) ?? patterns.find(({ name }) => exchange.host.endsWith(name.slice(1)))?.handle;
    if (handle === undefined) return sendText(exchange, 502, `The lab has no host called ${exchange.host}.\n`);
    return handle(exchange);
  };
}
