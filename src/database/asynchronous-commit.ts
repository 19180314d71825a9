/**
 * An item of a FROM clause, of one row: the statement's transaction commits without waiting for the disk, so a power cut may
 * lose what it wrote in the last second. For data that is soon written again: heartbeats, relay places. Not for progress: the
 * embedded engine keeps such commits in its own memory at first, so listeners would see progress fall after a kill -9.
 *
 * It is part of the statement because a separate `set` would cost a round trip. The setting ends with the transaction, as
 * poolers require. The planner keeps it, since the function is volatile.
 */
export const asynchronousCommit = `(select set_config('synchronous_commit', 'off', true)) as without_flush`;
