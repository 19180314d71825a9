import { type Handler, sendText } from './exchange.ts';

/** A host of the outside world: its exact name, or `*.` and what its name ends in. */
export interface Host {
  readonly name: string;
  readonly handle: Handler;
}

/** Makes one handler of many hosts. An exact name wins over a pattern; among patterns the first one wins. */
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
