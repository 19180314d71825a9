import { measureCached } from './measure-cached.ts';
import { measureConnections } from './measure-connections.ts';

const rows: Readonly<Record<string, (rounds: number) => Promise<void>>> = {
  cached: measureCached,
  connections: measureConnections,
};

/** Names of the rows, in order. */
export const apiRows: readonly string[] = Object.keys(rows);

/** Measures what a request costs apart from its extraction: cached responses, and many connections. */
export async function apiBench(rounds: number, names: readonly string[]): Promise<void> {
  for (const name of names) await rows[name]?.(rounds);
}
