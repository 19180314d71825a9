/** Keys are the runs of jobs, so they are made by us; anything else in a store is not ours. */
const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a name is a key of ours. */
export function isKey(name: string): boolean {
  return pattern.test(name);
}

/** @throws Error for what is no key of ours, which never reaches a store. */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Error('a file key is not one of ours');
}
