/**
 * The keys of all advisory locks. They are transaction locks: a session lock would stay with a connection that a pooler
 * gives to others.
 */
export const advisoryLocks = {
  /** Changing the schema. */
  schema: 7_417_001,
  /** Starting jobs, one for each owner. */
  jobs: 7_417_002,
  /** Assigning relay connections, one for each owner. 0005_relay_places.sql contains this key. */
  relay: 7_417_003,
  /** Creating the first keys. */
  keys: 7_417_004,
  /** Counting the queue if it is nearly full, or a worker nearly busy. */
  capacity: 7_417_005,
};
