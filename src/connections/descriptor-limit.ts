import { readFileSync } from 'node:fs';

/** Where the limit cannot be read: what macOS and most Linux systems allow at least, once Node has raised it. */
const ASSUMED_LIMIT = 4_096;
/** For the database, logs, the engine's children and what Node itself opens. */
const OTHER_DESCRIPTORS = 256;
/** The rest is for files and sources: a download and a relayed connection take a second descriptor. */
const SHARE_OF_CONNECTIONS = 3 / 4;
/** More would take a node's memory before its descriptors. */
const MOST_BY_DEFAULT = 20_000;
const LEAST = 16;

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
export function connectionsWithin(limit: number): number {
  return Math.max(LEAST, Math.floor((limit - OTHER_DESCRIPTORS) * SHARE_OF_CONNECTIONS));
}

/** The number of client connections a process has unless it is set. */
export function defaultConnections(): number {
  return Math.min(MOST_BY_DEFAULT, connectionsWithin(descriptorLimit()));
}
