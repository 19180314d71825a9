/**
 * An item of a FROM clause, with one row. The statement's transaction then commits without waiting for the disk, so a
 * power cut may lose its writes of the last second. Use it for data that is soon written again: heartbeats, relay
 * places. Do not use it for progress: the embedded engine first keeps such commits in its own memory, so listeners
 * would see progress fall after a kill -9.
 *
 * It is part of the statement because a separate `set` would cost a round trip. The setting ends with the transaction,
 * as poolers require. The planner does not remove it, because the function is volatile.
 */
export const asynchronousCommit = `(select set_config('synchronous_commit', 'off', true)) as without_flush`;
