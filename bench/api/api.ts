import { measureCached } from './cached.ts';
import { measureConnections, measureMemory } from './idle.ts';

const rows: Readonly<Record<string, (rounds: number) => Promise<void>>> = {
  cached: measureCached,
  connections: measureConnections,
  memory: measureMemory,
};

/** Names of the rows, in their order. */
export const apiRows: readonly string[] = Object.keys(rows);

/** What a request costs beside its extraction: answers from the cache, many connections, an idle service. */
export async function apiBench(rounds: number, names: readonly string[]): Promise<void> {
  for (const name of names) await rows[name]?.(rounds);
}
