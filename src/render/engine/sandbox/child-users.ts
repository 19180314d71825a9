/**
 * User IDs of children, a different one for each child, if the service is root. No account has these IDs: systemd
 * reserves them for users that exist only while a service runs (https://systemd.io/UIDS-GIDS/, read 2026-11-22).
 */
const users = { first: 62_000, count: 3_000 } as const;

/** The group of all these users. It may read the inputs of tasks, but each child sees only its own inputs. */
export const childGroup = 61_999;

/** Returns the user of a child, given the number of children that were started before it. */
export function childUser(previousChildren: number): number {
  return users.first + (previousChildren % users.count);
}
