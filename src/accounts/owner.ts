import type { Caller } from '../contract/caller.ts';

/** Returns the owner of what is made for an account, or for its visitor: `<account>` or `<account>/<visitor>`. */
export function ownerOf({ id, visitor }: { readonly id: string; readonly visitor?: string }): string {
  return visitor === undefined ? id : `${id}/${visitor}`;
}

/** Returns the account of an owner. */
export function accountOf(owner: string): string {
  const slash = owner.indexOf('/');
  return slash === -1 ? owner : owner.slice(0, slash);
}

/** Returns the caller that requests for an owner are sent for. */
export function callerOf(owner: string): Caller {
  return { account: accountOf(owner), key: owner };
}
