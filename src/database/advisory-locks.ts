/**
 * The advisory locks, each with a number of its own. They are of transactions alone: a lock of a session would stay with
 * a connection that a pooler gives to others.
 */
export const advisoryLocks = {
  /** Changing the schema. */
  schema: 7_417_001,
  /** Starting jobs; one for each owner. */
  jobs: 7_417_002,
  /** Giving out relay connections; one for each owner. Its number stands in 0005_relay_places.sql. */
  relay: 7_417_003,
  /** Making the first keys. */
  keys: 7_417_004,
  /** Counting the queue where it is nearly full, or a worker nearly busy. */
  capacity: 7_417_005,
};
