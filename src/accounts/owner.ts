/** Returns the account of an owner. A link for a visitor of the page belongs to `<account>/<visitor>`. */
export function accountOf(owner: string): string {
  const slash = owner.indexOf('/');
  return slash === -1 ? owner : owner.slice(0, slash);
}
