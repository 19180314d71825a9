/**
 * The users that children run as, one each, where the service is root. No account has these numbers: systemd keeps them
 * for users that exist only while a service runs (https://systemd.io/UIDS-GIDS/, read 2026-11-22).
 */
const users = { first: 62_000, count: 3_000 } as const;

/** The group of all these users. It may read the inputs of tasks, of which each child sees its own alone. */
export const childGroup = 61_999;

/** The user of a child, by the number of children that were started before it. */
export function childUser(before: number): number {
  return users.first + (before % users.count);
}
