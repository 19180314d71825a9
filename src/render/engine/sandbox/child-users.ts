/**
 * The users that children run as, one each, if the service is root. No account has these ids: systemd reserves them for
 * users that exist only while a service runs (https://systemd.io/UIDS-GIDS/, read 2026-11-22).
 */
const users = { first: 62_000, count: 3_000 } as const;

/** The group of all these users. It may read the inputs of tasks; each child sees only its own. */
export const childGroup = 61_999;

/** The user of a child, from the number of children that were started before it. */
export function childUser(previousChildren: number): number {
  return users.first + (previousChildren % users.count);
}
