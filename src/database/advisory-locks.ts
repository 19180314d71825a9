/**
 * The keys of all advisory locks. They are transaction locks, because a pooler may give a connection that holds a
 * session lock to another client.
 */
export const advisoryLocks = {
  /** Changing the schema. */
  schema: 7_417_001,
  /** Starting jobs; each owner has a separate lock. */
  jobs: 7_417_002,
  /** Assigning relay connections; each owner has a separate lock. 0005_relay_places.sql contains this key. */
  relay: 7_417_003,
  /** Creating the first keys. */
  keys: 7_417_004,
  /** Counting the queue when it is nearly full, or a worker's jobs when it is nearly busy. */
  capacity: 7_417_005,
  /** Counting replaced links; each sealed URL has a separate lock. */
  links: 7_417_006,
  /** Adding webhooks to accounts; each account has a separate lock. */
  webhooks: 7_417_008,
  /** Counting the jobs of visitors of the page; each visitor has a separate lock. */
  visitors: 7_417_009,
  /** Adding an entry to the audit log, whose hash covers the one before it, and deleting old ones. */
  audit: 7_417_010,
  /** Storing job descriptions; each account has a separate lock. */
  storedDescriptions: 7_417_011,
  /** Storing orders that are too long for their URLs; each account has a separate lock. */
  storedOrders: 7_417_012,
};
