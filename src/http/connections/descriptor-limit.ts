import { readFileSync } from 'node:fs';

/**
 * Limit that is assumed if it cannot be read. macOS and most Linux systems allow at least this many, once Node has
 * raised the limit.
 */
const ASSUMED_LIMIT = 4_096;
/** Descriptors for the database, logs, the engine's child processes and Node itself. */
const OTHER_DESCRIPTORS = 256;
/**
 * Portion of the descriptors that client connections can use. The rest is for files and sources, since a download or a
 * relayed connection needs a second descriptor.
 */
const CONNECTION_SHARE = 3 / 4;
/** Portion of the descriptors that downloads can use besides their connections, for files and sources. */
const DOWNLOAD_SHARE = 3 / 16;
/**
 * Highest default of `MAX_CONNECTIONS`. With more connections, a node runs out of memory before it runs out of
 * descriptors.
 */
const MAX_BY_DEFAULT = 20_000;
const MIN_CONNECTIONS = 16;
const MIN_DOWNLOADS = 4;

/**
 * Returns the number of files and sockets that this process may have open. Node raises the soft limit to the hard one
 * when it starts.
 */
export function descriptorLimit(read = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(read()) ?? [];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? ASSUMED_LIMIT);
  } catch {
    // This system is not Linux.
    return ASSUMED_LIMIT;
  }
}

/** Returns the number of client connections that leaves enough descriptors for everything else. */
export function maxConnectionsFor(limit: number): number {
  return Math.max(MIN_CONNECTIONS, Math.floor((limit - OTHER_DESCRIPTORS) * CONNECTION_SHARE));
}

/** Returns the number of concurrent downloads that leaves descriptors for extractions, renders and new connections. */
export function maxDownloadsFor(limit: number): number {
  return Math.max(MIN_DOWNLOADS, Math.floor((limit - OTHER_DESCRIPTORS) * DOWNLOAD_SHARE));
}

/** Returns the default of `MAX_CONNECTIONS`. */
export function defaultMaxConnections(): number {
  return Math.min(MAX_BY_DEFAULT, maxConnectionsFor(descriptorLimit()));
}
