import type { Caller } from '../contract/caller.ts';
import { networksOfVisitor } from './visitor.ts';

/** Returns the owner of what is made for an account, or for its visitor: `<account>` or `<account>/<visitor>`. */
export function ownerOf({ id, visitor }: { readonly id: string; readonly visitor?: string | undefined }): string {
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

/** Returns the owners that an owner counts for, smallest first: itself and, for a visitor, the visitor's wider networks. */
export function networksOfOwner(owner: string): readonly string[] {
  const account = accountOf(owner);
  if (account === owner) return [owner];
  return networksOfVisitor(owner.slice(account.length + 1)).map((network) => `${account}/${network}`);
}
