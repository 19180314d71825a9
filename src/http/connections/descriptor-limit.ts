import { readFileSync } from 'node:fs';

/** Used if the limit cannot be read. macOS and most Linux systems allow at least this, once Node has raised the limit. */
const ASSUMED_LIMIT = 4_096;
/** Descriptors for the database, logs, the engine's children and Node itself. */
const OTHER_DESCRIPTORS = 256;
/** The rest is for files and sources: a download or a relayed connection takes a second descriptor. */
const CONNECTION_SHARE = 3 / 4;
/** Above this, a node runs out of memory before it runs out of descriptors. */
const MAX_BY_DEFAULT = 20_000;
const MIN_CONNECTIONS = 16;

/** The number of files and sockets this process may have open. Node raises the soft limit to the hard one at start. */
export function descriptorLimit(read = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(read()) ?? [];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? ASSUMED_LIMIT);
  } catch {
    // Not Linux.
    return ASSUMED_LIMIT;
  }
}

/** The number of client connections that leaves enough descriptors for everything else. */
export function maxConnectionsFor(limit: number): number {
  return Math.max(MIN_CONNECTIONS, Math.floor((limit - OTHER_DESCRIPTORS) * CONNECTION_SHARE));
}

/** The default of `MAX_CONNECTIONS`. */
export function defaultMaxConnections(): number {
  return Math.min(MAX_BY_DEFAULT, maxConnectionsFor(descriptorLimit()));
}
